// A reader of callwire calls, with nothing but Node.js.
//
// A Reader reads a text in chunks. Run as a program it speaks the protocol of
// the conformance runner.

import { createInterface } from "node:readline";
import { Typing, dump } from "./schema.mjs";
import { BEFORE_QUOTE, CLOSE, Call, Fault, Incomplete, LIMITS, OPEN, QUOTES, WS, begins, code, prefix, startsWith, wellFormed } from "./syntax.mjs";

// Reads a text in chunks; feed returns events.
export class Reader {
  constructor(tools, options = {}) {
    this.tools = tools && new Map(tools.map((t) => [t.name, t.inputSchema ?? true]));
    Object.assign(this, { options, limit: options.limits?.bytes ?? LIMITS.bytes, text: Buffer.alloc(0) });
    Object.assign(this, { done: 0, seen: 0, inCall: false, damaged: false });
  }

  feed(chunk, final = false) {
    this.text = Buffer.concat([this.text, chunk]);
    const events = [];
    if (this.inCall && !final && !chunk.includes(">")) return events;
    while (this.step(events, final));
    return events;
  }

  // Takes the next text or call; false when it needs more input.
  step(events, final) {
    if (!this.inCall) {
      const at = this.text.indexOf(OPEN, this.seen);
      const here = at < 0 ? undefined : begins(this.text, at, this.limit);
      if (at >= 0 && (here === false || (here === undefined && final))) {
        this.seen = at + 1;
        return true;
      }
      const until = at >= 0 ? at : final ? this.text.length : held(this.text);
      if (until > this.done) events.push({ type: "text", start: this.done, end: until, text: this.text.subarray(this.done, until) });
      this.done = until;
      this.seen = Math.max(this.seen, until);
      this.inCall = here === true;
      if (!here) return false;
    }
    try {
      events.push(this.call(new Call(this.text, this.done, this.tools, this.options, final)));
    } catch (e) {
      if (e instanceof Incomplete) return false;
      throw e;
    }
    this.done = this.seen = events.at(-1).end;
    this.inCall = false;
    return true;
  }

  call(call) {
    const typing = new Typing(call), strict = this.options.strict, start = call.start;
    let fault, end, closed, out;
    try {
      call.read();
      [end, closed] = [call.i, call.i > call.closeAt];
    } catch (e) {
      if (!(e instanceof Fault)) throw e;
      fault = e;
      [end, closed] = this.skip(call, fault);
    }
    if (!call.fault && (!fault || (strict && call.schema))) {
      let groups;
      [out, groups] = typing.arguments();
      if (!fault) typing.finish(groups);
    }
    const issues = typing.issues.sort((a, b) => a.at - b.at);
    if (strict && issues.length && (!fault || issues[0].at < fault.at)) call.note(issues[0].code, issues[0].at);
    fault = call.fault ?? fault;
    const damaged = this.damaged;
    this.damaged ||= Boolean(fault) || issues.some((issue) => issue.code === "open-quote");
    if (!fault && damaged && this.options.stopAfterMalformed) fault = new Fault("after-malformed", start);
    if (fault) return { type: "malformed", start, end, code: fault.code, at: fault.at, closed };
    const event = { type: "tool-call", start, end, name: call.name, input: dump(out) };
    if (damaged) event.afterMalformed = true;
    if (issues.length) event.issues = issues;
    return event;
  }

  // The end of the damage, and whether that is a close tag.
  skip(call, fault) {
    const text = this.text;
    let quote = fault.quote;
    for (let i = fault.skip; i < text.length; i++) {
      const c = text[i];
      if (quote) {
        if (c === code("\\")) i++;
        else if (c === quote) quote = 0;
      } else if (startsWith(text, CLOSE, i)) return [i + CLOSE.length, true];
      else if (i > call.start && startsWith(text, OPEN, i)) {
        const here = begins(text, i, this.limit);
        if (here) return [i, false];
        if (here === undefined && !call.final) throw new Incomplete();
      } else if (QUOTES.has(c) && BEFORE_QUOTE.has(text[i - 1])) quote = c;
    }
    if (!call.final) throw new Incomplete();
    return [text.length, false];
  }
}

// The offset from which text may become a call, or a whole character.
function held(text) {
  const at = text.lastIndexOf("<");
  if (at >= 0 && (prefix(text, OPEN, at) || (startsWith(text, OPEN, at) && [...text.subarray(at + OPEN.length)].every((c) => WS.has(c))))) return at;
  let i = text.length;
  while (i > 0 && text.length - i < 3 && (text[i - 1] & 0xc0) === 0x80) i--;
  if (i > 0 && text[i - 1] >= 0xc0 && wellFormed(text, i - 1)[1]) return i - 1;
  return text.length;
}

// The protocol of the conformance runner.

const encode = (text) => (wellFormed(text, 0).join() === "-1,false" ? text.toString() : { b64: text.toString("base64") });
const shown = (e) => (e.type === "text" ? { ...e, text: encode(e.text) } : e);

function parse(text, tools, options) {
  const events = [];
  for (const e of new Reader(tools, options).feed(text, true)) {
    const last = events.at(-1);
    if (e.type === "text" && last?.type === "text") Object.assign(last, { end: e.end, text: Buffer.concat([last.text, e.text]) });
    else events.push(e);
  }
  return events.map(shown);
}

function stream(text, tools, options, cuts) {
  const reader = new Reader(tools, options), ends = [...cuts, text.length];
  let inText = false;
  const steps = (e) => {
    const all = inText && e.type !== "text" ? [{ type: "text-end" }] : [];
    if (e.type === "text") {
      if (!inText) all.push({ type: "text-start" });
      all.push({ type: "text-delta", text: encode(e.text) });
    } else if (e.type === "tool-call") {
      const id = `call-${e.start}`;
      all.push({ type: "tool-input-start", id, name: e.name }, { type: "tool-input-delta", id, delta: e.input });
      all.push({ type: "tool-input-end", id }, { ...e, id });
    } else all.push(e);
    inText = e.type === "text";
    return all;
  };
  const batches = ends.map((end, i) => reader.feed(text.subarray(i ? ends[i - 1] : 0, end)).flatMap(steps));
  batches.push(reader.feed(Buffer.alloc(0), true).flatMap(steps));
  if (inText) batches.at(-1).push({ type: "text-end" });
  return batches;
}

function answer({ seq, op, text = "", tools, options, cuts }) {
  const bytes = typeof text === "string" ? Buffer.from(text) : Buffer.from(text.b64, "base64");
  if (op === "parse") return { seq, events: parse(bytes, tools, options) };
  if (op === "stream") return { seq, batches: stream(bytes, tools, options, cuts) };
  return { seq, skip: "this is a reader only" };
}

const hello = { protocol: 1, name: "callwire-javascript", version: "1.0", spec: "1.0", ops: ["parse", "stream"] };
const say = (value) => process.stdout.write(JSON.stringify(value) + "\n");
const input = createInterface({ input: process.stdin, crlfDelay: Infinity });
input.on("line", (line) => {
  const request = JSON.parse(line);
  if (request.cmd === "bye") input.close();
  else say(request.cmd === "hello" ? hello : answer(request));
});
