// One call: what it says, typed by its schema while it is read, and the first
// thing that is wrong with it. Bytes are read one by one, and none twice but
// where a tag or an escape is looked for.

import { literal, trimEnd, typeOf } from "./json.mjs";
import { ANY } from "./schema.mjs";

export const OPEN = Buffer.from("<call>"), CLOSE = Buffer.from("</call>");
export const LIMITS = { bytes: 4194304, depth: 64, arguments: 1024, name: 256 };

const code = (c) => c.charCodeAt(0);
export const bytes = (...parts) => new Set(parts.flatMap((p) => [...p].map(code)));
const range = (from, to) => String.fromCharCode(...Array.from({ length: to - from }, (_, i) => from + i));
const HIGH = range(0x80, 0x100), LETTERS = range(65, 91) + range(97, 123);
export const SPACE = bytes(" \t\r\n"), QUOTE = bytes("\"'"), BACKSLASH = code("\\");
export const START = bytes(LETTERS, "_$@[{", HIGH);
const NAME = bytes(LETTERS, "_$@0123456789-./:", HIGH);
const KEY = bytes(range(0x21, 0x7f).replace(/[=.<>"'[\]{},]/g, ""), HIGH);
const MEMBER_KEY = new Set([...KEY].filter((c) => c !== code(":")));
const ITEM_END = bytes(",]}\r\n"), NO_ITEM = bytes(",]}");
const ESCAPES = new Map(Object.entries({ '"': '"', "'": "'", "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }));

// Where a call is malformed. Skipping goes on at byte skip, in quotes or not.
export class Fault extends Error {
  constructor(name, at, skip = at, quote = 0) {
    super(name);
    Object.assign(this, { code: name, at, skip, quote });
  }
}

// The first byte from start on that makes UTF-8 ill-formed: the length of the
// text if it ends within a character, and infinity if nothing is wrong.
export function illFormed(text, start) {
  for (let i = start; i < text.length; i++) {
    const c = text[i];
    if (c < 0x80) continue;
    if (c < 0xc2 || c > 0xf4) return i;
    let low = c === 0xe0 ? 0xa0 : c === 0xf0 ? 0x90 : 0x80, high = c === 0xed ? 0x9f : c === 0xf4 ? 0x8f : 0xbf;
    for (let more = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3; more > 0; more--, low = 0x80, high = 0xbf) {
      if (++i === text.length || text[i] < low || text[i] > high) return i;
    }
  }
  return Infinity;
}

// Paths of issues are cut at 1000 bytes, and grow no further.
const join = (path, part) => (path.length > 1000 ? path : path + part);
const dot = (path, key) => join(path, path ? `.${key}` : key);

function cut(path) {
  const utf8 = Buffer.from(path.slice(0, 1001));
  let end = 1000;
  while (end > 0 && (utf8[end] & 0xc0) === 0x80) end--; // to the beginning of a character
  return utf8.length > 1000 ? utf8.toString("utf8", 0, end) + "…" : path;
}

export class Call {
  // Reads the text from byte start; bad is what illFormed says of it.
  constructor(text, start, bad, options = {}, limits = LIMITS) {
    Object.assign(this, { text, start, i: start, options, limits, depth: 0, count: 0, exact: false });
    Object.assign(this, { input: new Map(), issues: [], noted: undefined, closed: false });
    // No byte is read at the wall or behind it, for one of three reasons.
    this.wall = Math.min(start + limits.bytes, bad, text.length);
    this.whole = bad !== text.length;
  }

  // The fault of wanting to read on at the wall.
  stuck(quote = 0, skip = this.wall) {
    const end = this.wall === this.text.length, long = this.wall === this.start + this.limits.bytes;
    return new Fault(end ? "unterminated-call" : long ? "call-too-long" : "invalid-utf8", this.wall, skip, quote);
  }

  // The next byte; undefined at the end of the input where a call may end there.
  byte(mayEnd = false) {
    if (this.i < this.wall) return this.text[this.i];
    if (mayEnd && this.options.acceptAtEnd && this.whole && this.wall === this.text.length) return undefined;
    throw this.stuck();
  }

  // Does a tag stand here? It is judged by all its bytes; half of one at the end is a truncation.
  ahead(tag) {
    const here = this.text.subarray(this.i, this.i + tag.length);
    if (!here.equals(tag.subarray(0, here.length))) return false;
    if ((tag === CLOSE || here.length < tag.length) && this.i + tag.length > this.wall) throw this.stuck(0, this.i);
    return true;
  }

  // The next byte where the call may end, undefined if it does.
  unlessEnd() {
    const c = this.byte(true);
    return c === undefined || this.ahead(CLOSE) ? undefined : c;
  }

  space(mayEnd = false) {
    while (SPACE.has(this.byte(mayEnd))) this.i++;
  }

  // A fault that is not of syntax: reading goes on, and the first one stands.
  note(name, at) {
    this.noted ??= new Fault(name, at);
  }

  issue(name, path, at) {
    if (name && this.issues.length < 1000) this.issues.push({ code: name, path: cut(path), at });
  }

  // Reads the call from its opener over its close tag. Tools are schemas by name.
  read(tools) {
    this.i += OPEN.length;
    this.space();
    const begin = this.i;
    if (this.text[begin] === code("{") || this.text[begin] === code("[")) throw new Fault("expected-name", begin);
    for (; NAME.has(this.text[this.i]); this.i++) {
      if (this.i === begin + this.limits.name && this.i < this.start + this.limits.bytes) throw new Fault("name-too-long", this.i);
      this.byte();
    }
    const named = () => tools && !tools.has(this.text.toString("utf8", begin, this.i)) && this.note("unknown-tool", begin);
    if (CLOSE.equals(this.text.subarray(this.i, this.i + CLOSE.length)) && this.i < this.wall) named();
    const c = this.unlessEnd();
    if (c !== undefined && c !== code("{") && !SPACE.has(c)) throw new Fault("bad-name", this.i);
    this.name = this.text.toString("utf8", begin, this.i);
    if (tools && !tools.has(this.name)) this.note("unknown-tool", begin);
    const schema = tools?.get(this.name) ?? ANY;
    this.groups = new Map([[this.input, { schema, path: "" }]]); // the objects that paths begin
    this.space(true);
    if (this.byte(true) === code("{")) this.body(schema);
    else this.arguments();
    this.closed = this.i < this.text.length;
    if (this.closed) this.i += CLOSE.length;
  }

  // One object is the whole of the arguments, and nothing in it is retyped.
  body(schema) {
    this.exact = true;
    this.input = this.object(schema, "", true);
    this.space(true);
    if (this.unlessEnd() !== undefined) throw new Fault("expected-close", this.i);
  }

  arguments() {
    while (this.unlessEnd() !== undefined) {
      this.argument();
      const c = this.unlessEnd();
      if (c !== undefined && !SPACE.has(c)) throw new Fault("expected-space", this.i);
      this.space(true);
    }
    for (const [have, { schema, path }] of this.groups) this.missing(schema, have, path, this.i);
  }

  argument() {
    const begin = this.i, keys = this.keys();
    if (++this.count > this.limits.arguments) this.note("too-many-arguments", begin);
    this.depth = keys.length - 1;
    let into = this.input;
    for (;;) {
      const { schema: outer, path: above } = this.groups.get(into);
      const key = outer.take(keys), path = dot(above, key), old = into.get(key), grouped = this.groups.has(old);
      if (grouped && keys.length) {
        into = old;
        continue;
      }
      if (into.has(key)) this.note(grouped || keys.length ? "path-conflict" : "duplicate-key", begin);
      let schema = this.property(outer, key, path, begin);
      if (!keys.length) return into.set(key, this.value(schema, path));
      if (!schema.types.has("object")) {
        this.issue("type-mismatch", path, begin);
        schema = ANY;
      }
      const group = new Map();
      this.groups.set(group, { schema, path });
      into.set(key, group);
      into = group;
    }
  }

  // The keys of a path, up to and with its equals sign.
  keys() {
    const keys = [this.key(KEY)];
    while (this.text[this.i] === code(".")) {
      if (keys.length > this.limits.depth) throw new Fault("too-deep", this.i);
      this.byte();
      this.i++;
      keys.push(this.key(KEY));
    }
    if (this.byte() !== code("=")) throw new Fault("expected-equals", this.i);
    this.i++;
    return keys;
  }

  key(set) {
    const begin = this.i;
    while (set.has(this.byte())) this.i++;
    if (this.i === begin) throw new Fault("expected-key", begin);
    return this.text.toString("utf8", begin, this.i);
  }

  property(schema, key, path, at) {
    const child = schema.child(key);
    if (!child) this.issue("unknown-argument", path, at);
    return child ?? ANY;
  }

  missing(schema, have, path, at) {
    for (const name of schema.required) if (!have.has(name)) this.issue("missing-argument", dot(path, name), at);
  }

  // A value behind an equals sign, or an item of an array or object.
  value(schema, path, item = false) {
    const at = this.i, c = this.byte(!item);
    if (item && (NO_ITEM.has(c) || (c === code("<") && this.ahead(CLOSE)))) throw new Fault("expected-value", at);
    if (c === code("[")) return this.array(schema, path);
    if (c === code("{")) return this.object(schema, path);
    if (!QUOTE.has(c)) return this.bare(schema, path, item);
    const [word, ambiguous] = this.string();
    this.issue(ambiguous, path, at);
    return this.scalar(word, true, schema, path, at);
  }

  bare(schema, path, item) {
    const at = this.i, stops = item ? ITEM_END : SPACE;
    for (let c; (c = this.byte(!item)) !== undefined && !stops.has(c); this.i++) {
      if (c !== code("<")) continue;
      if (this.ahead(CLOSE)) break;
      if (this.ahead(OPEN)) throw new Fault("nested-call", this.i);
    }
    const text = this.text.toString("utf8", at, this.i), word = item ? trimEnd(text, " \t") : text;
    const odd = (quote) => word.split(quote).length % 2 === 0;
    if (odd('"') || (odd("'") && /[=[{(,:]'/.test(word))) this.issue("open-quote", path, at);
    return this.scalar(word, false, schema, path, at);
  }

  // The reading of a word that fits best, the first of equals; the plain one if none does.
  scalar(word, quoted, schema, path, at) {
    const said = literal(word), plain = quoted || said === undefined ? word : said;
    if (schema.silent) return plain;
    const readings = this.exact || said === undefined ? [plain] : quoted ? [word, said] : [said, word];
    const ranks = readings.map((v) => schema.rank(v)), rank = Math.max(...ranks);
    const best = rank ? readings[ranks.indexOf(rank)] : plain;
    if (quoted && best !== word) this.issue("coerced", path, at);
    if (rank < 2) this.issue(rank ? "not-in-enum" : "type-mismatch", path, at);
    return best;
  }

  // A string between quotes, and the issue it has.
  string() {
    const quote = this.byte();
    let out = "", from = ++this.i, literally = false, escaped = false;
    for (let c; (c = this.inside(quote)) !== quote; ) {
      const at = this.i, [length, said] = c === BACKSLASH ? this.escape() : [1];
      for (; this.i < at + length; this.i++) this.inside(quote, at);
      if (c === BACKSLASH && said === undefined) literally = true;
      if (said === undefined) continue;
      escaped ||= said === '"' || said === "'";
      out += this.text.toString("utf8", from, at) + said;
      from = this.i;
    }
    out += this.text.toString("utf8", from, this.i++);
    return [out, literally && escaped && "ambiguous-escape"];
  }

  inside(quote, skip) {
    if (this.i >= this.wall) throw this.stuck(quote, skip);
    return this.text[this.i];
  }

  // The length of the escape here, and what it says if it is one.
  escape() {
    const ahead = this.text.toString("latin1", this.i, this.i + 12);
    if (ESCAPES.has(ahead[1])) return [2, ESCAPES.get(ahead[1])];
    const [first, second] = [ahead, ahead.slice(6)].map((s) => (/^\\u[0-9a-fA-F]{4}/.test(s) ? parseInt(s.slice(2, 6), 16) : -1));
    if (first < 0) return [2];
    if (first < 0xd800 || first > 0xdfff) return [6, String.fromCharCode(first)];
    const pair = first < 0xdc00 && second >= 0xdc00 && second < 0xe000;
    return pair ? [12, String.fromCharCode(first, second)] : [6];
  }

  array(schema, path) {
    const out = [];
    return this.compound(out, schema, path, "]", (inner) => {
      out.push(this.value(inner.item(out.length), join(path, `[${out.length}]`), true));
    });
  }

  object(schema, path, body = false) {
    const out = new Map();
    return this.compound(out, schema, path, "}", (inner) => {
      const at = this.i, [key, ambiguous] = QUOTE.has(this.byte()) ? this.string() : [this.key(MEMBER_KEY)];
      this.space();
      if (this.byte() !== code(":")) throw new Fault("expected-colon", this.i);
      this.i++;
      if (body && ++this.count > this.limits.arguments) this.note("too-many-arguments", at);
      if (out.has(key)) this.note("duplicate-key", at);
      const place = dot(path, key);
      this.issue(ambiguous, place, at);
      const child = this.property(inner, key, place, at);
      this.space();
      out.set(key, this.value(child, place, true));
    }, body);
  }

  // Reads brackets and what stands between them, each part by one call of part.
  // The object that is the body of a call is no level of its own and has no type.
  compound(out, schema, path, closer, part, body = false) {
    const at = this.i, fits = body || schema.types.has(typeOf(out)), inner = fits ? schema : ANY;
    if (!body && ++this.depth > this.limits.depth) throw new Fault("too-deep", at);
    if (!fits) this.issue("type-mismatch", path, at);
    let c;
    do {
      this.i++;
      this.space();
      if (this.byte() === code(closer)) break;
      part(inner);
      this.space();
      c = this.byte();
      if (c !== code(",") && c !== code(closer)) throw new Fault("expected-comma", this.i);
    } while (c !== code(closer));
    if (out instanceof Map) this.missing(inner, out, path, this.i);
    this.i++;
    if (body) return out;
    if (fits && schema.rank(out) < 2) this.issue("not-in-enum", path, at);
    this.depth--;
    return out;
  }
}
