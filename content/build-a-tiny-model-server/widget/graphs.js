/* The page's charts of a run: over time, and its waits against all rates. No line is told by its
   colour alone. */
"use strict";

const LOOKS = {
  held: `stroke="var(--first)" stroke-width="1"`,
  promised: `stroke="var(--first)" stroke-width="2"`,
  ceiling: `stroke="var(--ink)" stroke-width="1.5" stroke-dasharray="6 4"`,
  queue: `stroke="var(--second)" stroke-width="2"`,
  ttft_p99: `stroke="var(--muted)" stroke-width="1.5"`,
  tbt_p99: `stroke="var(--second)" stroke-width="2"`,
};

/* The run over time. */
function over_time_view(shown) {
  const { settings, metrics, run } = shown;
  const [steps, end] = [run[2], run_end(run[2])];
  const full = metrics.cache_full_at;
  const full_percent = full === null ? null : (100 * full) / end;
  const pages = scale(settings.pages * 1.08, { whole: true });
  const queue = scale(Math.max(metrics.queue_max, LONG_QUEUE) * 1.3, { whole: true });
  const first_block = full === null ? "cache never full" : `cache full at ${in_seconds(full)}`;
  const ceiling = at(100 - 100 / 1.08);
  const held = stepped(steps, end, pages.most, (step) => step.held);
  const promised = stepped(steps, end, pages.most, (step) => step.held + step.owed);
  const waiting = stepped(steps, end, queue.most, (step) => step.queue);
  const lane = (name, wall, role) => {
    const path = spans(steps, end, (step) => step.blocked.includes(wall));
    return { name, inside: `<path d="${path}" fill="var(--${role})"/>` };
  };
  const panels = [
    {
      title: "pages of the cache", height: 11, y: pages,
      inside: `<path d="${held}V100H0Z" fill="var(--first)" fill-opacity="0.2"/>
        ${line(held, LOOKS.held)}${line(promised, LOOKS.promised)}
        ${line(`M0 ${ceiling}H${COLUMNS}`, LOOKS.ceiling)}`,
    },
    {
      title: "chats in the queue", height: 7, y: queue,
      inside: line(waiting, LOOKS.queue),
      over: (place, top) => (full === null ? "" : beside(full_percent, top + 0.9, first_block)),
    },
    {
      title: "steps that kept the first in line out", height: 3,
      y: { lanes: [lane("cache", "cache", "first"), lane("batch", "batch", "second")] },
    },
  ];
  const description = `A run of ${in_seconds(end)}. Of ${counted(settings.pages, "page")}, at most
    ${count(metrics.pages_max)} are held. The queue grows to ${counted(metrics.queue_max, "chat")}.
    Wall: ${WALLS[shown.wall]}; ${first_block}.`;
  const across = (top, bottom) =>
    full === null ? "" : upright(full_percent, top, bottom, "muted");
  const area = `<path d="M0 2H26V12H0Z" fill="var(--first)" fill-opacity="0.2"/>`;
  const entries = [
    [area + sample(LOOKS.held, 2), "held"],
    [sample(LOOKS.promised), "promised: held, and owed"],
    [sample(LOOKS.ceiling), `all ${counted(settings.pages, "page")}`],
    [sample(LOOKS.queue), "queue"],
  ];
  const x = scale(end, { parts: 8 });
  const x_title = "seconds since the first chat was sent";
  return key(entries) + plot("over_time", panels, x, x_title, description, across);
}

function run_end(steps) {
  return steps.at(-1).start + steps.at(-1).seconds;
}

/* All rates at these settings: the wait for the first token, with each rate's wall, and the gap. */
function against_rate_view(shown) {
  if (!shown.sweep) return `<p class="note">The server is running at the other rates.</p>`;
  const points = with_own(shown);
  const x = scale(points.at(-1).rate, { parts: 8 });
  const place_of = (point) => (100 * point.rate) / x.most;
  const walls = Object.keys(WALLS).filter((wall) => points.some((point) => point.wall === wall));
  const marks = (place) =>
    points.map((point) => mark(point.wall, place_of(point), place(point.ttft_p99))).join("");
  const panels = [
    {
      ...wait_panel(shown, points, place_of, "ttft_p99", 1, in_seconds, marks),
      title: "wait for the first token, TTFT p99, in seconds",
    },
    {
      ...wait_panel(shown, points, place_of, "tbt_p99", 1000, in_milliseconds, () => ""),
      title: "gap between tokens, TBT p99, in milliseconds",
    },
  ];
  const across = (top, bottom) => upright(place_of(shown.settings), top, bottom, "ink");
  const entries = walls.map((wall) => [key_mark(wall), `wall: ${WALLS[wall]}`]);
  const description = rates_in_words(points, shown);
  const x_title = `chats a second (set: ${trimmed(shown.settings.rate)})`;
  return key(entries) + plot("against_rate", panels, x, x_title, description, across);
}

/* One of the waits at all rates; the rate that is set has a ring. A second has `unit` units. */
function wait_panel({ settings, metrics }, points, place_of, name, unit, said, marks) {
  const known = points.filter((point) => point[name] !== null);
  const most = known.length ? largest(known.map((point) => point[name])) : 1;
  const y = scale(most * unit * 1.2);
  const spot = (point) =>
    `${at((COLUMNS * place_of(point)) / 100)} ${at(100 - (100 * point[name] * unit) / y.most)}`;
  const [percent, own] = [place_of(settings), metrics[name]];
  const ring = (place) => `<circle cx="${at(percent)}%" cy="${place(own * unit)}em" r="7"
    fill="none" stroke="var(--ink)" stroke-width="2"/>`;
  return {
    height: 9,
    y,
    inside: known.length ? line(`M${known.map(spot).join("L")}`, LOOKS[name]) : "",
    over: (place, top) =>
      marks(place) + (own === null ? "" : ring(place)) + beside(percent, top + 0.9, said(own)),
  };
}

function rates_in_words(points, { settings, metrics }) {
  const told = (point) => `${in_seconds(point.ttft_p99)} at ${SAID.rate(point.rate)}`;
  const wall = points.find((point) => point.wall !== "none");
  const knee = wall
    ? `The first wall, ${WALLS[wall.wall]}, stands at ${SAID.rate(wall.rate)}.`
    : "There is no wall at any of these rates.";
  return `TTFT p99 goes from ${told(points[0])} to ${told(points.at(-1))}. ${knee} The rate that is
    set is ${SAID.rate(settings.rate)}: TTFT p99 is ${in_seconds(metrics.ttft_p99)} and TBT p99
    ${in_milliseconds(metrics.tbt_p99)}.`;
}
