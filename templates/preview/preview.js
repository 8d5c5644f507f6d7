// The preview's part of a page: reloads it when there is another build, marks the numbers that
// moved, and shows what is wrong. The server adds it; a published site has nothing of it.
(() => {
  "use strict";
  const shown = document.currentScript.dataset; // start: which run of the server; build: which site
  const KEY = "lesson-preview";
  const MOMENT = 6000; // ms that a changed number stays marked
  const LIVE = 'data[data-from], .drawing text, pre[data-kind="transcript"]';

  // -- Where the reader was, and what stood there, over a reload.

  // Everything that comes from code, by what it comes from: [[name, [element, ...]], ...]
  function numbers() {
    const found = new Map();
    for (const element of document.querySelectorAll(LIVE)) {
      const figure = element.closest(".drawing");
      const from = element.dataset.from
        ? element.dataset.from.split(", ")[0]
        : figure ? `figure ${figure.id}` : element.getAttribute("aria-label");
      found.set(from, [...(found.get(from) || []), element]);
    }
    return [...found];
  }

  function reload() {
    stop();
    const texts = numbers().map(([from, all]) => [from, all.map((one) => one.textContent)]);
    const open = [...document.querySelectorAll("details")].map((one) => one.open);
    const here = { page: location.pathname, at: [scrollX, scrollY], open, texts };
    try {
      sessionStorage.setItem(KEY, JSON.stringify(here));
    } catch {} // no room, or not allowed: then the page begins at its top
    history.scrollRestoration = "manual";
    location.reload();
  }

  function restore() {
    let before = null;
    try {
      before = JSON.parse(sessionStorage.getItem(KEY));
      sessionStorage.removeItem(KEY);
    } catch {}
    history.scrollRestoration = "auto";
    if (!before || before.page !== location.pathname) return;
    document.querySelectorAll("details").forEach((one, index) => (one.open = !!before.open[index]));
    scrollTo({ left: before.at[0], top: before.at[1], behavior: "instant" });
    mark(new Map(before.texts));
  }

  // Pairs old and new texts of a name by their order; where there are more or fewer, by the text.
  function mark(before) {
    const moved = [];
    for (const [from, elements] of numbers()) {
      const old = before.get(from);
      if (!old) continue;
      elements.forEach((element, index) => {
        const text = element.textContent, same = old.length === elements.length;
        if (same ? text === old[index] : old.includes(text)) return;
        const was = same ? old[index] : "";
        element.classList.add("lesson-preview-changed");
        if (text.length < 40) element.setAttribute("data-preview-was", was ? `${was} → ${text}` : "new");
        moved.push([from, was, text]);
      });
    }
    if (!moved.length) return;
    tell(moved);
    setTimeout(() => {
      tell([]);
      for (const element of document.querySelectorAll(".lesson-preview-changed")) {
        element.classList.remove("lesson-preview-changed");
        element.removeAttribute("data-preview-was");
      }
    }, MOMENT);
  }

  // -- What is shown above the page, out of reach of the page's own style.

  const host = document.createElement("lesson-preview");
  const root = host.attachShadow({ mode: "open" });
  root.innerHTML =
    '<style></style><section id="wrong" role="alertdialog" aria-labelledby="count" hidden></section>' +
    '<div id="corner"><p id="moved" role="status" hidden></p>' +
    '<p id="about" hidden></p><p id="busy" role="status" hidden></p><details id="review" hidden></details></div>';
  root.querySelector("style").textContent = document.getElementById("lesson-preview").textContent;
  const part = (id) => root.getElementById(id);

  // An element with a class, and texts or elements in it. Nothing of a finding is ever HTML.
  function make(tag, kind, ...inside) {
    const element = document.createElement(tag);
    element.className = kind;
    element.append(...inside);
    return element;
  }

  const brief = (text) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
  const some = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;

  function tell(moved) {
    const seen = new Set(moved.map(([from, was, text]) =>
      `${from}: ${was ? `${brief(was)} → ` : ""}${brief(text)}`));
    part("moved").hidden = !moved.length;
    part("moved").replaceChildren(...[...seen].slice(0, 8).map((line) => make("span", "moved", line)));
  }

  function finding(problem) {
    const place = `${problem.path}:${problem.line}:${problem.col}`;
    const link = make(problem.link ? "a" : "span", "place", place);
    if (problem.link) link.href = problem.link;
    const item = make("li", "", make("p", "", link, " ", make("b", "rule", problem.rule)),
      make("p", "what", problem.what), make("p", "fix", problem.fix));
    if (problem.before || problem.at || problem.after) {
      const column = make("mark", "", problem.at || " ");
      item.append(make("pre", "", problem.before, column, problem.after));
    }
    return item;
  }

  let last = ""; // the findings that were shown; others open the list again
  function wrong(problems) {
    const box = part("wrong"), now = JSON.stringify(problems);
    if (now === last) return;
    last = now;
    box.hidden = !problems.length;
    box.classList.remove("folded");
    if (!problems.length) return box.replaceChildren();
    const still = Number(shown.build) ? "below is the last good build" : "there is no good build yet";
    const count = make("h2", "", some(problems.length, "finding"));
    count.id = "count";
    const fold = make("button", "", "Hide");
    fold.onclick = () => (fold.textContent = box.classList.toggle("folded") ? "Show" : "Hide");
    box.replaceChildren(make("div", "head", count, make("p", "", still), fold),
      make("ol", "", ...problems.map(finding)));
  }

  function review(changes) {
    const box = part("review");
    box.hidden = !changes.length;
    const rows = changes.map(({ expression, before, after, sentences }) => make("li", "",
      make("p", "", make("code", "", expression), " ",
        make("del", "", before || "new"), " → ", make("ins", "", after || "gone")),
      ...(sentences[0] === sentences[1] ? [] : [make("p", "old", sentences[0])]),
      make("p", "new", sentences[1])));
    box.replaceChildren(make("summary", "", `${some(changes.length, "change")} to review`),
      make("p", "", "Read them, then run make accept."), make("ol", "", ...rows));
  }

  let slow = 0; // the timer that counts how long a build takes
  function busy(text) {
    clearInterval(slow);
    part("busy").hidden = !text;
    part("busy").textContent = text;
    const began = Date.now();
    if (text === "building") {
      slow = setInterval(() => {
        part("busy").textContent = `building for ${Math.round((Date.now() - began) / 1000)} s`;
      }, 1000);
    }
  }

  // -- A number under the pointer or the keyboard: what it is, and a way to where it was measured.

  function numberOf(event) {
    const number = event.target.closest && event.target.closest("main data[data-from]");
    return number && document.contains(number) ? number : null;
  }

  function about(event) {
    const number = numberOf(event), box = part("about");
    box.hidden = !number;
    if (!number) return;
    const [name, place] = number.dataset.from.split(", ");
    const same = [...document.querySelectorAll("main data[data-from]")]
      .filter((other) => other.dataset.from === number.dataset.from).length;
    const lines = [`${number.dataset.kind}: ${name}`, `${number.value} unrounded, ${number.textContent} here`,
      place ? `measured at ${place}` : "", same > 1 ? `${same} times on this page` : ""];
    box.replaceChildren(...lines.filter(Boolean).map((line) => make("span", "moved", line)));
  }

  function open(event) {
    const number = numberOf(event);
    const [, file, at] = (number && number.dataset.from.match(/, (.+):(\d+)$/)) || [];
    if (!file || !shown.editor || number.closest("a")) return;
    if (event.type === "keydown" && event.key !== "Enter") return;
    const link = make("a", "");
    link.href = shown.editor.replace("{file}", encodeURI(file)).replace("{at}", at);
    link.click();
  }

  function watchNumbers() {
    for (const number of document.querySelectorAll("main data[data-from]")) number.tabIndex = 0;
    for (const kind of ["mouseover", "focusin"]) addEventListener(kind, about);
    for (const kind of ["click", "keydown"]) addEventListener(kind, open);
  }

  // -- News. Each says all there is, so that a page that slept through some misses nothing.

  let source = null, again = 0;
  function stop() {
    clearTimeout(again);
    if (source) source.close();
    source = null;
  }

  function listen() {
    stop();
    if (document.hidden) return; // a browser has few connections to a server; see visibilitychange
    source = new EventSource("/_preview/events");
    source.onmessage = (event) => {
      const state = JSON.parse(event.data);
      if (state.start !== shown.start || String(state.build) !== shown.build) return reload();
      wrong(state.problems);
      review(state.review);
      busy(state.busy ? "building" : "");
    };
    source.onerror = () => {
      busy("the preview has stopped; run it again, and this page goes on");
      stop();
      again = setTimeout(listen, 500);
    };
  }

  addEventListener("visibilitychange", listen);
  addEventListener("pageshow", (event) => event.persisted && listen());
  addEventListener("pagehide", stop);
  addEventListener("keydown", (event) => {
    const box = part("wrong");
    if (event.key === "Escape" && !box.hidden) box.querySelector("button").click();
  });
  addEventListener("DOMContentLoaded", () => {
    document.documentElement.append(host);
    watchNumbers();
    restore();
  });
  listen();
})();
