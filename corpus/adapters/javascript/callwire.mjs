// A reader of callwire calls. Run as a program it speaks the protocol of the conformance runner.

import { pathToFileURL } from "node:url";
import { CLOSE, Call, Fault, OPEN, stringEnd, utf8 } from "./call.mjs";
import { Place, dump, load } from "./schema.mjs";

const BEGIN = /<call>[ \t\r\n]*(?=[A-Za-z_$@\x80-\xff{[])/g;
const DAMAGE = RegExp(`${CLOSE}|${BEGIN.source}|(?<=[ \\t\\r\\n=[{(,:])["']`, "g");
const LIMITS = { bytes: 4194304, depth: 64, arguments: 1024, name: 256 };

// The events of a text with one character for each byte. Tools are a Map from names
// to places, undefined where every name is known.
export function parse(text, tools, options = {}) {
  const limits = { ...LIMITS, ...options.limits }, events = [];
  let done = 0, ill = -1, damaged = false;
  const prose = (end) => {
    if (end > done) events.push({ type: "text", start: done, end, text: text.slice(done, end) });
  };
  BEGIN.lastIndex = 0;
  for (let found; (found = BEGIN.exec(text)); ) {
    if (found[0].length >= limits.bytes) continue;
    const start = found.index;
    prose(start);
    if (ill <= start) ill = illFormed(text, start);
    const call = new Call(text, start, ill, tools, limits, options.acceptAtEnd);
    const event = outcome(call, options, damaged, start);
    events.push(event);
    damaged ||= event.type === "malformed" || call.notes.some(({ code }) => code === "open-quote");
    BEGIN.lastIndex = done = event.end;
  }
  prose(text.length);
  return events;
}

// Reads a call: it is delivered, or malformed by the first of its faults.
function outcome(call, { strict, stopAfterMalformed }, damaged, start) {
  const faults = [];
  let end, closed;
  try {
    call.read();
    [end, closed] = [call.i, call.text.startsWith(CLOSE, call.i - CLOSE.length)];
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    faults.push(fault);
    [end, closed] = skip(call.text, fault.from, call.limits.bytes);
  }
  const issues = call.notes.sort((a, b) => a.at - b.at);
  faults.push(...issues.filter(({ path }) => strict || path === undefined));
  if (!faults.length && damaged && stopAfterMalformed) {
    faults.push({ code: "after-malformed", at: start });
  }
  if (faults.length) {
    const { code, at } = faults.reduce((a, b) => (b.at < a.at ? b : a));
    return { type: "malformed", start, end, code, at, closed };
  }
  const said = { name: call.name, input: dump(call.input), issues, afterMalformed: damaged };
  return { type: "tool-call", start, end, ...said };
}

// Where the damage ends, and whether with a close tag. Strings hide tags.
function skip(text, from, limit) {
  DAMAGE.lastIndex = from;
  for (let found; (found = DAMAGE.exec(text)); ) {
    if (found[0] === CLOSE) return [DAMAGE.lastIndex, true];
    if (found[0].startsWith(OPEN) && found[0].length < limit) return [found.index, false];
    if (found[0].length > 1) continue;
    DAMAGE.lastIndex = stringEnd(text, found.index);
    if (DAMAGE.lastIndex <= found.index) break;
  }
  return [text.length, false];
}

// The first byte from start on that makes the text no UTF-8, infinity if there is none.
function illFormed(text, start) {
  for (let i = start; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c < 0x80) continue;
    if (c < 0xc2 || c > 0xf4) return i;
    let low = { 0xe0: 0xa0, 0xf0: 0x90 }[c] ?? 0x80, high = { 0xed: 0x9f, 0xf4: 0x8f }[c] ?? 0xbf;
    for (let more = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3; more > 0; more--, low = 0x80, high = 0xbf) {
      const next = text.charCodeAt(++i); // NaN at the end
      if (!(next >= low && next <= high)) return i;
    }
  }
  return Infinity;
}

// Text as the protocol has it: a string, or base64 where it is no UTF-8.
const shown = (bytes) => (illFormed(bytes, 0) === Infinity ? utf8(bytes) : { b64: btoa(bytes) });

function answer(request) {
  if (request.get("cmd") === "hello") {
    const name = "callwire-javascript";
    return { protocol: 1, name, version: "2.0", spec: "1.0", ops: ["parse"] };
  }
  const text = request.get("text"), options = Object.fromEntries(request.get("options") ?? []);
  const bytes = text instanceof Map ? atob(text.get("b64")) : Buffer.from(text).toString("latin1");
  const limits = [...(options.limits ?? [])].map(([name, n]) => [name, Number(n.text)]);
  const schemas = request.get("tools")?.map((tool) => [tool.get("name"), tool.get("inputSchema")]);
  const tools = schemas && new Map(schemas.map(([name, s]) => [name, new Place(s, [s])]));
  const events = parse(bytes, tools, { ...options, limits: Object.fromEntries(limits) });
  for (const event of events) if (event.type === "text") event.text = shown(event.text);
  return { seq: Number(request.get("seq").text), events };
}

async function serve() {
  let rest = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const request of lines.map(load)) {
      if (request.get("cmd") === "bye") return;
      process.stdout.write(`${JSON.stringify(answer(request))}\n`);
    }
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await serve();
