/* The kitchen of the lesson's figure, alive: a step of a run as a drawing, and controls that walk
   through the steps. A drawing is a string, so that the page has one before any script runs. */
"use strict";

const ORDERS_THAT_FIT = 11;
const COUNTER = { left: 12, top: 192, width: 316, height: 60, most: 64, largest: 40, shape: 0.75 };
const SHELF = { left: 4, top: 312, columns: 10, trays: 60, across: 20, down: 17, width: 17 };
const [HELD, OWED] = ["var(--first)", "url(#owed-trays)"];
const whole = (value) => format_number(value, 0);
const SPEEDS = [0.01, 0.1, 0.5, 1, 10]; // simulated seconds in a second
const USUAL_SPEED = 0.1; // at a higher one the cook would flicker, and stands still

/* The drawing. `part` is how much of the step is over: the cook walks along the counter with it,
   and at 1 the plates are gone, because the server is idle until the next chat comes. */
function kitchen_scene(shown, index, part = 0) {
  const { pages, limit } = shown.settings;
  const step = shown.run[2][index];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 340 422" role="img"
aria-label="${scene_words(shown, index, part)}"><g font-size="14" fill="var(--ink)">
<pattern id="owed-trays" width="5" height="5" patternUnits="userSpaceOnUse"
patternTransform="rotate(45)"><path d="M1 0 V5" stroke="var(--first)" stroke-width="2" /></pattern>
${scene_queue(step.queue)}${scene_sign(step)}${scene_counter(step, limit, part)}
${scene_cook(index, part)}${scene_shelf(step, pages)}${scene_clipboard(step, index)}</g></svg>`;
}

function scene_words(shown, index, part) {
  const { pages, limit } = shown.settings;
  const { start, chats, joined, queue, held, owed, blocked } = shown.run[2][index];
  const walls = blocked.join(" and the ").replace("batch", "batch limit");
  return `${part < 1 ? "Step" : "After step"} ${whole(index + 1)}, at ${in_seconds(start)}. \
Chats in the step: ${whole(chats)} of at most ${whole(limit)}, new among them: ${whole(joined)}. \
Chats in the queue: ${whole(queue)}${queue ? `, kept out by the ${walls}` : ""}. \
Pages: ${whole(held)} held, ${whole(owed)} owed, ${whole(pages - held - owed)} free.`;
}

function scene_label(y, name, words) {
  return `<text x="4" y="${y}"><tspan font-weight="bold">${name}</tspan>
<tspan dx="4" fill="var(--muted)">${words}</tspan></text>`;
}

function scene_line(path, color, width, fill = "none", more = "") {
  const stroke = `stroke="var(--${color})" stroke-width="${width}"`;
  return `<path d="${path}" ${stroke} fill="${fill}" ${more}/>\n`;
}

/* Orders on a rail: the head of the queue hangs at the left, above the sign. */
function scene_queue(queue) {
  const all_fit = queue <= ORDERS_THAT_FIT;
  const ticket = "v38l6 -4l6 4l6 -4l6 4V28zm5 11h14m-14 7h14m-14 7h8";
  const orders = range(all_fit ? queue : ORDERS_THAT_FIT - 2); // then comes a wide one
  const tickets = orders.map((order) => `M${4 + 30 * order} 28${ticket}`);
  const more = all_fit ? "" : `+${whole(queue - orders.length)}`;
  if (more) tickets.push("M274 28v38l6 -4l6 4l6 -4l6 4l6 -4l6 4l6 -4l6 4l6 -4l6 4V28z");
  return `${scene_label(15, "queue", "orders on the rail")}
${scene_line("M2 28H338", "ink", 3)}${scene_line(tickets.join(""), "ink", 1.5, "var(--paper)")}
<text x="304" y="51" text-anchor="middle">${more}</text>`;
}

/* What the head of the queue is told: a mark for each of the things it needs. */
function scene_sign({ queue, blocked }) {
  const full = { cache: "shelf is full", batch: "counter is full" };
  const words = blocked.length > 1 ? "no room at all" : (full[blocked[0]] ?? "nobody waits");
  return `${queue ? scene_line("M16 72V88M11 82l5 6l5 -6", "muted", 1.5) : ""}
${scene_answer(52, 78, "a place", queue, blocked.includes("batch"))}
${scene_answer(138, 72, "pages", queue, blocked.includes("cache"))}
<text x="4" y="105" font-weight="bold">admit</text><text x="220" y="105">${words}</text>`;
}

function scene_answer(x, width, words, asked, refused) {
  const [mark, color] = refused ? ["l10 10m0 -10l-10 10", "second"] : ["m0 5l4 5l7 -11", "third"];
  return `<text x="${x + 24}" y="105">${words}</text>
<rect x="${x}" y="89" width="${width}" height="23" rx="3" fill="none" stroke="var(--ink)" />
${scene_line(`M${x + 7} 95${asked ? mark : "m0 5h10"}`, asked ? color : "muted", 3)}`;
}

/* The counter has a place for each chat that a step may have, as large as there is room for. */
function scene_counter({ chats, joined }, limit, part) {
  const each = Math.ceil(limit / COUNTER.most); // chats that a drawn plate stands for
  const places = Math.ceil(limit / each);
  const served = part < 1 ? chats : 0;
  const taken = Math.ceil(served / each);
  const fresh = served && each === 1 ? joined : 0; // whoever joined last comes last
  const [columns, size] = scene_places(places);
  const plates = (from, to) => scene_bowls(from, to, columns, size, [0.85, 0.2, 0]);
  const food = (from, to) => scene_bowls(from, to, columns, size, [0.55, 0.4, 1]);
  const more = each > 1 ? `, a plate: ${whole(each)} chats` : fresh ? `, ${whole(fresh)} new` : "";
  const words = `${whole(served)} of ${whole(limit)} places${more}`;
  return `${scene_label(136, "batcher", words)}
${scene_line(plates(taken, places), "muted", 1.5, "none", 'stroke-dasharray="2 2"')}
${scene_line(plates(0, taken), "second", 1.5, "var(--paper)")}
${scene_line(food(0, taken - fresh), "second", 1.5, "var(--second)")}
${scene_line(food(taken - fresh, taken), "second", 1.5, "var(--paper)")}
${scene_line("M2 257H338", "ink", 6)}`;
}

/* Upside down (`over`) a bowl is a heap of food. */
function scene_bowls(from, to, columns, size, [width, height, over]) {
  const bowl = `a${(size * width) / 2} ${size * height} 0 0 ${over} ${size * width} 0z`;
  return range(to - from).map((nth) => {
    const x = COUNTER.left + size * (((from + nth) % columns) + 0.5 - width / 2);
    const y = COUNTER.top + size * COUNTER.shape * (Math.floor((from + nth) / columns) + 0.7);
    return `M${x} ${y}${bowl}`;
  }).join("");
}

function scene_places(places) {
  const sizes = range(places).map((row) => {
    const height = COUNTER.height / Math.ceil(places / (row + 1)) / COUNTER.shape;
    return Math.min(COUNTER.width / (row + 1), height, COUNTER.largest);
  });
  return [sizes.indexOf(largest(sizes)) + 1, largest(sizes)]; // places in a row, and their size
}

/* The cook goes along the counter in a step, and comes back in the next. */
function scene_cook(index, part) {
  const back = index % 2;
  return `<g transform="translate(${26 + 288 * (back ? 1 - part : part)} 190)">
<path d="M-13 0a13 15 0 0 1 26 0zM8 -25a8 8 0 0 1 -16 0z" />
${scene_line("M-8 -27v-9a8 7 0 0 1 16 0v9z", "ink", 1.5, "var(--paper)")}
${scene_line(`M0 -8h${back ? -19 : 19}v6`, "ink", 2.5)}</g>`;
}

/* The shelf: all trays together are all pages of the cache, filled from the first tray on. */
function scene_shelf({ held, owed }, pages) {
  const tray = pages / SHELF.trays;
  const size = tray % 1 ? `about ${format_number(tray, tray < 10 ? 1 : 0)}` : whole(tray);
  const rows = range(SHELF.trays / SHELF.columns);
  const boards = rows.map((row) => `M2 ${SHELF.top + 13 + SHELF.down * row}h202`);
  const key = (x, words, fill) => `<rect x="${x}" y="294" width="12" height="11" fill="${fill}"
stroke="var(--first)" /><text x="${x + 16}" y="304" font-size="13">${words}</text>`;
  return `${scene_label(286, "cache", `a tray: ${size} page${tray === 1 ? "" : "s"}`)}
${key(4, "held", HELD)}${key(58, "owed", OWED)}${key(116, "free", "none")}
${scene_line(scene_trays(0, held / tray), "first", 0, HELD)}
${scene_line(scene_trays(held / tray, (held + owed) / tray), "first", 0, OWED)}
${scene_line(scene_trays(0, SHELF.trays), "first", 1)}${scene_line(boards.join(""), "ink", 1.5)}`;
}

function scene_trays(from, to) {
  return range(SHELF.trays).map((tray) => {
    const [begin, end] = [Math.max(from - tray, 0), Math.min(to - tray, 1)];
    const x = SHELF.left + SHELF.across * (tray % SHELF.columns) + SHELF.width * begin;
    const y = SHELF.top + SHELF.down * Math.floor(tray / SHELF.columns);
    return begin < end ? `M${x} ${y}h${SHELF.width * (end - begin)}v11H${x}z` : "";
  }).join("");
}

function scene_clipboard({ start, chats, queue, held, owed }, index) {
  const counts = { step: index + 1, chats, queue, held, owed };
  const lines = ["time", ...Object.keys(counts)].map((name, line) => {
    const value = name === "time" ? in_seconds(start) : whole(counts[name]);
    return `<text x="220" y="${300 + 20 * line}">${name}</text>
<text x="330" y="${300 + 20 * line}" text-anchor="end">${value}</text>`;
  });
  return `<rect x="213" y="277" width="124" height="136" rx="5" fill="var(--paper)"
stroke="var(--ink)" stroke-width="1.5" /><rect x="255" y="271" width="40" height="11" rx="4" />
${lines.join("")}`;
}

/* Where to open: at the first wall, or else where the counter is fullest. */
function first_moment(shown) {
  const steps = shown.run[2];
  const most = largest(steps.map((step) => step.chats));
  const wall = steps.findIndex((step) => step.blocked.length > 0);
  return wall < 0 ? steps.findIndex((step) => step.chats === most) : wall;
}

/* The whole view. Its controls are hidden until there is a Kitchen that listens to them. */
function kitchen_html(shown) {
  const speeds = SPEEDS.map((speed) => {
    const words = `${format_number(speed, speed < 0.1 ? 2 : speed < 1 ? 1 : 0)}× real time`;
    return `<option value="${speed}"${speed === USUAL_SPEED ? " selected" : ""}>${words}</option>`;
  });
  return `<div class="kitchen-scene">${kitchen_scene(shown, first_moment(shown))}</div>
<div class="kitchen-controls" role="group" aria-label="Playback" hidden>
<button type="button" data-kitchen="play">Play</button>
<button type="button" data-kitchen="next">Next step</button>
<label data-kitchen="pace">Speed <select data-kitchen="speed">${speeds.join("")}</select></label>
<label>Time <input type="range" data-kitchen="time" min="0" step="1"></label>
<p data-kitchen="calm" hidden>Nothing plays by itself here: your device asks for less motion.</p>
</div>`;
}

class Kitchen {
  constructor(root) {
    Object.assign(this, { root, shown: null, playing: false, frame: 0 });
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.calm.addEventListener("change", () => this.play(false));
    document.addEventListener("visibilitychange", () => document.hidden && this.play(false));
    root.addEventListener("click", ({ target }) => {
      const pressed = target.closest("button")?.dataset.kitchen;
      if (pressed === "play") this.play(!this.playing);
      if (pressed === "next") this.show((this.index + 1) % this.shown.run[2].length);
    });
    root.addEventListener("input", ({ target }) => {
      if (target.dataset.kitchen === "time") this.show(Number(target.value));
    });
  }

  load(shown) {
    this.shown = shown;
    if (!this.part("time")) this.root.innerHTML = kitchen_html(shown);
    this.part("time").max = shown.run[2].length - 1;
    this.root.querySelector(".kitchen-controls").hidden = false;
    this.show(first_moment(shown));
    cancelAnimationFrame(this.frame);
    this.draw(performance.now());
  }

  part(name) {
    return this.root.querySelector(`[data-kitchen="${name}"]`);
  }

  show(index) {
    Object.assign(this, { index, clock: this.shown.run[2][index].start });
    this.play(false);
  }

  play(playing) {
    if (!this.shown) return;
    const calm = this.calm.matches;
    const last = this.shown.run[2].at(-1);
    if (playing && this.clock >= last.start + last.seconds) this.show(0);
    Object.assign(this, { playing: playing && !calm, drawn: null });
    this.part("play").textContent = this.playing ? "Pause" : "Play";
    for (const name of ["play", "pace"]) this.part(name).hidden = calm;
    this.part("calm").hidden = !calm;
    this.frame ||= requestAnimationFrame((now) => this.draw(now));
  }

  draw(now) {
    this.frame = 0;
    const steps = this.shown.run[2];
    const speed = Number(this.part("speed").value);
    const passed = Math.min(now - (this.drawn ?? now), 100) / 1000; // no jump after a stall
    if (this.playing) this.clock += speed * passed;
    while (steps[this.index + 1]?.start <= this.clock) this.index += 1;
    const { start, seconds } = steps[this.index];
    const over = this.clock >= start + seconds;
    const part = speed > USUAL_SPEED ? 0.5 : Math.min((this.clock - start) / seconds, 0.99);
    const scene = kitchen_scene(this.shown, this.index, over ? 1 : part);
    this.root.querySelector(".kitchen-scene").innerHTML = scene;
    const told = `${in_seconds(start)}, step ${whole(this.index + 1)}`;
    Object.assign(this.part("time"), { value: this.index }).setAttribute("aria-valuetext", told);
    this.drawn = now;
    if (!this.playing) return;
    if (over && this.index === steps.length - 1) this.play(false);
    else this.frame = requestAnimationFrame((next) => this.draw(next));
  }
}
