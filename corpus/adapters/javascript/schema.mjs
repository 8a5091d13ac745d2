// What a JSON Schema says of a place: which types are allowed, and what is below.

import { same, typeOf } from "./json.mjs";

const TYPES = ["null", "boolean", "number", "integer", "string", "array", "object"];
const list = (v) => (Array.isArray(v) ? v : []);
const map = (v) => (v instanceof Map ? v : new Map());
const node = (word, nodes) => (nodes.length === 1 ? nodes[0] : new Map([[word, nodes]]));
const wide = (types) => types.flatMap((t) => (t === "number" ? [t, "integer"] : [t]));

// Allowed types: a Map from each of them to true, or to the set of its members
// where an enum allows no others.
const free = (types) => new Map(wide(types).map((t) => [t, true]));

function both(a, b) {
  const out = new Map();
  for (const [t, m] of a) {
    const n = b.get(t);
    if (n) out.set(t, m === true ? n : n === true ? m : new Set([...m].filter((x) => n.has(x))));
  }
  return out;
}

function either(a, b) {
  const out = new Map(a);
  for (const [t, n] of b) {
    const m = out.get(t) ?? new Set();
    out.set(t, m === true || n === true ? true : new Set([...m, ...n]));
  }
  return out;
}

function allowed(part) {
  const types = part.has("type") ? free([part.get("type")].flat()) : free(TYPES);
  const members = part.has("const") ? [part.get("const")] : part.get("enum");
  if (!Array.isArray(members)) return types;
  const numeric = (t) => (t === "integer" ? "number" : t); // any number is of a member's type
  const listed = new Map(wide(members.map(typeOf).map(numeric)).map((t) => [t, new Set()]));
  for (const m of members) listed.get(typeOf(m)).add(same(m));
  const fits = members.some((m) => types.has(typeOf(m)));
  return fits ? both(types, listed) : listed; // without one the enum decides
}

// The union that a nullable schema is.
const unions = new WeakMap();

function orNull(schema) {
  if (!unions.has(schema)) {
    const rest = new Map([...schema].filter(([word]) => word !== "nullable"));
    unions.set(schema, new Map([["anyOf", [rest, new Map([["type", "null"]])]]]));
  }
  return unions.get(schema);
}

// The types that keywords imply where none is named.
const IMPLIED = { properties: "object", patternProperties: "object", required: "object", additionalProperties: "object", items: "array", prefixItems: "array" };

function implied(parts) {
  const words = parts.flatMap((p) => [...p]), named = words.some(([word]) => ["type", "enum", "const"].includes(word));
  const types = words.filter(([word, v]) => Object.hasOwn(IMPLIED, word) && v instanceof Object).map(([word]) => IMPLIED[word]);
  return free(named || !types.length ? TYPES : types);
}

function pattern(text) {
  try {
    return new RegExp(text, "u");
  } catch {
    return /$^/; // no regular expression: it matches nothing
  }
}

export class Schema {
  // A root is a node that references are resolved in; nodes are values of json.mjs.
  constructor(self = true, root = self, known = new WeakMap()) {
    Object.assign(this, { root, known, parts: new Set() });
    if (self instanceof Map) known.set(self, this);
    this.gather(self);
    const parts = [...this.parts], all = (word) => parts.map((p) => p.get(word));
    const members = (word) => all(word).flatMap((v) => [...map(v)]);
    // An alternative that leads back here has no types yet, and adds nothing.
    const schemas = (nodes) => list(nodes).map((n) => this.at(n)).filter((s) => s.types);
    this.choices = [...all("anyOf"), ...all("oneOf")].map(schemas).filter((choice) => choice.length);
    this.patterns = members("patternProperties").map(([p, n]) => [pattern(p), n]);
    this.required = [...new Set([...all("required").flatMap(list), ...this.choices.flatMap(common)])];
    const names = members("properties").map(([name]) => name);
    this.properties = new Set([...names, ...this.choices.flat().flatMap((s) => [...s.properties])]);
    this.names = new Set([...this.properties, ...this.required]);
    this.required = [...this.names].filter((name) => this.required.includes(name)); // in this order
    this.longest = [...this.names].reduce((n, name) => Math.max(n, name.length), 0);
    const unions = this.choices.map((choice) => choice.map((s) => s.types).reduce(either));
    const types = [...parts.map(allowed), ...unions, implied(parts)].reduce(both, free(self === false ? [] : TYPES));
    this.types = types;
    this.silent = TYPES.every((t) => this.types.get(t) === true);
  }

  // The schemas that hold here together: a node, what it refers to, its allOf.
  gather(self) {
    if (self instanceof Map && self.get("nullable") === true) self = orNull(self);
    if (!(self instanceof Map) || this.parts.has(self)) return;
    this.parts.add(self);
    if (self.has("$ref")) this.gather(this.find(String(self.get("$ref"))));
    for (const n of list(self.get("allOf"))) this.gather(n);
  }

  find(ref) {
    const steps = ref.replace(/^#\/?/, "").split("/").filter(Boolean);
    const down = (n, step) => (n instanceof Map ? n.get(step.replace(/~1/g, "/").replace(/~0/g, "~")) : list(n)[step]);
    return steps.reduce(down, this.root);
  }

  at(n) {
    return n === true ? ANY : this.known.get(n) ?? new Schema(n, this.root, this.known);
  }

  // How well a value fits: 2 type and enum, 1 the type alone, 0 not at all.
  rank(v) {
    const members = this.types.get(typeOf(v));
    return !members ? 0 : members === true || members.has(same(v)) ? 2 : 1;
  }

  // Takes the next key of a path: the longest declared one, dots in it or not.
  take(keys) {
    let n = 1;
    for (let i = 1, whole = keys[0]; i < keys.length && whole.length < this.longest; ) {
      whole += "." + keys[i++];
      if (this.names.has(whole)) n = i;
    }
    return keys.splice(0, n).join(".");
  }

  // The schema of a property; undefined where the object is closed to it.
  child(key) {
    const n = this.below(key);
    return n === undefined ? undefined : this.at(n);
  }

  below(key) {
    const parts = [...this.parts], nodes = [];
    for (const p of parts) if (map(p.get("properties")).has(key)) nodes.push(p.get("properties").get(key));
    for (const [p, n] of this.patterns) if (p.test(key)) nodes.push(n);
    const found = nodes.length > 0 || this.names.has(key);
    const more = parts.filter((p) => p.has("additionalProperties")).map((p) => p.get("additionalProperties"));
    const shut = more.length ? more.includes(false) : !this.patterns.length && parts.some((p) => p.has("properties"));
    if (!found && shut) return undefined;
    if (!nodes.length && !shut) nodes.push(...more);
    for (const choice of this.choices) {
      const admit = those(choice, "object").map((s) => s.below(key)).filter((n) => n !== undefined);
      if (!found && !admit.length) return undefined;
      const some = admit.filter((n) => n !== true);
      if (some.length) nodes.push(node("anyOf", some));
    }
    return nodes.length ? node("allOf", nodes) : true;
  }

  // The schema of an element of an array.
  item(i) {
    return this.at(this.element(i));
  }

  element(i) {
    const said = [...this.parts].map((p) => list(p.get("prefixItems"))[i] ?? p.get("items"));
    const nodes = said.filter((n) => n !== undefined);
    for (const choice of this.choices) nodes.push(node("anyOf", those(choice, "array").map((s) => s.element(i))));
    return nodes.length ? node("allOf", nodes) : true;
  }
}

// The alternatives that allow a type, or all where none does.
function those(choice, type) {
  const some = choice.filter((s) => s.types.has(type));
  return some.length ? some : choice;
}

// What every alternative requires.
function common(choice) {
  return those(choice, "object").map((s) => s.required).reduce((a, b) => a.filter((r) => b.includes(r)));
}

export const ANY = new Schema();
