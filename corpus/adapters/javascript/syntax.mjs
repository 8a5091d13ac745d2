// The syntax of a call: what it says, or the first thing that is wrong with it.

import { Schema } from "./schema.mjs";

export const OPEN = Buffer.from("<call>"), CLOSE = Buffer.from("</call>");
const set = (s) => new Set(Buffer.from(s, "latin1"));
const range = (from, to) => String.fromCharCode(...Array.from({ length: to - from }, (_, i) => from + i));
export const WS = set(" \t\r\n");
const HIGH = range(0x80, 0x100);
const LETTERS = range(65, 91) + range(97, 123);
const NAME_START = set(LETTERS + "_$@" + HIGH);
const NAME = set(LETTERS + "_$@0123456789-./:" + HIGH);
const KEY = set(range(0x21, 0x7f).replace(/[=.<>"'[\]{},]/g, "") + HIGH);
const BARE_KEY = new Set([...KEY].filter((c) => c !== 0x3a));
const ITEM_END = set(",]}\r\n"), BRACKETS = set("[{");
export const QUOTES = set("\"'"), BEFORE_QUOTE = set(" \t\r\n=[{(,:");
const ESCAPES = { '"': '"', "'": "'", "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
export const LIMITS = { bytes: 4 << 20, depth: 64, arguments: 1024, name: 256 };
export const code = (c) => c.charCodeAt(0);

export class Incomplete extends Error {} // more input may still change what was read

// The call is malformed; skipping goes on at byte skip, in quotes or not.
export class Fault extends Error {
  constructor(name, at, skip = at, quote = 0) {
    super(name);
    Object.assign(this, { code: name, at, skip, quote });
  }
}

export const startsWith = (text, tag, at) => text.length >= at + tag.length && text.compare(tag, 0, tag.length, at, at + tag.length) === 0;
export const prefix = (text, tag, at) => text.length > at && text.length < at + tag.length && tag.compare(text, at, text.length, 0, text.length - at) === 0;

// Does a call begin with the opener at i? Undefined: that is not known yet.
export function begins(text, i, limit) {
  let j = i + OPEN.length;
  while (j < text.length && WS.has(text[j]) && j - i < limit) j++;
  if (j - i >= limit) return false;
  return j === text.length ? undefined : NAME_START.has(text[j]) || BRACKETS.has(text[j]);
}

// The first byte from start that makes UTF-8 ill-formed, and whether the text
// ends within a character.
export function wellFormed(text, start) {
  for (let i = start; i < text.length; i++) {
    const c = text[i];
    if (c < 0x80) continue;
    const more = c < 0xc2 || c > 0xf4 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    if (!more) return [i, false];
    for (let n = 0; n < more; n++) {
      if (++i === text.length) return [-1, true];
      const low = n ? 0x80 : { 0xe0: 0xa0, 0xf0: 0x90 }[c] ?? 0x80;
      const high = n ? 0xbf : { 0xed: 0x9f, 0xf4: 0x8f }[c] ?? 0xbf;
      if (text[i] < low || text[i] > high) return [i, false];
    }
  }
  return [-1, false];
}

// Syntax: reads one call, which starts at byte start.
export class Call {
  constructor(text, start, tools, options, final) {
    Object.assign(this, { text, start, tools, options, final, entries: [], depth: 0, body: false });
    this.limits = { ...LIMITS, ...options.limits };
    this.stop = start + this.limits.bytes;
    [this.bad, this.cut] = wellFormed(text, start);
    this.i = start + OPEN.length;
  }

  // The next byte, or undefined where the input may end.
  peek(quote = 0, skip) {
    if (this.i >= this.stop && this.i < this.text.length) throw new Fault("call-too-long", this.stop, skip, quote);
    if (this.i === this.bad) throw new Fault("invalid-utf8", this.i, this.i, quote);
    if (this.i < this.text.length) return this.text[this.i];
    if (!this.final) throw new Incomplete();
    if (this.cut) throw new Fault("unterminated-call", this.i, this.i, quote);
  }

  must(quote, skip) {
    const c = this.peek(quote, skip);
    if (c === undefined) throw new Fault("unterminated-call", this.i, this.i, quote);
    return c;
  }

  // The tag that stands here. Half a tag at the end is a truncation.
  ahead(...tags) {
    for (const tag of tags) {
      if (startsWith(this.text, tag, this.i)) {
        if (tag === CLOSE && this.stop < this.i + tag.length) throw new Fault("call-too-long", this.stop, this.i);
        return tag;
      }
      if (prefix(this.text, tag, this.i)) {
        if (!this.final) throw new Incomplete();
        throw new Fault("unterminated-call", this.text.length);
      }
    }
  }

  // Notes a fault that is not of syntax. The first one stands.
  note(name, at) {
    this.fault ??= new Fault(name, at);
  }

  space() {
    while (WS.has(this.peek())) this.i++;
  }

  // Reads to the end of the call and over its close tag.
  read() {
    this.space();
    const begin = this.i;
    if (BRACKETS.has(this.must())) throw new Fault("expected-name", begin);
    while (NAME.has(this.peek())) {
      if (this.i - begin >= this.limits.name) throw new Fault("name-too-long", this.i);
      this.i++;
    }
    const c = this.end();
    if (c !== undefined && !WS.has(c) && c !== code("{")) throw new Fault("bad-name", this.i);
    this.name = this.text.toString("utf8", begin, this.i);
    if (this.tools && !this.tools.has(this.name)) this.note("unknown-tool", begin);
    this.schema = new Schema(this.tools?.get(this.name) ?? true);
    this.space();
    if (this.peek() === code("{")) {
      this.body = true;
      this.entries = this.object(true).content;
      this.space();
      if (this.end() !== undefined) throw new Fault("expected-close", this.i);
    } else this.arguments();
    this.closeAt = this.i;
    this.i += this.i < this.text.length ? CLOSE.length : 0;
  }

  // Undefined at the end of the call, or else the byte that stands there.
  end() {
    const c = this.peek();
    if (c === undefined && !this.options.acceptAtEnd) throw new Fault("unterminated-call", this.i);
    return this.ahead(CLOSE) ? undefined : c;
  }

  arguments() {
    const tree = new Map();
    for (;;) {
      this.space();
      if (this.end() === undefined) return;
      const begin = this.i, path = [this.key(KEY)];
      while (this.must() === code(".")) {
        if (path.length > this.limits.depth) throw new Fault("too-deep", this.i);
        this.i++;
        path.push(this.key(KEY));
      }
      if (this.text[this.i] !== code("=")) throw new Fault("expected-equals", this.i);
      this.i++;
      if (this.entries.length >= this.limits.arguments) this.note("too-many-arguments", begin);
      const keys = this.schema.resolve(path), last = keys.at(-1);
      let group = tree;
      for (const key of keys.slice(0, -1)) {
        if (!group.has(key)) group.set(key, new Map());
        group = group.get(key);
        if (!group) {
          this.note("path-conflict", begin);
          group = new Map();
        }
      }
      if (group.has(last)) this.note(group.get(last) ? "path-conflict" : "duplicate-key", begin);
      group.set(last, null);
      this.depth = path.length - 1;
      this.entries.push({ keys, at: begin, value: this.value(WS) });
      const c = this.end();
      if (c !== undefined && !WS.has(c)) throw new Fault("expected-space", this.i);
    }
  }

  key(bytes) {
    const begin = this.i;
    while (bytes.has(this.must())) this.i++;
    if (this.i === begin) throw new Fault("expected-key", begin);
    return this.text.toString("utf8", begin, this.i);
  }

  value(stops) {
    const c = this.peek();
    if (QUOTES.has(c)) return this.string();
    return c === code("[") ? this.array() : c === code("{") ? this.object() : this.bare(stops);
  }

  bare(stops) {
    const begin = this.i;
    for (let c; (c = this.peek()) !== undefined && !stops.has(c); this.i++) {
      const tag = c === code("<") && this.ahead(CLOSE, OPEN);
      if (tag === OPEN) throw new Fault("nested-call", this.i);
      if (tag) break;
    }
    let word = this.text.toString("utf8", begin, this.i);
    if (stops !== WS) word = word.replace(/[ \t]+$/, "");
    const odd = (quote) => word.split(quote).length % 2 === 0;
    const lost = odd('"') || (odd("'") && /[=[{(,:]'/.test(word));
    return { kind: "bare", at: begin, content: word, issue: lost && "open-quote" };
  }

  string() {
    const at = this.i, quote = this.text[at], parts = [];
    let plain = false, escaped = false;
    this.i++;
    for (let c; (c = this.must(quote)) !== quote; ) {
      const begin = this.i;
      const [length, said] = c === code("\\") ? this.escape() : [1];
      for (; this.i < begin + length; this.i++) this.must(quote, begin);
      if (c === code("\\")) {
        plain ||= said === undefined;
        escaped ||= said === '"' || said === "'";
      }
      parts.push(said === undefined ? this.text.subarray(begin, this.i) : Buffer.from(said));
    }
    this.i++;
    const content = Buffer.concat(parts).toString();
    return { kind: "string", at, content, issue: plain && escaped && "ambiguous-escape" };
  }

  // The length of the escape here, and what it says if it is one.
  escape() {
    const ahead = this.text.toString("latin1", this.i, this.i + 12);
    if (Object.hasOwn(ESCAPES, ahead[1] ?? "")) return [2, ESCAPES[ahead[1]]];
    const unit = (s) => (/^\\u[0-9a-fA-F]{4}/.test(s) ? parseInt(s.slice(2, 6), 16) : -1);
    const first = unit(ahead), second = unit(ahead.slice(6));
    if (first < 0) return [2];
    if (first < 0xd800 || first > 0xdfff) return [6, String.fromCharCode(first)];
    if (first < 0xdc00 && second >= 0xdc00 && second < 0xe000) return [12, String.fromCharCode(first, second)];
    return [6];
  }

  nest(levels) {
    if (this.depth + levels > this.limits.depth) throw new Fault("too-deep", this.i);
    this.depth += levels;
    this.i++;
    this.space();
  }

  // Reads what stands between brackets, each part by one call of read.
  list(levels, closer, read) {
    this.nest(levels);
    while (this.must() !== closer) {
      read();
      this.space();
      const c = this.must();
      if (c !== code(",") && c !== closer) throw new Fault("expected-comma", this.i);
      if (c === closer) break;
      this.i++;
      this.space();
    }
    this.i++;
    this.depth -= levels;
  }

  item() {
    const c = this.must();
    if (c !== code("\r") && ITEM_END.has(c) || c === code("<") && this.ahead(CLOSE)) throw new Fault("expected-value", this.i);
    return this.value(ITEM_END);
  }

  array() {
    const at = this.i, content = [];
    this.list(1, code("]"), () => content.push(this.item()));
    return { kind: "array", at, content, end: this.i };
  }

  object(top = false) {
    const begin = this.i, content = [], seen = new Set();
    this.list(top ? 0 : 1, code("}"), () => {
      const at = this.i, quoted = QUOTES.has(this.must()) && this.string();
      const key = quoted ? quoted.content : this.key(BARE_KEY);
      this.space();
      if (this.must() !== code(":")) throw new Fault("expected-colon", this.i);
      this.i++;
      if (top && content.length >= this.limits.arguments) this.note("too-many-arguments", at);
      if (seen.has(key)) this.note("duplicate-key", at);
      seen.add(key);
      this.space();
      content.push({ keys: [key], at, issue: quoted.issue, value: this.item() });
    });
    return { kind: "object", at: begin, content, end: this.i };
  }
}
