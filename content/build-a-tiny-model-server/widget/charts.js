/* Charts as SVG text. A plot is as wide as its place: what has a shape is stretched sideways with
   strokes that keep their width, what is read keeps its size. Heights and places of words are in
   em, so that they follow the reader's size of text. */
"use strict";

const COLUMNS = 600; // of a stretched drawing: a busy moment is drawn as its span, not step by step
const LINE = 1.7; // em from line to line of text

function escape_html(text) {
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return String(text).replace(/[&<>"']/g, (sign) => names[sign]);
}

/* A coordinate: short, and the same in every browser. */
function at(value) {
  return String(Math.round(value * 100) / 100);
}

/* The smallest of the round numbers that cuts `span` into at most `count` parts. */
function round_step(span, count, rounds) {
  let power = 1;
  while (power * count >= span) power /= 10;
  while (power * 10 * count < span) power *= 10;
  return rounds.map((round) => power * round).find((step) => step * count >= span);
}

/* A scale from nothing to `most`, with the values to write beside it. */
function scale(most, { parts = 5, whole = false } = {}) {
  const step = Math.max(round_step(most, parts, [1, 2, 5, 10]), whole ? 1 : 0);
  let digits = 0;
  while (10 ** digits * step < 0.999) digits += 1;
  const ticks = range(Math.floor(most / step + 1e-9) + 1).map((tick) => tick * step);
  return { most, ticks, write: (tick) => format_number(tick, digits) };
}

/* A value that changes from step to step, as a line of COLUMNS: each shows its whole span. */
function stepped(steps, end, most, value) {
  const height = (amount) => at(100 - (100 * amount) / most);
  let [path, column, low, high, last] = ["M0 100", 0, Infinity, -Infinity, 0];
  const close = () => {
    if (low === Infinity) return;
    const turns = high > low ? `V${height(high)}V${height(low)}` : "";
    path += `H${column}${turns}V${height(last)}`;
  };
  for (const step of steps) {
    const next = Math.floor((COLUMNS * step.start) / end);
    if (next > column) {
      close();
      [column, low, high] = [next, Infinity, -Infinity];
    }
    last = value(step);
    low = Math.min(low, last);
    high = Math.max(high, last);
  }
  close();
  return `${path}H${COLUMNS}`;
}

/* When something was the case, as bars of whole columns. */
function spans(steps, end, is_so) {
  let [path, from, until] = ["", 0, -1];
  const close = () => {
    if (until > from) path += `M${from} 0H${until}V100H${from}Z`;
  };
  for (const step of steps) {
    if (!is_so(step)) continue;
    const first = Math.floor((COLUMNS * step.start) / end);
    const after = Math.max(first + 1, Math.ceil((COLUMNS * (step.start + step.seconds)) / end));
    if (first > until) {
      close();
      from = first;
    }
    until = Math.max(until, after);
  }
  close();
  return path;
}

/* A chart: panels under each other on one axis. A panel is {title, height, y, inside, over}: y is a
   scale or lanes (from top to bottom), inside is drawn stretched, over(place, top) is not. */
function plot(name, panels, x, x_title, description, across) {
  let [top, parts] = [0, ""];
  for (const panel of panels) {
    const body = top + LINE;
    const place = (value) => at(body + panel.height * (1 - value / panel.y.most));
    parts += `<text y="${at(top + 1)}em" class="title halo">${panel.title}</text>`;
    parts += panel.y.lanes ? lanes(panel, body) : grid(panel.y, place);
    parts += stretched(body, panel.height, panel.inside);
    if (panel.over) parts += panel.over(place, body);
    top = body + panel.height + LINE / 2;
  }
  const bottom = top - LINE / 2;
  for (const tick of x.ticks) {
    const percent = at((100 * tick) / x.most);
    parts += `<line x1="${percent}%" x2="${percent}%" y1="${at(bottom)}em"
      y2="${at(bottom + 0.4)}em" stroke="var(--muted)"/><text x="${percent}%"
      y="${at(bottom + 1.5)}em" text-anchor="middle">${x.write(tick)}</text>`;
  }
  parts += `<line x2="100%" y1="${at(bottom)}em" y2="${at(bottom)}em" stroke="var(--muted)"/>
    <text x="100%" y="${at(bottom + 3)}em" text-anchor="end">${x_title}</text>`;
  return `<svg class="plot" role="img" aria-labelledby="${name}_title"
    aria-describedby="${name}_desc" width="100%" height="${at(bottom + 3.4)}em">
    <desc id="${name}_desc">${description}</desc>${across(LINE, bottom)}${parts}</svg>`;
}

function grid(y, place) {
  return y.ticks
    .map(
      (tick) => `<line x2="100%" y1="${place(tick)}em" y2="${place(tick)}em"
        stroke="var(--rule)"/><text x="-0.6em" y="${place(tick)}em" dy="0.33em"
        text-anchor="end">${y.write(tick)}</text>`,
    )
    .join("");
}

/* Lanes have their names where a scale has its values. */
function lanes(panel, body) {
  const height = panel.height / panel.y.lanes.length;
  return panel.y.lanes
    .map((lane, place) => {
      const [top, middle] = [at(body + place * height), at(body + (place + 0.5) * height)];
      return `<line x2="100%" y1="${top}em" y2="${top}em" stroke="var(--rule)"/>
        <text x="-0.6em" y="${middle}em" dy="0.33em" text-anchor="end">${lane.name}</text>
        ${stretched(body + (place + 0.2) * height, 0.6 * height, lane.inside)}`;
    })
    .join("");
}

function stretched(top, height, inside) {
  return `<svg y="${at(top)}em" width="100%" height="${at(height)}em" overflow="visible"
    viewBox="0 0 ${COLUMNS} 100" preserveAspectRatio="none">${inside}</svg>`;
}

function line(path, look) {
  return `<path d="${path}" fill="none" vector-effect="non-scaling-stroke" ${look}/>`;
}

function sample(look, y = 6) {
  return line(`M0 ${y}H26`, look);
}

/* An upright line through all panels. */
function upright(percent, top, bottom, role) {
  return `<line x1="${at(percent)}%" x2="${at(percent)}%" y1="${at(top)}em" y2="${at(bottom)}em"
    stroke="var(--${role})" stroke-width="1.5"/>`;
}

/* Words beside an upright line, on the side that has more room. */
function beside(percent, y, words) {
  const [gap, anchor] = percent > 50 ? ["-0.5em", "end"] : ["0.5em", "start"];
  return `<text x="${at(percent)}%" y="${y}em" dx="${gap}" text-anchor="${anchor}" class="halo"
    >${words}</text>`;
}

/* A sample of a line, an area or a mark, and what it stands for. */
function key(entries) {
  const items = entries.map(
    ([sample, words]) => `<li><svg width="26" height="12" viewBox="0 0 26 12"
      aria-hidden="true">${sample}</svg>${words}</li>`,
  );
  return `<ul class="key">${items.join("")}</ul>`;
}

/* Each wall has a mark of its own shape. */
const MARKS = {
  none: `<circle r="3.5" fill="var(--paper)" stroke="var(--muted)" stroke-width="1.5"/>`,
  cache: `<circle r="4.5" fill="var(--first)"/>`,
  batch: `<rect x="-4" y="-4" width="8" height="8" fill="var(--second)"/>`,
  both: `<path d="M0 -6 6 0 0 6 -6 0Z" fill="var(--third)"/>`,
};

function mark(wall, percent, y) {
  return `<svg x="${at(percent)}%" y="${y}em" overflow="visible">${MARKS[wall]}</svg>`;
}

function key_mark(wall) {
  return `<g transform="translate(13 6)">${MARKS[wall]}</g>`;
}
