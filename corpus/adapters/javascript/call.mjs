// One call: its syntax by recursive descent, and the types of its values on the way.
// A text has one character for each byte: indices are offsets, and \x80-\xff are letters.
import { Place, literal, toJson, typeOf } from './schema.mjs';
export const CLOSE = '</call>';
const SPACE = /[ \t\r\n]+/y;
const NAME = /[A-Za-z_$@\x80-\xff][\w$@\-./:\x80-\xff]*/y;
const KEY = /[^\x00-\x20\x7f=.<>"'[\]{},]+/y;
const MEMBER_KEY = /[^\x00-\x20\x7f=.<>"'[\]{},:]+/y;
// A bare value runs up to its own end, to a tag, or to what the end of input leaves of a tag.
const WORD_END = /[ \t\r\n]|<\/?(?:call>|(?:c(?:al{0,2})?)?$)|$/g;
const ITEM_END = /[\r\n,\]}]|<\/?(?:call>|(?:c(?:al{0,2})?)?$)|$/g;
const CUT_TAG = /<\/?(?:c(?:al{0,2})?)?$/y;
const ESCAPE = new RegExp(String.raw`\\(?:["'\\/bfnrt]|u(?![dD][89a-fA-F])[\da-fA-F]{4}`
  + String.raw`|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})`, 'g');

/** The offset after the string that begins at start; Infinity if it never closes. */
export function stringEnd(text, start) {
  const stop = text[start] === '"' ? /["\\]/g : /['\\]/g;
  stop.lastIndex = start + 1;
  let found = stop.exec(text);
  for (; found?.[0] === '\\'; found = stop.exec(text)) stop.lastIndex += 1;
  return found ? stop.lastIndex : Infinity;
}

/** Reads up to a stop: the limit on bytes, a byte that isn't UTF-8, or the end of the input. */
export function reader(text, { pos = 0, tooLong, illFormed, limits = {}, whole, catalogue }) {
  const stop = Math.min(tooLong ?? Infinity, illFormed ?? Infinity, text.length);
  const beyond = stop === tooLong ? 'call-too-long' : 'invalid-utf8';
  const stopCode = stop === text.length ? 'unterminated-call' : beyond;
  const notes = []; // issues, which have a path, and those faults that do not end the reading
  const begun = new Map(); // what paths began, with their places: nothing in JSON, which is exact
  const note = (code, at, { path } = {}) => {
    const cut = path?.replace(/^([^]{0,1000})(?![\x80-\xbf])[^]+/, '$1\xe2\x80\xa6');
    notes.push({ code, path: path?.length > 1000 ? cut : path, at });
  };
  // What lies after the stop is the fault of the stop. Damage is skipped from resume on.
  const fault = (code, at = pos, resume = Math.min(at, stop)) => {
    const limit = at === stop && stopCode === 'invalid-utf8' && /^(too|name)-/.test(code);
    return at < stop || limit ? { code, at, resume } : { code: stopCode, at: stop, resume };
  };
  const moveTo = (end, resume) => { if (end > stop) throw fault('', end, resume); pos = end; };
  const sees = (lexeme) => { lexeme.lastIndex = pos; return lexeme.exec(text)?.[0]; };
  const take = (lexeme, code) => {
    const found = sees(lexeme) ?? '';
    if (!found && code) throw fault(code);
    moveTo(pos + found.length);
    return found;
  };
  const atClose = () => { // after whitespace
    take(SPACE);
    const rest = text.slice(pos, pos + CLOSE.length);
    const complete = rest === CLOSE || (rest === '' && whole);
    if (!complete && CLOSE.startsWith(rest)) throw fault('', text.length); // the input ends in it
    return complete;
  };
  const string = (placeOf) => {
    const [at, end] = [pos, stringEnd(text, pos)];
    moveTo(end, Math.min(end, text.length)); // a fault inside leaves the skip inside
    const source = text.slice(at + 1, end - 1);
    const utf8 = (escape) => Buffer.from(JSON.parse(`"${escape}"`)).toString('latin1');
    const decoded = source.replace(ESCAPE, (escape) => (escape === "\\'" ? "'" : utf8(escape)));
    const mixed = source.replace(ESCAPE, '').includes('\\') && source.match(ESCAPE); // or null
    if (/["']/.test(mixed)) note('ambiguous-escape', at, placeOf(decoded));
    return decoded;
  };
  const bare = (place, end) => {
    const at = pos;
    end.lastIndex = at;
    moveTo(end.exec(text).index);
    const accepted = whole && end !== ITEM_END && pos === text.length; // else a byte must follow
    if (!accepted && (pos === stop || sees(CUT_TAG))) throw fault('', text.length);
    if (sees(/<call>/y)) throw fault('nested-call'); // the word is not complete, and has no issue
    if (pos === at && end === ITEM_END) throw fault('expected-value');
    const word = text.slice(at, pos).replace(/(?<![ \t])[ \t]+$/, '');
    const odd = (quote) => word.split(quote).length % 2 === 0;
    if (odd('"') || (odd("'") && /[=[{(,:]'/.test(word))) note('open-quote', at, place);
    return word;
  };
  const value = (place, level, bareEnd = ITEM_END) => {
    if (sees(/[[{]/y)) return brackets(place, level);
    const [at, quoted] = [pos, sees(/["']/y)];
    const word = quoted ? string(() => place) : bare(place, bareEnd);
    const readings = quoted ? [word] : [literal(word), word].slice(0, begun.size ? 2 : 1);
    const ranks = readings.map((reading) => place.rank(typeOf(reading), reading));
    const best = Math.max(...ranks);
    if (best < 2) note(['type-mismatch', 'not-in-enum'][best], at, place);
    return readings[ranks.indexOf(best)];
  };
  const missing = (place, object, at) => place.declared.forEach((required, name) => {
    if (!required || object.has(name)) return;
    if (place.below(name).isOptional()) object.set(name, null);
    else note('missing-argument', at, place.below(name));
  });
  const enter = (object, key, at, place, conflict) => { // once the colon or = is read
    if (object.has(key)) note(conflict ? 'path-conflict' : 'duplicate-key', at);
    else if (place.unknown) note('unknown-argument', at, place);
  };
  const brackets = (place, level) => {
    const at = pos;
    if (level > limits.depth) throw fault('too-deep');
    const [type, close] = text[at] === '[' ? ['array', /\]/y] : ['object', /\}/y];
    if (!place.rank(type)) note('type-mismatch', at, place);
    const members = new Map(); // the elements of an array by index
    do {
      take(/[[{,][ \t\r\n]*/y);
      if (sees(close)) break;
      const key = type === 'array' ? members.size : memberKey(members, place, level);
      members.set(key, value(place.below(key), level + 1));
      take(SPACE);
    } while (sees(/,/y));
    take(close, 'expected-comma');
    const json = type === 'array' ? [...members.values()] : members;
    if (place.rank(type, json) === 1) note('not-in-enum', at, place);
    if (type === 'object') missing(place, json, pos - 1);
    return json;
  };
  const memberKey = (members, place, level) => {
    const [at, quoted, before] = [pos, sees(/["']/y), notes.length];
    const key = quoted ? string((it) => place.below(it)) : take(MEMBER_KEY, 'expected-key');
    try {
      take(SPACE);
      take(/:/y, 'expected-colon');
    } catch (thrown) {
      notes.length = before; // an issue of a key counts once its colon is read
      throw thrown;
    }
    if (level === 0 && members.size >= limits.arguments) note('too-many-arguments', at);
    enter(members, key, at, place.below(key));
    take(SPACE);
    return key;
  };
  const path = () => {
    const at = pos;
    take(KEY, 'expected-key');
    for (let level = 1; sees(/\./y); level += 1) {
      if (level > limits.depth) throw fault('too-deep');
      take(/\./y);
      take(KEY, 'expected-key');
    }
    take(/=/y, 'expected-equals');
    return text.slice(at, pos - 1);
  };
  // Reads a value to where a path leads from an object that paths began.
  const put = (at, keys, level, object, place) => {
    begun.set(object, place);
    const leads = [...place.declared.keys()].filter((name) => `${keys}.`.startsWith(`${name}.`));
    const key = leads.reduce((a, b) => (b.length > a.length ? b : a), keys.split('.', 1)[0]);
    const rest = keys.slice(key.length + 1);
    const inner = place.below(key);
    const parent = begun.has(object.get(key)) && object.get(key);
    if (!parent || !rest) enter(object, key, at, inner, parent || rest);
    if (!parent && rest && !inner.rank('object')) note('type-mismatch', at, inner);
    object.set(key, rest ? parent || new Map() : value(inner, level, WORD_END));
    if (rest) put(at, rest, level, object.get(key), inner);
  };
  const call = () => {
    try {
      const [name, nameAt] = [sees(NAME), pos];
      if (!name) throw fault('expected-name');
      if (name.length > limits.name) throw fault('name-too-long', pos + limits.name);
      take(NAME);
      if (!sees(/[ \t\r\n{]/y) && !atClose()) throw fault('bad-name');
      const unknown = catalogue && !catalogue.has(name);
      if (unknown && (pos < stop || stop === text.length)) note('unknown-tool', nameAt);
      const place = catalogue?.get(name) ?? new Place();
      take(SPACE);
      const body = sees(/\{/y) && value(place, 0);
      const input = body ?? new Map();
      if (!body) begun.set(input, place);
      for (let count = 1; !atClose(); count += 1) {
        if (body) throw fault('expected-close');
        if (!/[ \t\r\n]/.test(text[pos - 1])) throw fault('expected-space');
        const [at, keys] = [pos, path()];
        if (count > limits.arguments) note('too-many-arguments', at);
        put(at, keys, keys.split('.').length, input, place);
      }
      const [at, closed] = [pos, pos < text.length];
      if (closed) moveTo(pos + CLOSE.length, pos);
      begun.forEach((there, object) => missing(there, object, at));
      return { name, input: toJson(input), notes, end: pos, closed };
    } catch (thrown) {
      if (thrown instanceof Error) throw thrown;
      return { fault: thrown, notes };
    }
  };
  return { call, value };
}
