/* The settings: what they may be, the controls that show them, and the address that holds them.
   Nothing here runs before page.js calls it. */
"use strict";

const NAMES = ["rate", "pages", "limit", "order"];
const SLIDERS = ["rate", "pages", "limit"];

let settings = null;
let log = null; // the reader's own, or the lesson's chats are served

function find(id) {
  return document.getElementById(id);
}

function ranges() {
  return log ? log.ranges : DATA.ranges;
}

/* What may be tried on a log: caches that its largest chat fits into, rates about its own. */
function log_ranges({ rate, workload }) {
  const { prompts, replies } = workload;
  const need = largest(prompts.map((prompt, chat) => pages_for(prompt + replies[chat])));
  const [slow, fast] = [rate / 10, rate * 10].map((value) => Number(typed(value)));
  return {
    rate: { min: slow, max: fast, step: slow },
    pages: { min: need, max: Math.max(need, DATA.log.most_pages), step: 1 },
    limit: { min: 1, max: DATA.log.most_limit, step: 1 },
    order: { min: 0, max: 0, step: 1 },
  };
}

/* The value that a text stands for, or null if it is none that the setting may have. */
function value_of(name, text) {
  const { min, max } = ranges()[name];
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : NaN;
  const fits = name === "rate" || Number.isInteger(value);
  return fits && min <= value && value <= max ? value : null;
}

function allowed(name) {
  const { min, max } = ranges()[name];
  const kind = name === "rate" ? "a number" : "a whole number";
  return `Please give ${kind} from ${trimmed(min)} to ${trimmed(max)}.`;
}

/* A number as it is typed: without commas. */
function typed(value) {
  return trimmed(value).replaceAll(",", "");
}

/* Controls show the settings. */
function set_controls() {
  for (const name of SLIDERS) {
    const { min, max, step } = ranges()[name];
    Object.assign(find(`${name}_slider`), { min, max, step });
    Object.assign(find(name), { min, max });
    set_box(name);
    set_slider(name);
    set_wrong(name, "");
  }
  const { min, max } = ranges().order;
  const orders = range(max - min + 1).map((place) => min + place);
  const option = (order) => `<option value="${order}">${order_name(order)}</option>`;
  find("order").innerHTML = orders.map(option).join("");
  find("order").value = settings.order;
  find("order").disabled = Boolean(log);
  find("copy").disabled = Boolean(log); // a link cannot hold the log
  for (const button of document.querySelectorAll(".leave")) button.hidden = !log;
}

function set_box(name) {
  find(name).value = typed(settings[name]);
}

function set_slider(name) {
  const slider = find(`${name}_slider`);
  slider.value = settings[name];
  slider.setAttribute("aria-valuetext", SAID[name](settings[name]));
  const done = (slider.value - slider.min) / (slider.max - slider.min);
  slider.style.setProperty("--done", `${100 * done}%`);
}

function set_wrong(name, words) {
  const [box, message] = [find(name), find(`${name}_wrong`)];
  message.textContent = words;
  message.hidden = !words;
  if (words) {
    box.setAttribute("aria-invalid", "true");
    box.setAttribute("aria-describedby", message.id);
  } else {
    box.removeAttribute("aria-invalid");
    box.removeAttribute("aria-describedby");
  }
}

/* The reader moves a control: true if that gives a setting. */
function take_slider(name) {
  settings = { ...settings, [name]: Number(find(`${name}_slider`).value) };
  set_box(name);
  set_slider(name);
  set_wrong(name, "");
  return true;
}

function take_box(name) {
  const value = value_of(name, find(name).value);
  set_wrong(name, value === null ? allowed(name) : "");
  if (value === null) return false;
  settings = { ...settings, [name]: value };
  set_slider(name);
  return true;
}

/* The address holds what differs from the first settings, after "#". */
function fragment() {
  const moved = NAMES.filter((name) => settings[name] !== DATA.first[name]);
  return moved.length ? `#${moved.map((name) => `${name}=${settings[name]}`).join("&")}` : "";
}

function address() {
  const url = new URL(location.href);
  url.hash = fragment();
  return url.href;
}

/* Back brings the settings before. A log is in no address, so its settings are not either. */
function commit(how = "pushState") {
  if (!log && fragment() !== location.hash) history[how](null, "", address());
}

/* The settings that the address asks for. Without "=" it names a place in the page: null. */
function from_address() {
  const text = location.hash.slice(1);
  if (text && !text.includes("=")) return null;
  const asked = new URLSearchParams(text);
  const value = (name) => value_of(name, asked.get(name) ?? "") ?? DATA.first[name];
  return Object.fromEntries(NAMES.map((name) => [name, value(name)]));
}

async function copy_link() {
  const field = find("link");
  field.value = address();
  try {
    await navigator.clipboard.writeText(field.value);
    find("link_row").hidden = true;
    return "The link is copied.";
  } catch {
    find("link_row").hidden = false;
    field.focus();
    field.select();
    return "The link could not be copied. It is selected, so you can copy it yourself.";
  }
}
