/* The page under the reader's hands: what happens when, and what is drawn then. */
"use strict";

const DATA = JSON.parse(document.getElementById("data").textContent);
const SLICE = 10; // ms of work until the browser may do something else
const [PAUSE, SETTLED] = [150, 700]; // ms without input: then the other rates; then it is told

let shown = null;
const lesson_sweeps = new Map();
let sweep_drawn = DATA.first; // the settings whose sweep is on the page; the build drew these
let [frame, pause, settled] = [0, 0, 0];
let [stop_run, stop_sweep, stop_read] = [() => {}, () => {}, () => {}];
const kitchen = new Kitchen(view("kitchen"), tell);

function view(name) {
  return document.querySelector(`[data-view="${name}"]`);
}

/* Work in slices: input and drawing come between them. Returns what stops it. */
function in_slices(work, each, done) {
  const { port1, port2 } = new MessageChannel();
  let alive = true;
  const stop = () => {
    alive = false;
    port1.close();
  };
  port1.onmessage = () => {
    if (!alive) return;
    const until = performance.now() + SLICE;
    let trip = work.next();
    while (!trip.done && performance.now() < until) trip = work.next();
    if (trip.done) {
      stop();
      done(trip.value);
    } else {
      each(trip.value);
      port2.postMessage(null);
    }
  };
  port2.postMessage(null);
  return stop;
}

/* Serve and draw when the browser draws next, however many inputs come before. */
function redraw() {
  stop_run();
  if (!frame) frame = requestAnimationFrame(serve_and_draw);
}

function serve_and_draw() {
  frame = 0;
  stop_sweep();
  if (!log) {
    set_busy("");
    draw(show(settings));
    return;
  }
  set_busy("Serving your log");
  document.body.classList.add("waiting");
  stop_run = in_slices(show_steps(settings, log), set_progress, (result) => {
    set_busy("");
    draw(result);
  });
}

function set_busy(words) {
  find("serving").hidden = !words;
  find("serving_label").textContent = words;
  document.body.classList.remove("waiting");
}

function set_progress(part) {
  find("progress").value = part;
}

function draw(result) {
  const is_first = !shown;
  shown = result;
  for (const name of ["sentence", "result", "over_time"]) fill(name);
  fill_table("over_time_table");
  kitchen.load(shown);
  draw_sweep();
  if (!is_first) tell_soon(shown.sentence);
}

function fill(name) {
  view(name).innerHTML = VIEWS[name](shown);
}

/* A table is filled while it can be seen. */
function fill_table(name) {
  view(name).innerHTML = view(name).closest("details").open ? VIEWS[name](shown) : "";
}

/* All rates take longer than a frame: the last drawing stays, pale, until the new one is ready. */
function draw_sweep() {
  const sweeps = log ? log.sweeps : lesson_sweeps;
  const key = [settings.pages, settings.limit, settings.order].join();
  shown.sweep = sweeps.get(key) ?? null;
  clearTimeout(pause);
  if (shown.sweep) sweep_drawn = settings;
  if (shown.sweep || !sweep_drawn) fill("against_rate");
  view("against_rate").classList.toggle("stale", sweep_drawn && !same(sweep_drawn, settings));
  fill_table("against_rate_table");
  if (!shown.sweep) pause = setTimeout(sweep_all, PAUSE, sweeps, key);
}

function sweep_all(sweeps, key) {
  if (log) set_busy("Serving your log at other rates");
  const work = sweep_steps(settings, sweep_rates(ranges().rate), log);
  stop_sweep = in_slices(work, set_progress, (sweep) => {
    set_busy("");
    sweeps.set(key, sweep);
    draw_sweep();
  });
}

function same(one, other) {
  return NAMES.every((name) => one[name] === other[name]);
}

/* For those who listen: once, when the input has settled. A repeated text is told again. */
function tell(words) {
  const told = find("announcer");
  told.textContent = told.textContent === words ? `${words}\u00a0` : words;
}

function tell_soon(words) {
  clearTimeout(settled);
  settled = setTimeout(tell, SETTLED, words);
}

/* Which chats are served: the lesson's, or those of a log. */
function use_log(next) {
  if (log === next) return;
  log = next;
  sweep_drawn = null;
  if (log) return;
  stop_read();
  find("file").value = "";
  find("log_says").textContent = "";
}

function follow_address() {
  const asked = from_address();
  if (asked) {
    use_log(null);
    settings = asked;
  }
  set_controls();
  redraw();
}

async function read_log(file) {
  stop_read();
  find("reading").hidden = false;
  find("log_says").textContent = "";
  let current = true;
  stop_read = () => (current = false);
  const text = await file.text();
  if (!current) return;
  stop_read = in_slices(parse_log(text), set_read, (read) => open_log(file.name, read));
}

function set_read(part) {
  find("read").value = part;
}

function open_log(name, read) {
  find("reading").hidden = true;
  find("log_says").innerHTML = log_view({ name, ...read });
  tell(find("log_says").textContent);
  if (!read.workload) return;
  const next = { name, ...read, ranges: log_ranges(read), sweeps: new Map() };
  const { rate, pages, limit } = next.ranges;
  const within = (value, { min, max }) => Math.min(Math.max(value, min), max);
  next.first = {
    rate: within(read.rate, rate),
    pages: within(DATA.log.pages, pages),
    limit: within(DATA.log.limit, limit),
    order: 0,
  };
  if (!log) history.pushState(null, "", location.href); // Back leads to the lesson's chats
  use_log(next);
  settings = next.first;
  set_controls();
  redraw();
}

function leave_log() {
  use_log(null);
  settings = from_address() ?? DATA.first;
  set_controls();
  redraw();
  find("rate").focus(); // the button that was pressed is gone
}

/* What the reader can do. */
for (const name of SLIDERS) {
  const [box, slider] = [find(name), find(`${name}_slider`)];
  let held = false; // a key that is held down moves the slider on and on: that is one change
  slider.addEventListener("input", () => take_slider(name) && redraw());
  slider.addEventListener("keydown", (event) => (held = event.repeat));
  slider.addEventListener("change", () => held || commit());
  const release = () => {
    if (held) commit("replaceState");
    held = false;
  };
  for (const kind of ["keyup", "blur", "pointerdown"]) slider.addEventListener(kind, release);
  box.addEventListener("input", () => (take_box(name) ? redraw() : tell_soon(allowed(name))));
  box.addEventListener("change", () => take_box(name) && commit());
}
find("order").addEventListener("change", () => {
  settings = { ...settings, order: Number(find("order").value) };
  redraw();
  commit();
});
find("reset").addEventListener("click", () => {
  settings = log ? log.first : DATA.first;
  set_controls();
  redraw();
  commit();
});
find("copy").addEventListener("click", async () => {
  find("copied").textContent = await copy_link();
  tell(find("copied").textContent);
});
find("controls").addEventListener("submit", (event) => event.preventDefault());
for (const button of document.querySelectorAll(".leave")) button.onclick = leave_log;
for (const table of document.querySelectorAll("details.data")) {
  const name = table.querySelector("[data-view]").dataset.view;
  table.addEventListener("toggle", () => shown && fill_table(name));
}

/* A file that is dropped beside the place for it would replace the page. */
for (const kind of ["dragover", "drop"]) {
  window.addEventListener(kind, (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
}
find("file").addEventListener("change", () => {
  if (find("file").files.length) read_log(find("file").files[0]);
});
const drop = find("drop");
drop.addEventListener("dragover", () => drop.classList.add("over"));
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  drop.classList.remove("over");
  if (event.dataTransfer.files.length) read_log(event.dataTransfer.files[0]);
});

/* The address is followed always. The controls are set last, for a browser may restore them. */
addEventListener("popstate", follow_address);
addEventListener("hashchange", follow_address);
addEventListener("pageshow", () => (log ? set_controls() : follow_address()));
find("controls").hidden = false;
find("own_log").hidden = false;
settings = DATA.first;
follow_address();
