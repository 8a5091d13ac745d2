// JSON values, what a JSON Schema allows, and the typing of what a call says.

const TYPES = ["null", "boolean", "number", "integer", "string", "array", "object"];
const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

// Values: null, booleans, strings, arrays, maps, and numbers by their digits.
class Digits {
  constructor(text) {
    this.text = text;
    const [number, exponent = "0"] = text.toLowerCase().split("e");
    const [whole, fraction = ""] = number.replace("-", "").split(".");
    const digits = (whole + fraction).replace(/^0+/, ""), short = digits.replace(/0+$/, "");
    this.scale = short ? BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - short.length) : 0n;
    this.value = short ? `${number[0] === "-" ? "-" : ""}${short}e${this.scale}` : "0";
  }
}

function kindOf(v) {
  if (v === null) return "null";
  if (v instanceof Digits) return v.scale >= 0n ? "integer" : "number";
  return Array.isArray(v) ? "array" : v instanceof Map ? "object" : typeof v;
}

// A text that is the same for equal values.
function same(v) {
  if (v instanceof Digits) return v.value;
  if (Array.isArray(v)) return `[${v.map(same)}]`;
  if (v instanceof Map) return `{${[...v].map(([k, x]) => JSON.stringify(k) + ":" + same(x)).sort()}}`;
  return JSON.stringify(v);
}

export function dump(v) {
  if (v instanceof Digits) return v.text;
  if (Array.isArray(v)) return `[${v.map(dump)}]`;
  if (v instanceof Map) return `{${[...v].map(([k, x]) => JSON.stringify(k) + ":" + dump(x))}}`;
  return JSON.stringify(v);
}

function literal(word) {
  const words = { null: null, true: true, false: false };
  return Object.hasOwn(words, word) ? [words[word]] : NUMBER.test(word) ? [new Digits(word)] : [];
}

// A member of an enum, as JSON.parse gives it.
function member(v) {
  if (typeof v === "number") return new Digits(String(v));
  if (Array.isArray(v)) return v.map(member);
  return v && typeof v === "object" ? new Map(Object.entries(v).map(([k, x]) => [k, member(x)])) : v;
}

// What a JSON Schema allows: alternatives of types and perhaps an enum.
export class Schema {
  constructor(node = true, root = node, deep = 0) {
    Object.assign(this, { root, deep, forms: [{ types: TYPES }], properties: new Map(), patterns: [], required: [], closed: false });
    if (!node || typeof node !== "object" || deep > 32) return;
    if (node.type) this.narrow([{ types: [node.type].flat().flatMap((t) => (t === "number" ? [t, "integer"] : t)) }]);
    const members = Object.hasOwn(node, "const") ? [node.const] : node.enum;
    if (members) {
      const all = members.map(member).concat(node.nullable === true ? [null] : []), kinds = all.map(kindOf);
      const both = this.forms[0].types.filter((t) => kinds.includes(t));
      this.forms = [{ types: both.length ? both : kinds, members: new Set(all.map(same)) }];
    }
    if (node.nullable === true) for (const f of this.forms) f.types = [...f.types, "null"];
    this.properties = new Map(Object.entries(node.properties ?? {}));
    this.closed = "properties" in node;
    this.patterns = Object.entries(node.patternProperties ?? {});
    this.required = [...(node.required ?? [])];
    this.items = node.items;
    this.more = node.additionalProperties;
    if (node.$ref) this.merge([this.find(node.$ref)], true);
    for (const part of node.allOf ?? []) this.merge([part], true);
    for (const word of ["anyOf", "oneOf"]) if (node[word]?.length) this.merge(node[word], false);
  }

  sub(node) {
    return new Schema(node, this.root, this.deep + 1);
  }

  find(ref) {
    const parts = ref.replace(/^#\/?/, "").split("/").filter(Boolean);
    return parts.reduce((node, part) => node?.[part.replace(/~1/g, "/").replace(/~0/g, "~")], this.root) ?? true;
  }

  narrow(forms) {
    const both = this.forms.flatMap((a) => forms.map((b) => ({
      types: a.types.filter((t) => b.types.includes(t)),
      members: a.members && b.members ? new Set([...a.members].filter((m) => b.members.has(m))) : a.members ?? b.members,
    })));
    const possible = both.filter((f) => f.types.length);
    if (possible.length) this.forms = possible;
  }

  merge(nodes, every) {
    const others = nodes.map((node) => this.sub(node));
    this.narrow(others.flatMap((other) => other.forms));
    for (const other of others) {
      for (const [name, node] of other.properties) {
        const mine = this.properties.get(name);
        this.properties.set(name, mine === undefined ? node : { [every ? "allOf" : "anyOf"]: [mine, node] });
      }
      this.patterns.push(...other.patterns);
      if (every) this.required.push(...other.required.filter((r) => !this.required.includes(r)));
      this.items ??= other.items;
      this.more ??= other.more;
      this.closed ||= other.closed;
    }
  }

  allows(kind) {
    return this.forms.some((f) => f.types.includes(kind));
  }

  silent() {
    return this.forms.some((f) => !f.members && TYPES.every((t) => f.types.includes(t)));
  }

  rank(v) {
    const fit = this.forms.filter((f) => f.types.includes(kindOf(v)));
    return fit.some((f) => !f.members || f.members.has(same(v))) ? 2 : fit.length ? 1 : 0;
  }

  // The schema of a property, or undefined for one that is unknown.
  child(key) {
    if (this.properties.has(key)) return this.sub(this.properties.get(key));
    const pattern = this.patterns.find(([p]) => new RegExp(p, "u").test(key));
    if (pattern) return this.sub(pattern[1]);
    if (this.more === false || (this.more === undefined && this.closed && !this.patterns.length)) {
      return this.required.includes(key) ? this.sub(true) : undefined;
    }
    return this.sub(this.more ?? true);
  }

  // Joins the segments of a path where a dotted property is declared.
  resolve(path) {
    const out = [];
    for (let schema = this; path.length; ) {
      let n = path.length;
      while (n > 1 && !schema.properties.has(path.slice(0, n).join("."))) n--;
      out.push(path.slice(0, n).join("."));
      path = path.slice(n);
      schema = schema.child(out.at(-1)) ?? new Schema();
    }
    return out;
  }
}

// Turns what a call says into JSON, and collects the issues.
export class Typing {
  constructor(call) {
    Object.assign(this, { call, issues: [], unknown: new Set() });
  }

  issue(name, path, at) {
    if (name) this.issues.push({ code: name, path, at });
  }

  arguments() {
    const out = new Map(), groups = new Map([["", { schema: this.call.schema, have: out }]]);
    for (const { keys, at, issue, value } of this.call.entries) {
      let have = out, path = "", schema = this.call.schema;
      keys.forEach((key, n) => {
        path += (path && ".") + key;
        schema = this.member(schema, key, path, at);
        if (n === keys.length - 1) return;
        if (!have.has(key)) {
          if (!schema.rank(new Map())) this.issue("type-mismatch", path, at);
          have.set(key, new Map());
          groups.set(path, { schema, have: have.get(key) });
        }
        have = have.get(key);
      });
      this.issue(issue, path, at);
      have.set(keys.at(-1), this.value(value, schema, path));
    }
    return [out, groups];
  }

  // What is missing, once the call is known to be complete.
  finish(groups) {
    const at = this.call.body ? this.call.text.lastIndexOf("}", this.call.closeAt - 1) : this.call.closeAt;
    for (const [path, { schema, have }] of groups) this.missing(schema, have, path, at);
  }

  missing(schema, have, path, at) {
    for (const name of schema.required) if (!have.has(name)) this.issue("missing-argument", path + (path && ".") + name, at);
  }

  member(schema, key, path, at) {
    const child = schema.child(key);
    if (!child && !this.unknown.has(path)) {
      this.unknown.add(path);
      this.issue("unknown-argument", path, at);
    }
    return child ?? new Schema();
  }

  value(v, schema, path) {
    this.issue(v.issue, path, v.at);
    if (v.kind === "bare" || v.kind === "string") return this.scalar(v, schema, path);
    const inside = schema.allows(v.kind) ? schema : new Schema(), before = this.issues;
    let out = [];
    this.issues = [];
    if (v.kind === "array") {
      const items = inside.sub(inside.items ?? true);
      out = v.content.map((x, i) => this.value(x, items, `${path}[${i}]`));
    } else {
      out = new Map();
      for (const { keys: [key], at, issue, value } of v.content) {
        const inner = `${path}.${key}`, child = this.member(inside, key, inner, at);
        this.issue(issue, inner, at);
        out.set(key, this.value(value, child, inner));
      }
      this.missing(inside, out, path, v.end - 1);
    }
    const inner = this.issues;
    this.issues = before;
    this.check(out, schema, path, v.at);
    this.issues.push(...inner);
    return out;
  }

  scalar(v, schema, path) {
    const word = v.content, bare = v.kind === "bare", plain = (bare ? literal(word) : []).concat(word);
    if (this.call.body || schema.silent()) return this.check(plain[0], schema, path, v.at);
    const readings = bare ? plain : [word, ...literal(word)];
    const rank = Math.max(...readings.map((r) => schema.rank(r)));
    const best = rank ? readings.find((r) => schema.rank(r) === rank) : plain[0];
    if (!bare && best !== word) this.issue("coerced", path, v.at);
    return this.check(best, schema, path, v.at);
  }

  check(v, schema, path, at) {
    const rank = schema.rank(v);
    if (rank < 2) this.issue(rank ? "not-in-enum" : "type-mismatch", path, at);
    return v;
  }
}
