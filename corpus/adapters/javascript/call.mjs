// Reads one call, by recursive descent: what it says, or the first thing that is wrong
// with it. A text is a string with one character for each byte, so offsets are bytes.

import { ANY, literal, trimEnd } from "./schema.mjs";

export const OPEN = "<call>", CLOSE = "</call>";
const HALF_TAG = /<(?:\/?|\/?c|\/?ca|\/?cal|\/?call)$/;

// What ends a run of bytes.
const SPACE = /[^ \t\r\n]/g, NAME = /[^A-Za-z0-9_$@\-./:\x80-\xff]/g;
const KEY = /[\0- \x7f=.<>"'[\]{},]/g, MEMBER = /[\0- \x7f=.<>"'[\]{},:]/g;
const WORD = /[ \t\r\n]|<\/?call>/g, ITEM = /[\r\n,\]}]|<\/?call>/g;

const PAIR = "u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F][0-9a-fA-F]{2}";
const ESCAPE = RegExp(`\\\\(?:["'\\\\/bfnrt]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|${PAIR})?`, "g");
const NOT_JSON = { "\\": "\\", "\\'": "'" }; // it begins no escape, and the escape of our own

export const utf8 = (bytes) => Buffer.from(bytes, "latin1").toString();

function join(path, key) {
  return typeof key === "number" ? `${path}[${key}]` : path ? `${path}.${key}` : key;
}

// The end of the run that begins at byte i.
function runEnd(text, end, i) {
  end.lastIndex = i;
  return end.exec(text)?.index ?? text.length;
}

// A path is cut before the character that ends beyond 1000 bytes.
function short(path) {
  const bytes = Buffer.from(path);
  let end = 1000;
  while ((bytes[end] & 0xc0) === 0x80) end--;
  return bytes.length > 1000 ? `${bytes.toString("utf8", 0, end)}…` : path;
}

// Where the string ends that begins at byte i, behind its quote; -1 if it does not.
export function stringEnd(text, i) {
  const mark = text[i] === '"' ? /"|\\[^]/g : /'|\\[^]/g;
  mark.lastIndex = i + 1;
  for (let found; (found = mark.exec(text)); ) if (found[0] === text[i]) return mark.lastIndex;
  return -1;
}

// The call is malformed. Skipping begins at the byte from.
export class Fault extends Error {
  constructor(code, at, from = at) {
    super(code);
    Object.assign(this, { code, at, from });
  }
}

// The call at byte i. From the horizon on no byte can be read, whatever it is.
export class Call {
  constructor(text, i, illFormed, tools, limits, acceptAtEnd) {
    const end = text.length, stop = i + limits.bytes;
    Object.assign(this, { text, tools, limits, stop, i: i + OPEN.length });
    this.horizon = Math.min(end, stop, illFormed);
    const limited = this.horizon === stop ? "call-too-long" : "invalid-utf8";
    this.beyond = this.horizon === end ? "unterminated-call" : limited;
    this.mayEnd = acceptAtEnd && this.horizon === end && illFormed > end && !HALF_TAG.test(text);
    Object.assign(this, { depth: 0, count: 0, groups: new Map(), exact: false });
    this.notes = []; // issues, and faults of meaning, which have no path
  }

  // Reads to the end of the call, over its close tag.
  read() {
    this.take(SPACE);
    this.need(!"{[".includes(this.peek()), "expected-name");
    const begin = this.i, over = begin + this.limits.name;
    const long = runEnd(this.text, NAME, begin) > over;
    if (long && over < this.stop && over <= this.horizon) throw new Fault("name-too-long", over);
    this.name = this.take(NAME);
    this.need(this.closes() || " \t\r\n{".includes(this.peek()), "bad-name");
    const known = this.tools ? this.tools.get(this.name) : ANY;
    const place = this.check(known, "unknown-tool", begin) ?? ANY;
    this.take(SPACE);
    if (!this.closes() && this.peek() === "{") {
      [this.exact, this.depth] = [true, -1]; // nothing is retyped, and the arguments are no level
      this.input = this.brackets(place, "");
      this.take(SPACE);
      this.need(this.closes(), "expected-close");
    } else {
      this.input = this.group(place, "");
      while (!this.closes()) {
        this.argument();
        this.need(this.closes() || this.take(SPACE), "expected-space");
      }
      for (const [have, group] of this.groups) this.complete(have, group);
    }
    if (this.i === this.text.length) return;
    if (this.i + CLOSE.length > this.stop) throw new Fault(this.beyond, this.stop, this.i);
    this.i += CLOSE.length;
  }

  need(truth, code) {
    if (!truth) throw new Fault(code, this.i);
  }

  peek() {
    if (this.i >= this.horizon) throw new Fault(this.beyond, this.horizon);
    return this.text[this.i];
  }

  // Takes a run up to its end or the horizon; with a code it must not be empty.
  take(end, code) {
    const begin = this.i;
    this.i = Math.min(runEnd(this.text, end, begin), this.horizon);
    if (code && this.i === begin) this.need(!this.peek(), code);
    return utf8(this.text.slice(begin, this.i));
  }

  // Goes over one byte.
  over(byte, code) {
    this.need(this.peek() === byte, code);
    this.i++;
  }

  // Is here the close tag, or the end of the input where that will do?
  closes() {
    if (this.mayEnd && this.i === this.text.length) return true;
    this.peek();
    const tag = this.text.slice(this.i, this.i + CLOSE.length);
    if (tag !== CLOSE && CLOSE.startsWith(tag)) throw new Fault(this.beyond, this.horizon, this.i);
    return tag === CLOSE;
  }

  // Notes the code of what is not so, if it is not; reading goes on.
  check(truth, code, at, path) {
    const room = path === undefined || this.notes.length < 1000;
    if (!truth && room) this.notes.push({ code, path: path && short(path), at });
    return truth;
  }

  fits(v, place, at, path, least = 2) {
    const rank = place.rank(v);
    return this.check(rank >= least, rank ? "not-in-enum" : "type-mismatch", at, path);
  }

  complete(have, { place, path }) {
    for (const name of place.required) {
      this.check(have.has(name), "missing-argument", this.i, join(path, name));
    }
  }

  argument() {
    const begin = this.i, keys = [this.take(KEY, "expected-key")];
    while (this.peek() === ".") {
      this.need(keys.length <= this.limits.depth, "too-deep");
      this.i++;
      keys.push(this.take(KEY, "expected-key"));
    }
    this.over("=", "expected-equals");
    const enough = ++this.count <= this.limits.arguments;
    this.check(enough, "too-many-arguments", begin);
    const [group, key, place, path] = this.locate(this.input, keys, begin);
    this.depth = keys.length - 1;
    group.set(key, this.value(place, path, WORD));
    this.depth = 0;
  }

  // Where the value of a path belongs: an object, the key in it, its place and its path.
  locate(group, keys, at) {
    const outer = this.groups.get(group);
    let n = keys.length;
    while (n > 1 && !outer.place.declared.has(keys.slice(0, n).join("."))) n--;
    const key = keys.slice(0, n).join("."), rest = keys.slice(n), path = join(outer.path, key);
    const begun = this.groups.has(group.get(key));
    if (begun && rest.length) return this.locate(group.get(key), rest, at);
    const conflict = begun || rest.length ? "path-conflict" : "duplicate-key";
    this.check(!group.has(key), conflict, at);
    const place = this.check(outer.place.child(key), "unknown-argument", at, path) ?? ANY;
    if (!rest.length) return [group, key, place, path];
    group.set(key, this.group(this.fits(new Map(), place, at, path, 1) ? place : ANY, path));
    return this.locate(group.get(key), rest, at);
  }

  // An object that paths begin, and that later ones may come back to.
  group(place, path) {
    const group = new Map();
    this.groups.set(group, { place, path });
    return group;
  }

  // Reads a value: behind an equals sign a bare one is a word, within brackets an item.
  value(place, path, end) {
    const at = this.i, c = end === WORD && this.closes() ? "" : this.peek();
    if (c === "[" || c === "{") return this.brackets(place, path);
    const quoted = c === '"' || c === "'", [word, doubt] = quoted ? this.string() : this.bare(end);
    this.check(!doubt, doubt, at, path);
    const readings = quoted ? [word] : [...literal(word), word];
    const ranks = this.exact ? [0] : readings.map((v) => place.rank(v));
    const best = readings[ranks.indexOf(Math.max(...ranks))]; // the first of them
    this.fits(best, place, at, path);
    return best;
  }

  // Reads a bare value; the issue where it seems to have lost a quote.
  bare(end) {
    const word = trimEnd(this.take(end), " \t");
    if (!this.mayEnd || this.i < this.horizon) this.peek(); // only the byte behind it completes it
    this.need(!this.text.startsWith(OPEN, this.i), "nested-call");
    this.need(word || end === WORD, "expected-value");
    const odd = (quote) => word.split(quote).length % 2 === 0;
    const lost = odd('"') || (odd("'") && /[=[{(,:]'/.test(word));
    return [word, lost ? "open-quote" : undefined];
  }

  // Reads a string; the issue where it may have been meant without escapes.
  string() {
    const begin = this.i, end = stringEnd(this.text, begin);
    if (end < 0 || end > this.horizon) throw new Fault(this.beyond, this.horizon, begin);
    this.i = end;
    const raw = utf8(this.text.slice(begin + 1, end - 1)), used = new Set(raw.match(ESCAPE));
    const doubt = used.has("\\") && (used.has("\\'") || used.has('\\"'));
    const word = raw.replace(ESCAPE, (escape) => NOT_JSON[escape] ?? JSON.parse(`"${escape}"`));
    return [word, doubt ? "ambiguous-escape" : undefined];
  }

  // Reads an array or an object. The key of an element is its index.
  brackets(place, path) {
    const at = this.i, array = this.peek() === "[", closer = array ? "]" : "}", out = new Map();
    this.need(this.depth < this.limits.depth, "too-deep");
    const fits = !path || this.fits(array ? [] : out, place, at, path, 1);
    const inner = fits ? place : ANY;
    this.depth++;
    do {
      this.i++;
      this.take(SPACE);
      if (this.peek() === closer) break;
      this.part(out, inner, path, array);
      this.take(SPACE);
      this.need(this.peek() === "," || this.peek() === closer, "expected-comma");
    } while (this.peek() === ",");
    if (!array) this.complete(out, { place: inner, path });
    const v = array ? [...out.values()] : out;
    this.depth--;
    this.i++;
    if (path && fits) this.fits(v, place, at, path);
    return v;
  }

  part(out, place, path, array) {
    const begin = this.i;
    let key = out.size, doubt;
    if (!array) {
      const quoted = `"'`.includes(this.peek());
      [key, doubt] = quoted ? this.string() : [this.take(MEMBER, "expected-key")];
      this.take(SPACE);
      this.over(":", "expected-colon");
      this.take(SPACE);
    }
    const below = join(path, key), enough = out.size < this.limits.arguments || this.depth > 0;
    this.check(enough, "too-many-arguments", begin);
    this.check(!out.has(key), "duplicate-key", begin);
    this.check(!doubt, doubt, begin, below);
    const child = this.check(place.child(key), "unknown-argument", begin, below) ?? ANY;
    out.set(key, this.value(child, below, ITEM));
  }
}
