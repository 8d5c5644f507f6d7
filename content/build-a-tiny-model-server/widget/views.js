/* What the page shows of a run, as HTML text. Each view is a function of `shown` alone: the build
   writes the first page with the same functions that redraw it under the reader's hands. */
"use strict";

const WALLS = { none: "none", cache: "cache", batch: "batch", both: "cache and batch" };
const TABLE_ROWS = 120; // a longer table is thinned
const MOST_RATES = 25; // of the chart of all rates
const SHOWN_PROBLEMS = 20;

/* Running the server. A generator yields how much is done, so that the page can serve a long log in
   slices; the lesson's chats are served in one go. */
function* show_steps(settings, log) {
  const workload = log ? log.workload : in_order(settings.order);
  const { rate, pages, limit } = settings;
  const serving = serve_steps(workload, rate, pages, limit);
  let [admitted, trip] = [0, serving.next()];
  while (!trip.done) {
    admitted += trip.value.at(-1).joined;
    yield admitted / workload.prompts.length;
    trip = serving.next();
  }
  const metrics = report(workload, rate, trip.value);
  const wall = bottleneck(metrics);
  const words = sentence(metrics, workload.prompts.length);
  return { settings, workload, run: trip.value, metrics, wall, sentence: words, sweep: null, log };
}

function* sweep_steps(settings, rates, log) {
  const sweep = [];
  for (const rate of rates) {
    const serving = show_steps({ ...settings, rate }, log);
    let trip = serving.next();
    while (!trip.done) {
      yield (sweep.length + trip.value) / rates.length;
      trip = serving.next();
    }
    const { ttft_p99, tbt_p99 } = trip.value.metrics;
    sweep.push({ rate, ttft_p99, tbt_p99, wall: trip.value.wall });
  }
  return sweep;
}

function finished(work) {
  let trip = work.next();
  while (!trip.done) trip = work.next();
  return trip.value;
}

function show(settings) {
  return finished(show_steps(settings, null));
}

function sweep_of(settings, rates) {
  return finished(sweep_steps(settings, rates, null));
}

/* Round rates all over the range. */
function sweep_rates({ min, max }) {
  const step = round_step(max, MOST_RATES, [1, 2, 2.5, 5, 10]);
  const rates = range(Math.floor(max / step + 1e-9)).map((place) => (place + 1) * step);
  return rates.filter((rate) => rate >= min);
}

let first_page = null; // the build asks for it once a view
function first_shown() {
  if (!first_page) {
    const sweep = sweep_of(DATA.first, sweep_rates(DATA.ranges.rate));
    first_page = { ...show(DATA.first), sweep };
  }
  return first_page;
}

/* Numbers with their units. */
function count(value) {
  return format_number(value, 0);
}

function counted(value, thing) {
  return `${count(value)}\u00a0${thing}${value === 1 ? "" : "s"}`;
}

function in_milliseconds(value) {
  return value === null ? "no gaps" : `${format_number(1000 * value, 1)}\u00a0ms`;
}

/* A number with as few decimals as it needs, and no more than tell its size. */
function trimmed(value) {
  let most = 2;
  while (most < 9 && value * 10 ** most < 100) most += 1;
  const is_enough = (digits) => Math.abs(Number(value.toFixed(digits)) - value) < 10 ** -most / 2;
  return format_number(value, range(most).find(is_enough) ?? most);
}

function order_name(order) {
  return order ? `shuffled, number\u00a0${count(order)}` : "as drawn";
}

/* A setting as it is said. */
const SAID = {
  rate: (value) => `${trimmed(value)}\u00a0${value === 1 ? "chat" : "chats"} a second`,
  pages: (value) => counted(value, "page"),
  limit: (value) => `at most ${counted(value, "chat")} a step`,
  order: (value) => `chats ${order_name(value)}`,
};

function memory(pages) {
  const mebibytes = (pages * PAGE_TOKENS * KV_BYTES_PER_TOKEN) / 2 ** 20;
  return mebibytes < 4096
    ? `${count(mebibytes)}\u00a0MiB`
    : `${format_number(mebibytes / 1024, 1)}\u00a0GiB`;
}

/* The result in words and in numbers. */
function sentence_view(shown) {
  const { rate, pages, limit, order } = shown.settings;
  const chats = shown.log ? `chats of ${escape_html(shown.log.name)}` : SAID.order(order);
  const cache = `${SAID.pages(pages)} (${memory(pages)})`;
  const given = [SAID.rate(rate), cache, SAID.limit(limit), chats];
  const words = shown.sentence.replace(/[\d.,]*\d\u00a0s/g, "<strong>$&</strong>");
  return `<p class="says">${words}</p>
    <p class="given">${given.map((part) => `<span>${part}</span>`).join(" · ")}</p>`;
}

function result_view(shown) {
  const { metrics, settings } = shown;
  const numbers = [
    ["first word, p50", "TTFT p50", in_seconds(metrics.ttft_p50)],
    ["first word, p99", "TTFT p99", in_seconds(metrics.ttft_p99)],
    ["gap, p50", "TBT p50", in_milliseconds(metrics.tbt_p50)],
    ["gap, p99", "TBT p99", in_milliseconds(metrics.tbt_p99)],
    ["answered", "chats a second", format_number(metrics.chats_per_second, 1)],
    ["longest queue", "chats", count(metrics.queue_max)],
    ["most pages held", `of ${count(settings.pages)}`, count(metrics.pages_max)],
  ];
  const items = numbers.map(
    ([what, name, value]) => `<div><dt>${what} <small>${name}</small></dt><dd>${value}</dd></div>`,
  );
  return `${wall_view(shown)}<dl class="numbers">${items.join("")}</dl>`;
}

/* The wall, why, and how often each thing kept the head of the queue out. */
function wall_view({ run, metrics, wall }) {
  const titles = {
    none: "No wall",
    cache: "The memory wall: cache",
    batch: "The batch wall: batch limit",
    both: "The memory wall and the batch wall",
  };
  const why = {
    none: `The queue never holds as many as ${counted(LONG_QUEUE, "chat")}. Nobody waits long.`,
    cache: "Chats wait mostly because too few pages of the cache are left to promise.",
    batch: "Chats wait mostly because every place in the step is taken.",
    both: "Chats wait for pages of the cache, and nearly as often for a place in the step.",
  };
  const steps = run[2].length;
  const bar = (name, role, blocked) => `<tr><th scope="row">${name}</th>
    <td><svg class="bar" aria-hidden="true" width="100%" height="0.8em"><rect width="100%"
    height="100%" fill="var(--shade)" stroke="var(--rule)"/><rect height="100%"
    width="${at((100 * blocked) / steps)}%" fill="var(--${role})"/></svg></td>
    <td class="right">${count(blocked)}</td></tr>`;
  return `<div class="wall ${wall}"><p class="wall-name"><svg width="26" height="12"
    viewBox="0 0 26 12" aria-hidden="true">${key_mark(wall)}</svg>${titles[wall]}</p>
    <p>${why[wall]}</p><table class="blocked"><caption>What the first in line lacked, in
    how many of ${counted(steps, "step")}</caption>
    ${bar("pages", "first", metrics.cache_steps)}
    ${bar("a place", "second", metrics.batch_steps)}</table></div>`;
}

/* The tables under the charts. */
function over_time_table(shown) {
  const steps = shown.run[2];
  const every = Math.ceil(steps.length / TABLE_ROWS);
  const rows = steps.flatMap((step, place) => {
    const left = shown.settings.pages - step.held - step.owed;
    const counts = [step.chats, step.joined, step.queue, step.held, step.owed, left].map(count);
    const blocked = step.blocked.join(" and ");
    const times = [in_seconds(step.start), in_milliseconds(step.seconds)];
    return place % every ? [] : [[count(place + 1), ...times, ...counts, blocked]];
  });
  const thinned = every > 1 ? `Each row is the first of ${count(every)} steps.` : "";
  const heads = "step, start, took, chats, new, queue, held, owed, left, blocked by".split(", ");
  const caption = `The ${counted(steps.length, "step")} of the run. ${thinned}`;
  return table("Table of the run", caption, heads, rows);
}

/* All rates at these settings. The rate that is set is drawn from its own run. */
function with_own(shown) {
  const { ttft_p99, tbt_p99 } = shown.metrics;
  const own = { rate: shown.settings.rate, ttft_p99, tbt_p99, wall: shown.wall };
  const others = shown.sweep.filter((point) => point.rate !== own.rate);
  return [...others, own].sort((one, other) => one.rate - other.rate);
}

function against_rate_table(shown) {
  if (!shown.sweep) return "";
  const rows = with_own(shown).map((point) => [
    trimmed(point.rate), in_seconds(point.ttft_p99), in_milliseconds(point.tbt_p99),
    WALLS[point.wall],
  ]);
  const { pages, limit } = shown.settings;
  const caption = `The waits at each rate, with ${SAID.pages(pages)} and ${SAID.limit(limit)}.`;
  const heads = ["chats a second", "TTFT p99", "TBT p99", "wall"];
  return table("Table of all rates", caption, heads, rows);
}

function table(label, caption, heads, rows) {
  const is_number = (text) => /\d/.test(text);
  const cell = (text, place, kind) =>
    `<${kind}${is_number(rows[0][place]) ? ' class="right"' : ""}>${text}</${kind.slice(0, 2)}>`;
  const row = (cells) => `<tr>${cells.map((text, place) => cell(text, place, "td")).join("")}</tr>`;
  const head = heads.map((text, place) => cell(text, place, 'th scope="col"')).join("");
  return `<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table><caption>${caption}</caption><thead><tr>${head}</tr></thead>
    <tbody>${rows.map(row).join("")}</tbody></table></div>`;
}

/* What was read of a log, and what was not. */
function log_view({ name, rows, problems, workload }) {
  const told = problems.slice(0, SHOWN_PROBLEMS).map(
    ({ line, why }) => `<li>line ${count(line)}: ${escape_html(why)}</li>`,
  );
  const more = problems.length - told.length;
  if (more > 0) told.push(`<li>and ${counted(more, "more line")}</li>`);
  const read = workload
    ? `${counted(rows, "row")} read. <a href="#content">Result and charts</a> show them now.`
    : "Nothing could be used of it, so the chats stay as they were.";
  const wrong = `<p>Not used: ${counted(problems.length, "line")}.</p><ul>${told.join("")}</ul>`;
  return `<p><strong>${escape_html(name)}</strong>: ${read}</p>${problems.length ? wrong : ""}`;
}

const VIEWS = {
  sentence: sentence_view,
  result: result_view,
  over_time: over_time_view,
  over_time_table,
  against_rate: against_rate_view,
  against_rate_table,
  kitchen: (shown) => kitchen_html(shown),
};
