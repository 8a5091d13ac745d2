// A reader of callwire texts, core level: framing, and the protocol of `callwire conform`.
import { createInterface } from 'node:readline';
import { CLOSE, reader, stringEnd } from './call.mjs';
import { Place } from './schema.mjs';
const LIMITS = { bytes: 4194304, depth: 64, arguments: 1024, name: 256 };
const OPENER = /<call>[ \t\r\n]*(?=[A-Za-z_$@\x80-\xff{[])/g;
// What counts in damage: the tags, and a quote that can open a string.
const DAMAGE = new RegExp(`${CLOSE}|${OPENER.source}|(?<=[ \\t\\r\\n=[{(,:])["']`, 'g');
// The first byte that is no UTF-8; the end of the input, if that is inside a character.
const HALF = '(?:[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})';
const ILL_FORMED = new RegExp(`(?<=${HALF})(?:[^\x80-\xbf]|$)|(?<!${HALF})[\x80-\xc1\xf5-\xff]|`
  + '(?<=\xe0)[\x80-\x9f]|(?<=\xed)[\xa0-\xbf]|(?<=\xf0)[\x80-\x8f]|(?<=\xf4)[\x90-\xbf]', 'g');
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

/** The events of a text. Without a catalogue every tool is known, and every value untyped. */
export function read(text, catalogue, { strict, stopAfterMalformed, acceptAtEnd, limits }) {
  const events = [];
  let [end, illFormed, damaged] = [0, -1, false];
  while (end < text.length) {
    const { 0: opener, index: start } = find(OPENER, text, end, limits.bytes);
    const prose = text.slice(end, start);
    if (prose) events.push({ type: 'text', start: end, end: start, text: encode(prose) });
    if (!opener) break;
    ILL_FORMED.lastIndex = start + 1;
    if (illFormed <= start) illFormed = ILL_FORMED.exec(text)?.index ?? Infinity;
    const whole = acceptAtEnd && illFormed > text.length; // down to the last character
    const stops = { tooLong: start + limits.bytes, illFormed, whole };
    const call = reader(text, { pos: start + opener.length, ...stops, limits, catalogue }).call();
    const { fault, notes, name, input } = call;
    const { 0: stop = '', index } = fault ? find(DAMAGE, text, fault.resume, limits.bytes) : {};
    const closed = fault ? stop === CLOSE : call.closed;
    end = fault ? index + (closed ? CLOSE.length : 0) : call.end;
    // Of all faults the first in the text stands; of those at one byte that of the syntax.
    const faults = [fault ?? [], notes.filter((it) => strict || it.path === undefined)].flat();
    const [first] = faults.sort((a, b) => a.at - b.at);
    const { code, at } = first ?? { code: 'after-malformed', at: start };
    const issues = notes.sort((a, b) => a.at - b.at).slice(0, 1000);
    events.push(first || (damaged && stopAfterMalformed)
      ? { type: 'malformed', start, end, code, at, closed }
      : { type: 'tool-call', start, end, name, input, issues, afterMalformed: damaged });
    damaged ||= Boolean(first) || notes.some((issue) => issue.code === 'open-quote');
  }
  return events;
}

function answer({ cmd, seq, op, text: given, tools, options }) {
  if (cmd) return { protocol: 1, name: 'callwire-js', version: '1.0', spec: '1.0', ops: ['parse'] };
  if (op !== 'parse') return { seq: Number(seq.text), skip: 'this reader parses whole texts only' };
  const text = given.get ? Buffer.from(given.get('b64'), 'base64').toString('latin1') : given;
  const { limits, ...flags } = Object.fromEntries(options ?? []);
  const own = [...limits ?? []].map(([name, limit]) => [name, Number(limit.text)]);
  flags.limits = { ...LIMITS, ...Object.fromEntries(own) };
  const places = tools?.map((tool) => [tool.get('name'), new Place(tool.get('inputSchema'))]);
  return { seq: Number(seq.text), events: read(text, places && new Map(places), flags) };
}

process.stdin.setEncoding('latin1'); // one character for each byte
for await (const line of createInterface({ input: process.stdin })) {
  const request = reader(line, {}).value(new Place(), 0); // the values of calls are JSON, and more
  if (request.get('cmd') === 'bye') break;
  process.stdout.write(`${JSON.stringify(answer(Object.fromEntries(request)))}\n`, 'latin1');
}
