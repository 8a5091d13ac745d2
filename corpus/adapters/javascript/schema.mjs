// JSON values whose numbers keep their digits, and what a JSON Schema allows at one place.
// Objects are Maps: to a Map the key __proto__ is like any other.

const NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g;
const WORDS = new Map([["null", null], ["true", true], ["false", false]]);
const TYPES = ["null", "boolean", "number", "string", "array", "object"];
const IMPLIED = {
  properties: "object", patternProperties: "object", required: "object",
  additionalProperties: "object", items: "array", prefixItems: "array",
};

// s without the given characters at its end; a regular expression would be quadratic.
export function trimEnd(s, characters) {
  let end = s.length;
  while (end > 0 && characters.includes(s[end - 1])) end--;
  return s.slice(0, end);
}

// A JSON number: written with the digits it came with, and compared by value.
class Digits {
  constructor(text) {
    const [, sign, whole, fraction = "", exponent = "0"] = NUMBER.exec(text);
    const significant = trimEnd(whole + fraction, "0"), shift = whole.length - significant.length;
    const power = BigInt(exponent.replace("+", "").slice(0, 999)) + BigInt(shift);
    this.text = text;
    this.value = significant ? `${sign}${significant.replace(/^0+/, "")}e${power}` : "0";
    this.integral = !significant || power >= 0n;
  }
}

// Reads JSON. Numbers go through JSON.parse as objects, for it would round them.
export function load(text) {
  const wrap = (token) => (token[0] === '"' ? token : `{"\\u0000":"${token}"}`);
  return JSON.parse(text.replace(TOKEN, wrap), (_, v) => {
    if (typeName(v) !== "object") return v;
    return Object.hasOwn(v, "\0") ? new Digits(v["\0"]) : new Map(Object.entries(v));
  });
}

export function dump(v, number = (digits) => digits.text, sorted = false) {
  if (v instanceof Digits) return number(v);
  if (Array.isArray(v)) return `[${v.map((one) => dump(one, number, sorted))}]`;
  if (!(v instanceof Map)) return JSON.stringify(v);
  const member = ([key, one]) => `${JSON.stringify(key)}:${dump(one, number, sorted)}`;
  return `{${sorted ? [...v].map(member).sort() : [...v].map(member)}}`;
}

const same = (a, b) => {
  const [first, second] = [a, b].map((v) => dump(v, (digits) => digits.value, true));
  return first === second;
};

// What a word is as a JSON literal: a list of one value, or of none.
export function literal(word) {
  if (WORDS.has(word)) return [WORDS.get(word)];
  return NUMBER.test(word) ? [new Digits(word)] : [];
}

function typeName(v) {
  if (v === null) return "null";
  if (v instanceof Digits) return "number";
  return Array.isArray(v) ? "array" : typeof v;
}

function fits(v, types) {
  const name = typeName(v);
  return types.includes(name) || (name === "number" && v.integral && types.includes("integer"));
}

// 2: the value fits the type and the enum of the schema; 1: the type alone; 0: neither.
function rankIn(schema, v) {
  let types = [schema.get("type") ?? TYPES].flat();
  const listed = schema.get("enum") ?? (schema.has("const") ? [schema.get("const")] : []);
  let members = listed.filter((member) => fits(member, types));
  // Where no member fits, the schema is wrong in itself: the enum decides.
  if (listed.length && !members.length) [members, types] = [listed, TYPES];
  if (!fits(v, types)) return 0;
  if (!members.length || members.some((member) => same(member, v))) return 2;
  return members.some((member) => typeName(member) === typeName(v)) ? 1 : 0;
}

// A way is a list of schemas that hold together, of which only what they say of
// one value and below it counts.

const said = (way, word) => way.filter((s) => s.has(word)).map((s) => s.get(word));

function rankOf(way, v) {
  const typed = ["type", "enum", "const"].some((word) => said(way, word).length);
  if (typed) return Math.min(...way.map((schema) => rankIn(schema, v)));
  const implies = ([word]) => said(way, word).some((s) => s instanceof Object);
  const implied = Object.entries(IMPLIED).filter(implies).map(([, type]) => type);
  return !implied.length || fits(v, implied) ? 2 : 0;
}

function closed(way) {
  const more = said(way, "additionalProperties");
  if (more.length) return more.includes(false);
  return said(way, "properties").length > 0 && !said(way, "patternProperties").length;
}

// The schemas of a property, or of the element at an index.
function below(way, key) {
  if (typeof key === "number") {
    const elements = way.map((s) => s.get("prefixItems")?.[key] ?? s.get("items"));
    return elements.filter((schema) => schema !== undefined);
  }
  const found = said(said(way, "properties"), key);
  for (const [pattern, schema] of said(way, "patternProperties").flatMap((p) => [...p])) {
    if (new RegExp(pattern, "u").test(key)) found.push(schema);
  }
  if (found.length || closed(way)) return found;
  return said(way, "additionalProperties").filter((schema) => schema instanceof Map);
}

// Every way to take one list from each of the lists of lists, joined.
const product = (lists) =>
  lists.reduce((ways, list) => ways.flatMap((a) => list.map((b) => [...a, ...b])), [[]]);

// A place in the arguments: what holds there is any one of its ways.
export class Place {
  constructor(root, ...unions) {
    this.root = root;
    this.ways = unions.flatMap((all) => product(all.map((schema) => this.expand(schema))));
    this.objects = this.ways.filter((way) => rankOf(way, new Map()));
    const properties = this.objects.flatMap((way) => said(way, "properties"));
    const names = properties.flatMap((p) => [...p.keys()]);
    const [first = [], ...rest] = this.objects.map((way) => said(way, "required").flat());
    const needed = new Set(first.filter((name) => rest.every((list) => list.includes(name))));
    this.declared = new Set([...names, ...needed]);
    this.required = [...this.declared].filter((name) => needed.has(name));
  }

  // The ways of one schema: references, allOf, anyOf, oneOf and nullable multiplied out.
  expand(schema, above = []) {
    if (!(schema instanceof Map)) return schema === false ? [[new Map([["type", []]])]] : [[]];
    const choices = [...said([schema], "anyOf"), ...said([schema], "oneOf")];
    if (above.includes(schema)) return choices.length ? [] : [[]]; // a circle: it says nothing new
    for (const one of schema.get("allOf") ?? []) choices.push([one]);
    if (schema.has("$ref")) choices.push([this.find(schema.get("$ref"))]);
    const expand = (one) => this.expand(one, [...above, schema]);
    const ways = product([[[schema]], ...choices.map((choice) => choice.flatMap(expand))]);
    return schema.get("nullable") === true ? [...ways, [new Map([["type", "null"]])]] : ways;
  }

  // The schema that a JSON pointer leads to.
  find(reference) {
    let schema = this.root;
    for (let key of reference.split("/").slice(1)) {
      key = key.replaceAll("~1", "/").replaceAll("~0", "~");
      schema = schema instanceof Map ? schema.get(key) : schema[key];
    }
    return schema;
  }

  rank(v) {
    return Math.max(0, ...this.ways.map((way) => rankOf(way, v)));
  }

  // The place of a property, undefined if that is unknown; or that of an element.
  child(key) {
    const index = typeof key === "number";
    const ways = index ? this.ways.filter((way) => rankOf(way, [])) : this.objects;
    const unions = ways.map((way) => below(way, key)).filter((union) => union.length);
    const equal = (u, v) => u.length === v.length && u.every((schema, i) => schema === v[i]);
    const once = unions.filter((u, i) => unions.findIndex((v) => equal(u, v)) === i);
    if (once.length) return new Place(this.root, ...once);
    return index || this.declared.has(key) || !ways.every(closed) ? ANY : undefined;
  }
}

export const ANY = new Place(true, []);
