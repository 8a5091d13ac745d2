// A reader of callwire texts, core level: framing, and the protocol of `callwire conform`.
import { createInterface } from 'node:readline';
import { CLOSE, reader, stringEnd } from './call.mjs';
import { Place } from './schema.mjs';
const LIMITS = { bytes: 4194304, depth: 64, arguments: 1024, name: 256 };
const OPENER = /<call>[ \t\r\n]*(?=[A-Za-z_$@\x80-\xff{[])/g;
// What counts in damage: the tags, and a quote that can open a string.
const DAMAGE = new RegExp(`${CLOSE}|${OPENER.source}|(?<=[ \\t\\r\\n=[{(,:])["']`, 'g');
// The first byte that isn't UTF-8; the end of the input, if that is inside a character.
const HALF = '(?:[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})';
const ILL_FORMED = new RegExp(`(?<=${HALF})(?:[^\x80-\xbf]|$)|(?<!${HALF})[\x80-\xc1\xf5-\xff]|`
  + '(?<=\xe0)[\x80-\x9f]|(?<=\xed)[\xa0-\xbf]|(?<=\xf0)[\x80-\x8f]|(?<=\xf4)[\x90-\xbf]', 'g');
// What text may end in and not give out yet: the beginning of a call, or of a character.
const TAIL = /<(?:c(?:a(?:ll?)?)?)?$|<call>[ \t\r\n]*$/;
const OPENED = /<call>[ \t\r\n]*$/;
const base64 = (bytes) => ({ b64: Buffer.from(bytes, 'latin1').toString('base64') });
const encode = (bytes) => (bytes.search(ILL_FORMED) < 0 ? bytes : base64(bytes));

/** The next lexeme that counts: no string, and no opener that fills the limit with its space. */
function find(pattern, text, from, limit) {
  pattern.lastIndex = from;
  for (let found; (found = pattern.exec(text));) {
    const { 0: lexeme, index } = found;
    if (lexeme === CLOSE || (lexeme.length > 1 && lexeme.length < limit)) return found;
    pattern.lastIndex = lexeme.length > 1 ? index + 1 : stringEnd(text, index);
  }
  return { index: text.length };
}

/** A text that comes in chunks. Without a catalogue every tool is known, and all is untyped. */
class Stream {
  constructor(catalogue, options) {
    Object.assign(this, { catalogue, options, rest: '', base: 0, damaged: false, calls: 0 });
  }
  reset() { return new Stream(this.catalogue, this.options); }

  /** The events that a chunk makes certain. */
  feed(chunk) {
    // A call that is open ends with a tag, or with what a second opener opens.
    const waits = this.rest.startsWith('<call>') && !chunk.includes('>') && !OPENED.test(this.rest);
    this.rest += chunk;
    return waits ? [] : this.read(false);
  }

  /** The events of the text that is not given out yet; of all of it, if it is the last. */
  read(final = true) {
    const { rest: text, catalogue, options: { strict, stopAfterMalformed, acceptAtEnd, limits } } = this;
    const events = [];
    const give = (event) => events.push({
      ...event, start: event.start + this.base, end: event.end + this.base,
    });
    let [end, illFormed] = [0, -1];
    const illFormedFrom = (from) => { ILL_FORMED.lastIndex = from; return ILL_FORMED.exec(text)?.index ?? Infinity; };
    while (end < text.length) {
      const { 0: opener, index: start } = find(OPENER, text, end, limits.bytes);
      const prose = text.slice(end, opener || final ? start : end + tailOf(text.slice(end)));
      if (prose) give({ type: 'text', start: end, end: end + prose.length, text: encode(prose) });
      end += prose.length;
      if (!opener) break;
      if (illFormed <= start) illFormed = illFormedFrom(start + 1);
      const whole = acceptAtEnd && final && illFormed > text.length; // down to the last character
      const stops = { tooLong: start + limits.bytes, illFormed, whole };
      const call = reader(text, { pos: start + opener.length, ...stops, limits, catalogue }).call();
      const { fault, notes, name, input } = call;
      const { 0: stop = '', index } = fault ? find(DAMAGE, text, fault.resume, limits.bytes) : {};
      const closed = fault ? stop === CLOSE : call.closed;
      const next = fault ? index + (closed ? CLOSE.length : 0) : call.end;
      if (next === text.length && !closed && !final) break; // more of it may follow
      end = next;
      // The first fault in the text counts. At the same byte, a syntax fault comes first.
      const faults = [fault ?? [], notes.filter((it) => strict || it.path === undefined)].flat();
      const [first] = faults.sort((a, b) => a.at - b.at);
      const { code, at } = first ?? { code: 'after-malformed', at: start };
      const kept = notes.slice(0, 1000).sort((a, b) => a.at - b.at);
      const issues = kept.map((issue) => ({ ...issue, at: issue.at + this.base }));
      give(first || (this.damaged && stopAfterMalformed)
        ? { type: 'malformed', start, end, code, at: at + this.base, closed }
        : { type: 'tool-call', start, end, name, input, issues, afterMalformed: this.damaged });
      this.damaged ||= Boolean(first) || notes.some((issue) => issue.code === 'open-quote');
    }
    this.rest = text.slice(end);
    this.base += end;
    return events;
  }

  /** The events as a stream has them: text in pieces, a call with its life. */
  steps(events, final = false) {
    const steps = [];
    for (const event of events) {
      const isText = event.type === 'text';
      if (isText !== Boolean(this.inText)) steps.push({ type: isText ? 'text-start' : 'text-end' });
      this.inText = isText;
      if (isText) steps.push({ type: 'text-delta', text: event.text });
      else if (event.type === 'malformed') steps.push(event);
      else {
        const [id, { name, input }] = [`call-${this.calls += 1}`, event];
        steps.push({ type: 'tool-input-start', id, name }, { type: 'tool-input-delta', id, delta: input });
        steps.push({ type: 'tool-input-end', id }, { ...event, id });
      }
    }
    return final && this.inText ? [...steps, { type: 'text-end' }] : steps;
  }
}

/** How many bytes of a text can be given out while more may follow. */
function tailOf(text) {
  const tail = text.search(TAIL);
  if (tail >= 0) return tail;
  ILL_FORMED.lastIndex = text.length; // the end is ill-formed inside a character
  return ILL_FORMED.test(text) ? text.search(/[\xc2-\xf4][\x80-\xbf]{0,2}$/) : text.length;
}

const latin1 = (given) => (given.get ? Buffer.from(given.get('b64'), 'base64').toString('latin1') : given);
/** The text of a request: a part of it may be repeated. */
function textOf({ text, repeat }) {
  const bytes = latin1(text);
  if (!repeat) return bytes;
  const [start, end, times] = ['start', 'end', 'times'].map((name) => Number(repeat.get(name).text));
  return bytes.slice(0, start) + bytes.slice(start, end).repeat(times) + bytes.slice(end);
}

function streamOf({ tools, options }) {
  const { limits, ...flags } = Object.fromEntries(options ?? []);
  const own = [...limits ?? []].map(([name, limit]) => [name, Number(limit.text)]);
  flags.limits = { ...LIMITS, ...Object.fromEntries(own) };
  const rooted = (place) => (place.rank('object') ? place : new Place()); // or none were meant
  const places = tools?.map((tool) => [tool.get('name'), rooted(new Place(tool.get('inputSchema')))]);
  return new Stream(places && new Map(places), flags);
}

const streams = new Map();
const operations = {
  parse(request) {
    const stream = streamOf(request);
    stream.rest = textOf(request);
    return stream.read();
  },
  feed(request) {
    if (!streams.has(request.id)) streams.set(request.id, streamOf(request));
    const stream = streams.get(request.id);
    return stream.steps(stream.feed(textOf(request)));
  },
  close({ id }) {
    const stream = streams.get(id);
    streams.delete(id);
    return stream.steps(stream.read(), true);
  },
  reset({ id }) {
    streams.set(id, streams.get(id).reset());
    return [];
  },
};

function answer(request) {
  const { cmd, op, delims, protocol } = request;
  const [name, version, spec] = ['callwire-js', '1.0', '1.0'];
  if (cmd) return { protocol: Math.min(protocol.text, 2), name, version, spec, ops: ['parse', 'feed'] };
  const seq = Number(request.seq.text);
  if (!operations[op]) return { seq, skip: `this reader does not ${op}` };
  if (delims || protocol) return { seq, skip: 'this reader knows the default tags only' };
  if (['salvage', 'reasoning', 'code'].some((option) => request.options?.get(option))) {
    return { seq, skip: 'this reader reads the format as specified' };
  }
  return { seq, events: operations[op](request) };
}

process.stdin.setEncoding('latin1'); // one character for each byte
for await (const line of createInterface({ input: process.stdin })) {
  const request = reader(line, {}).value(new Place(), 0); // the values of calls are JSON, and more
  if (request.get('cmd') === 'bye') break;
  process.stdout.write(`${JSON.stringify(answer(Object.fromEntries(request)))}\n`, 'latin1');
}
