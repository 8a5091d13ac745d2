// A reader of callwire calls, with nothing but Node.js: text and a catalogue in,
// events out. Run as a program it speaks the protocol of the conformance runner.

import { pathToFileURL } from "node:url";
import { BACKSLASH, CLOSE, Call, Fault, LIMITS, OPEN, QUOTE, SPACE, START, bytes, illFormed } from "./call.mjs";
import { Digits, dump } from "./json.mjs";
import { ANY, Schema } from "./schema.mjs";

const BEFORE_QUOTE = bytes(" \t\r\n=[{(,:");

// Does the opener at byte i begin a call?
function begins(text, i, limit) {
  let j = i + OPEN.length;
  while (SPACE.has(text[j]) && j - i < limit) j++;
  return j - i < limit && START.has(text[j]);
}

// Where damage ends, and whether that is a close tag. Strings hide tags.
function skip(text, { skip: i, quote }, limit) {
  for (; i < text.length; i++) {
    const c = text[i];
    if (quote && c === BACKSLASH) i++;
    else if (quote) quote = c === quote ? 0 : quote;
    else if (QUOTE.has(c) && BEFORE_QUOTE.has(text[i - 1])) quote = c;
    else if (c === CLOSE[0] && CLOSE.equals(text.subarray(i, i + CLOSE.length))) return [i + CLOSE.length, true];
    else if (c === OPEN[0] && OPEN.equals(text.subarray(i, i + OPEN.length)) && begins(text, i, limit)) return [i, false];
  }
  return [text.length, false];
}

// The event of one call.
function take(call, tools) {
  const { text, start, options, issues } = call;
  let fault;
  try {
    call.read(tools);
  } catch (e) {
    if (!(e instanceof Fault)) throw e;
    fault = e;
    [call.i, call.closed] = skip(text, fault, call.limits.bytes);
  }
  issues.sort((a, b) => a.at - b.at);
  const faults = [call.noted, fault, options.strict ? issues[0] : undefined].filter(Boolean);
  if (faults.length) return malformed(call, faults.reduce((a, b) => (b.at < a.at ? b : a)));
  const event = { type: "tool-call", start, end: call.i, name: call.name, input: dump(call.input) };
  return issues.length ? { ...event, issues } : event;
}

function malformed({ start, i, closed }, { code, at }) {
  return { type: "malformed", start, end: i, code, at, closed };
}

// The events of a text. Tools are a Map from names to schemas, or undefined
// where every name is known; options are strict, stopAfterMalformed,
// acceptAtEnd and limits.
export function parse(text, tools, options = {}) {
  const limits = { ...LIMITS, ...options.limits }, events = [];
  let done = 0, bad = 0, damaged = false;
  const prose = (end) => end > done && events.push({ type: "text", start: done, end, text: text.subarray(done, end) });
  for (let at = text.indexOf(OPEN); at >= 0; at = text.indexOf(OPEN, Math.max(done, at + 1))) {
    if (!begins(text, at, limits.bytes)) continue;
    prose(at);
    if (bad <= at) bad = illFormed(text, at);
    const call = new Call(text, at, bad, options, limits), event = take(call, tools);
    const sound = event.type === "tool-call";
    if (sound && damaged) event.afterMalformed = true;
    const stopped = sound && damaged && options.stopAfterMalformed;
    events.push(stopped ? malformed(call, { code: "after-malformed", at }) : event);
    damaged ||= !sound || call.issues.some((issue) => issue.code === "open-quote");
    done = call.i;
  }
  prose(text.length);
  return events;
}

// The protocol of the conformance runner: requests in lines of JSON, which are
// read as values of calls are, so that the numbers of a schema keep their digits.

const ENDLESS = { bytes: Infinity, depth: Infinity, arguments: Infinity };

function json(line) {
  const call = new Call(line, 0, Infinity, {}, ENDLESS);
  call.exact = true;
  return call.value(ANY, "");
}

function settings(options = new Map()) {
  const plain = (v) => (v instanceof Map ? settings(v) : v instanceof Digits ? Number(v.text) : v);
  return Object.fromEntries([...options].map(([name, v]) => [name, plain(v)]));
}

function answer(request) {
  if (request.get("cmd") === "hello") return { protocol: 1, name: "callwire-javascript", version: "1.0", spec: "1.0", ops: ["parse"] };
  const seq = Number(request.get("seq").text), text = request.get("text");
  if (request.get("op") !== "parse") return { seq, skip: "this reader takes whole texts, and neither streams nor writes" };
  const bytes = text instanceof Map ? Buffer.from(text.get("b64"), "base64") : Buffer.from(text);
  const tools = request.get("tools")?.map((t) => [t.get("name"), new Schema(t.get("inputSchema"))]);
  const events = parse(bytes, tools && new Map(tools), settings(request.get("options")));
  return { seq, events: events.map((e) => (e.type === "text" ? { ...e, text: shown(e.text) } : e)) };
}

function shown(text) {
  return illFormed(text, 0) === Infinity ? text.toString() : { b64: text.toString("base64") };
}

async function* lines(input) {
  let parts = [];
  for await (const chunk of input) {
    let from = 0;
    for (let at; (at = chunk.indexOf("\n", from)) >= 0; from = at + 1) {
      yield Buffer.concat([...parts, chunk.subarray(from, at)]);
      parts = [];
    }
    parts.push(chunk.subarray(from));
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for await (const line of lines(process.stdin)) {
    const request = json(line);
    if (request.get("cmd") === "bye") break;
    process.stdout.write(JSON.stringify(answer(request)) + "\n");
  }
}
