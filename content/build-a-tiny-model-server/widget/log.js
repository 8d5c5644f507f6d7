/* A log of real requests, read into chats for the server. Columns are found by their names; a row
   that cannot be used is left out, and told with its line number and what is wrong with it. */
"use strict";

const LOG_COLUMNS = [
  ["the time of arrival", "timestamp, arrival_time, arrived_at, arrival, time"],
  ["prompt tokens", "ContextTokens, Request tokens, prompt_tokens, input_tokens, prompt"],
  ["reply tokens", "GeneratedTokens, Response tokens, reply_tokens, output_tokens, reply"],
];
const LINES_A_SLICE = 500;
const FEWEST_ROWS = 2; // the rate is the number of gaps between rows, by the time they take
const MOST_TOKENS = 1e6;
const [LONGEST_QUOTE, MOST_NAMES] = [30, 12]; // characters of a value, columns of a header
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const DATE = /^(\d{4}-\d\d-\d\d)[ T]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d+)? ?(\S+)?$/i;
const ZONE = /^(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/i;
const MIDNIGHTS = new Map(); // of the days that were read: few days, many rows
const A_TIME = "seconds, or a date and time like YYYY-MM-DD HH:MM:SS";
const UNCLOSED = "a quotation mark is not closed; wanted: another at the end of the field";

/* Yields the share of the text that is read, so that a long log can be read in slices. In the end
   `rows` counts the usable ones; if they are too few for a rate, there is no workload. */
function* parse_log(text) {
  const log = { columns: null, width: 0, times: [], prompts: [], replies: [], skipped: 0 };
  const problems = [];
  let line = 0;
  for (const [row, end] of log_lines(text)) {
    line += 1;
    if (line % LINES_A_SLICE === 0) yield end / text.length;
    if (!row.trim()) continue;
    const why = log.columns ? read_row(log, row) : read_header(log, row);
    if (why) problems.push({ line, why });
    if (!log.columns) return log_result(log, problems);
  }
  const why = log_problem(log);
  if (why) problems.push({ line, why });
  return log_result(log, problems, !why);
}

function log_result({ times, prompts, replies, skipped }, problems, usable = false) {
  const result = { workload: null, rate: null, rows: times.length, skipped, problems };
  if (!usable) return result;
  const rate = log_rate(times);
  const gaps = times.map((time, row) => rate * seconds_between(time, times[row + 1] ?? time));
  return { ...result, workload: { gaps, prompts, replies }, rate };
}

function log_rate(times) {
  return (times.length - 1) / seconds_between(times[0], times.at(-1));
}

/* What keeps a log as a whole from being used. */
function log_problem({ columns, times, skipped }) {
  if (!columns) return "the file is empty; wanted: a header, and a row for each request";
  if (!times.length && !skipped) return "no rows below the header; wanted: a row for each request";
  const [rows, fewest] = [times.length, FEWEST_ROWS].map((count) => format_number(count, 0));
  if (times.length < FEWEST_ROWS)
    return `the number of usable rows is ${rows}; wanted: at least ${fewest}, to tell a rate`;
  if (!Number.isFinite(log_rate(times)))
    return "all requests come at the same time; wanted: some time between them, to tell a rate";
  return "";
}

function* log_lines(text) {
  let start = 0;
  for (const { 0: ending, index } of text.matchAll(/\r\n?|\n/g)) {
    yield [text.slice(start, index), index];
    start = index + ending.length;
  }
  if (start < text.length || !start) yield [text.slice(start), text.length];
}

/* The fields of a line, or null if a quoted one does not end. */
function csv_fields(line) {
  if (!line.includes('"')) return line.split(",");
  const fields = [""];
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const doubled = quoted && line[at] === '"' && line[at + 1] === '"';
    if (doubled) at += 1;
    if (line[at] === '"' && !doubled) quoted = !quoted;
    else if (line[at] === "," && !quoted) fields.push("");
    else fields[fields.length - 1] += line[at];
  }
  return quoted ? null : fields;
}

function in_quotes(text) {
  return `"${text.slice(0, LONGEST_QUOTE)}${text.length > LONGEST_QUOTE ? "…" : ""}"`;
}

/* Names are compared without case, underscores and white space, as which a byte-order mark counts. */
function read_header(log, row) {
  const plain = (name) => name.toLowerCase().replace(/[\s_]/g, "");
  const names = csv_fields(row);
  if (!names) return UNCLOSED;
  const here = names.map(plain);
  const columns = LOG_COLUMNS.map(([, known]) => {
    const name = known.split(",").find((name) => here.includes(plain(name)));
    return name ? here.indexOf(plain(name)) : -1;
  });
  const missing = LOG_COLUMNS.filter((_, nth) => columns[nth] < 0);
  if (missing.length) {
    const wanted = missing.map(([what, known]) => `${what} (one of: ${known})`).join("; ");
    const found = names.slice(0, MOST_NAMES).map((name) => in_quotes(name.trim())).join(", ");
    const more = names.length > MOST_NAMES ? ", …" : "";
    return `the columns are ${found}${more}; wanted: ${wanted}`;
  }
  Object.assign(log, { columns, width: names.length });
  return "";
}

/* Adds a row to the log, or returns why it cannot. */
function read_row(log, row) {
  const fields = csv_fields(row);
  const [arrival, prompt, reply] = log.columns.map((column) => (fields?.[column] ?? "").trim());
  const time = read_time(arrival);
  const why =
    fields_problem(log, fields) || time_problem(log, arrival, time) ||
    tokens_problem("prompt", prompt) || tokens_problem("reply", reply);
  if (why) {
    log.skipped += 1;
  } else {
    log.times.push(time);
    log.prompts.push(Number(prompt));
    log.replies.push(Number(reply));
  }
  return why;
}

function fields_problem({ width }, fields) {
  if (!fields) return UNCLOSED;
  if (fields.length === width) return "";
  const [found, wanted] = [fields.length, width].map((count) => format_number(count, 0));
  return `the number of fields is ${found}; wanted: ${wanted}, as in the header`;
}

function time_problem({ times }, text, time) {
  const wrong = NUMBER.test(text) && text.startsWith("-") ? "negative" : "not a time";
  if (!time) return `${in_quotes(text)} is ${wrong}; wanted: ${A_TIME}`;
  if (!times.length || seconds_between(times.at(-1), time) >= 0) return "";
  return `${in_quotes(text)} is before the time of an earlier row; wanted: rows in order of time`;
}

function tokens_problem(what, text) {
  const tokens = NUMBER.test(text) ? Number(text) : NaN;
  if (Number.isInteger(tokens) && tokens >= 1 && tokens <= MOST_TOKENS) return "";
  const [few, many] = [1, MOST_TOKENS].map((count) => format_number(count, 0));
  const wrongs = [
    [Number.isNaN(tokens), "not a number"],
    [tokens < 0, "negative"],
    [tokens === 0, "too few"],
    [tokens > MOST_TOKENS, "too many"],
    [true, "not whole"],
  ];
  const wrong = wrongs.find(([is_so]) => is_so)[1];
  const wanted = `${what} tokens, a whole number from ${few} to ${many}`;
  return `${in_quotes(text)} is ${wrong}; wanted: ${wanted}`;
}

/* [whole seconds, rest], or null. In one number, the seconds since a far date would leave too few
   digits for the rest. */
function read_time(text) {
  const date = DATE.exec(text);
  if (date) return read_date(date);
  const number = NUMBER.test(text) ? Number(text) : NaN;
  if (!(number >= 0 && number < Infinity)) return null;
  if (/e/i.test(text)) return [Math.floor(number), number % 1];
  const [whole, rest] = text.slice(/^[+-]/.test(text) ? 1 : 0).split(".");
  return [Number(whole), Number(`0.${rest || 0}`)];
}

function read_date([, day, hours, minutes, seconds, rest, zone]) {
  if (!MIDNIGHTS.has(day)) MIDNIGHTS.set(day, midnight_of(day));
  const [midnight, offset] = [MIDNIGHTS.get(day), zone ? zone_seconds(zone) : 0];
  if (midnight === null || offset === null) return null;
  const clock = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return [midnight + clock - offset, rest ? Number(`0${rest}`) : 0];
}

function midnight_of(day) {
  const midnight = new Date(`${day}T00:00Z`);
  const exists = midnight.getUTCDate() === Number(day.slice(-2)); // it makes February 30 March 2
  return exists ? midnight.getTime() / 1000 : null;
}

function zone_seconds(text) {
  const zone = ZONE.exec(text);
  if (!zone) return null;
  const [, sign, hours = 0, minutes = 0] = zone;
  return (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60);
}

function seconds_between([whole, rest], [later_whole, later_rest]) {
  return later_whole - whole + (later_rest - rest);
}
