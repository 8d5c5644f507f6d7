/* tiny_server.py once more, for the browser: the same names in the same order. The build runs both
   and publishes nothing unless they agree to the last bit, so this file uses only arithmetic that
   is the same everywhere: + - * / and comparisons. Chats and their orders come from Python (DATA). */
"use strict";

/* From lesson 24: how long a step takes. */
const PARAMETERS = 8.03e9;
const BYTES_PER_WEIGHT = 2;
const WEIGHT_BYTES = PARAMETERS * BYTES_PER_WEIGHT;
const [LAYERS, KV_HEADS, HEAD_SIZE] = [32, 8, 128];
const KV_BYTES_PER_TOKEN = 2 * LAYERS * KV_HEADS * HEAD_SIZE * BYTES_PER_WEIGHT;
const BANDWIDTH = 2.039e12;
const FLOPS = 312e12;

function step_seconds(contexts, new_prompt_tokens) {
  const memory = (WEIGHT_BYTES + KV_BYTES_PER_TOKEN * sum(contexts)) / BANDWIDTH;
  const compute = (2 * PARAMETERS * (contexts.length + new_prompt_tokens)) / FLOPS;
  return Math.max(memory, compute);
}

/* From lesson 27: whom to serve, and when. */
function send_times(gaps, rate) {
  let total = 0;
  return gaps.map((gap, chat) => (total += chat ? gaps[chat - 1] : 0) / rate);
}

function percentile(values, percent) {
  const ranked = Float64Array.from(values).sort(); // a typed array sorts numbers as numbers
  return ranked[Math.ceil((percent * values.length) / 100) - 1];
}

/* The same of values that are counted; null of none. */
function counted_percentile(counts, percent) {
  let rank = Math.ceil((percent * sum([...counts.values()])) / 100);
  const ranked = rank ? Float64Array.from(counts.keys()).sort() : [];
  return ranked.find((value) => (rank -= counts.get(value)) <= 0) ?? null;
}

/* The server. */
const PAGE_TOKENS = 16;
const LESSON_CHATS = 400;
const LONG_QUEUE = 4;

function pages_for(tokens) {
  return Math.ceil(tokens / PAGE_TOKENS);
}

class Pages {
  constructor(pages) {
    this.free = new Deque(range(pages));
    this.tables = new Map();
    this.used = 0;
  }

  grow(chat, tokens) {
    if (!this.tables.has(chat)) this.tables.set(chat, []);
    const table = this.tables.get(chat);
    while (table.length < pages_for(tokens)) {
      table.push(this.free.popleft());
      this.used += 1;
    }
  }

  release(chat) {
    this.used -= this.tables.get(chat).length;
    for (const page of this.tables.get(chat)) this.free.append(page);
    this.tables.delete(chat);
  }
}

/* The loop of `serve`, which stops after each step: a long run can be served in slices. */
function* serve_steps(workload, rate, pages, limit) {
  const { prompts, replies } = workload;
  const needs = prompts.map((prompt, chat) => pages_for(prompt + replies[chat]));
  if (!(0 < rate && rate < Infinity && pages > 0 && limit > 0))
    throw new RangeError(`rate ${rate}, pages ${pages} and limit ${limit} must all be positive`);
  if (!prompts.every((tokens) => tokens > 0) || !replies.every((tokens) => tokens > 0))
    throw new RangeError("every prompt and every reply needs at least one token");
  if (largest(needs) > pages)
    throw new RangeError(`a chat needs ${largest(needs)} pages, and the cache has ${pages}`);
  const sends = send_times(workload.gaps, rate);
  const [coming, queue] = [new Deque(range(sends.length)), new Deque([])];
  const cache = new Pages(pages);
  let promised = 0;
  const running = new Map(); // chat -> tokens of its reply so far
  const [first, last, steps] = [sends.map(() => 0), sends.map(() => 0), []];
  let clock = 0;
  while (coming.length || queue.length || running.size) {
    // Load generator and queue: chats whose send time has come line up.
    if (!queue.length && !running.size) clock = Math.max(clock, sends[coming.head]);
    while (coming.length && sends[coming.head] <= clock) queue.append(coming.popleft());

    // Admit: only the head of the queue, and only if a place and all its pages can be promised.
    const contexts = [];
    for (const [chat, made] of running) contexts.push(prompts[chat] + made);
    const joined = [];
    let blocked = [];
    while (queue.length && !blocked.length) {
      const no_pages = promised + needs[queue.head] > pages;
      const no_place = running.size >= limit;
      blocked = [...(no_pages ? ["cache"] : []), ...(no_place ? ["batch"] : [])];
      if (!blocked.length) {
        const chat = queue.popleft();
        joined.push(chat);
        running.set(chat, 0);
        promised += needs[chat];
        cache.grow(chat, prompts[chat]);
      }
    }

    // Batcher: one step for every admitted chat, and the clock moves on.
    const seconds = step_seconds(contexts, sum(joined.map((chat) => prompts[chat])));
    const [start, stepped] = [clock, running.size];
    clock += seconds;

    // Cache: each chat has a token more. It takes a page when its last is full, or it is done.
    for (const [chat, made] of running) {
      running.set(chat, made + 1);
      if (made + 1 === 1) first[chat] = clock;
      if (made + 1 < replies[chat]) {
        cache.grow(chat, prompts[chat] + made + 1);
      } else {
        last[chat] = clock;
        promised -= needs[chat];
        cache.release(chat);
        running.delete(chat);
      }
    }

    // Metrics: one line on the clipboard.
    const [held, owed] = [cache.used, promised - cache.used];
    steps.push({
      start, seconds, chats: stepped, joined: joined.length, queue: queue.length, held, owed, blocked,
    });
    yield steps;
  }
  return [first, last, steps];
}

function serve(workload, rate, pages, limit) {
  const serving = serve_steps(workload, rate, pages, limit);
  let trip = serving.next();
  while (!trip.done) trip = serving.next();
  return trip.value;
}

function report(workload, rate, run) {
  const [first, last, steps] = run;
  const sends = send_times(workload.gaps, rate);
  const waits = first.map((token, chat) => token - sends[chat]);
  const gaps = new Map(); // a long log has millions of them: gap -> how many
  for (const step of steps)
    gaps.set(step.seconds, (gaps.get(step.seconds) ?? 0) + step.chats - step.joined);
  const cache_full = steps.filter((step) => step.blocked.includes("cache"));
  return {
    ttft_p50: percentile(waits, 50),
    ttft_p99: percentile(waits, 99),
    tbt_p50: counted_percentile(gaps, 50),
    tbt_p99: counted_percentile(gaps, 99),
    queue_max: largest(steps.map((step) => step.queue)),
    pages_max: largest(steps.map((step) => step.held)),
    cache_steps: cache_full.length,
    batch_steps: steps.filter((step) => step.blocked.includes("batch")).length,
    cache_full_at: cache_full.length ? cache_full[0].start : null,
    chats_per_second: last.length / largest(last),
  };
}

function bottleneck(metrics) {
  if (metrics.queue_max < LONG_QUEUE) return "none";
  const [cache, batch] = [metrics.cache_steps, metrics.batch_steps];
  if (2 * Math.min(cache, batch) >= Math.max(cache, batch)) return "both";
  return cache > batch ? "cache" : "batch";
}

/* From grid.py and chats.py: the same chats in another order; the gaps between sends stay. */
function in_order(order) {
  const { gaps, prompts, replies } = DATA.chats;
  const places = order ? DATA.orders[order - 1] : range(LESSON_CHATS);
  return {
    gaps: gaps.slice(0, LESSON_CHATS),
    prompts: places.map((place) => prompts[place]),
    replies: places.map((place) => replies[place]),
  };
}

/* From widget.py: numbers and sentences as Python prints them. */
function format_number(value, digits) {
  let text = Math.abs(value).toFixed(digits);
  const half = Math.abs(value).toFixed(digits + 1); // exact, if the value is just between two
  if (Number.isInteger(value * 2 ** (digits + 1)) && half.endsWith("5")) {
    const below = half.slice(0, digits ? -1 : -2); // Python takes the even one, toFixed the larger
    if ("02468".includes(below.at(-1))) text = below;
  }
  const [whole, decimals] = text.split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  const sign = value < 0 && /[1-9]/.test(text) ? "-" : "";
  return sign + grouped + (decimals ? `.${decimals}` : "");
}

function in_seconds(value) {
  return `${format_number(value, value < DATA.short ? 3 : 2)}\u00a0s`;
}

function sentence(metrics, chats) {
  const { texts } = DATA;
  const cause =
    metrics.cache_full_at !== null ? texts.cache : metrics.batch_steps ? texts.batch : texts.nothing;
  const at = metrics.cache_full_at === null ? "" : in_seconds(metrics.cache_full_at);
  return `${cause} ${chats >= DATA.many ? texts.wait : texts.few}`.replace("{at}", at).replace("{p99}", in_seconds(metrics.ttft_p99));
}

/* What is compared with Python: widget.py has functions of these names. */
function constants() {
  return {
    PARAMETERS, BYTES_PER_WEIGHT, WEIGHT_BYTES, LAYERS, KV_HEADS, HEAD_SIZE, KV_BYTES_PER_TOKEN,
    BANDWIDTH, FLOPS, PAGE_TOKENS, LESSON_CHATS, LONG_QUEUE,
  };
}

function steps(rate, pages, limit, order) {
  const [first, last, steps] = serve(in_order(order), rate, pages, limit);
  return { steps, first, last };
}

function summary(rate, pages, limit, order) {
  const workload = in_order(order);
  const metrics = report(workload, rate, serve(workload, rate, pages, limit));
  return { ...metrics, wall: bottleneck(metrics), sentence: sentence(metrics, LESSON_CHATS) };
}

/* What Python has and JavaScript has not. */
class Deque {
  constructor(items) {
    this.items = items;
    this.start = 0;
  }

  get length() {
    return this.items.length - this.start;
  }

  get head() {
    return this.items[this.start];
  }

  append(item) {
    this.items.push(item);
  }

  popleft() {
    const item = this.items[this.start++];
    if (this.start > 1024 && 2 * this.start > this.items.length) {
      this.items = this.items.slice(this.start);
      this.start = 0;
    }
    return item;
  }
}

function range(count) {
  return Array.from({ length: count }, (_, index) => index);
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

function largest(values) {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}
