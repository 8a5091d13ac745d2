// JSON with exact numbers, and what schemas allow at the place of a value.
// JSON is Map, Array, string (with one character for each byte), Digits, true, false and null.
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** A number as it is written. Equal numbers have one normal form, without zeros at its ends. */
class Digits {
  constructor(text) {
    const [, sign, whole, fraction = '', exponent = 0] = NUMBER.exec(text);
    const all = (whole + fraction).replace(/^0+/, '');
    const digits = all.replace(/(?<!0)0+$/, '');
    const power = BigInt(exponent) + BigInt(all.length - digits.length - fraction.length);
    Object.assign(this, { text, normal: digits && `${sign}${digits}e${power}` });
  }
}

/** The null, boolean or number that a word is, or else the word. */
export function literal(word) {
  if (/^(null|true|false)$/.test(word)) return JSON.parse(word);
  return NUMBER.test(word) ? new Digits(word) : word;
}

/** Writes JSON; in the canonical form equal values are equal texts. */
export function toJson(value, canonical = false) {
  const write = (item) => toJson(item, canonical);
  if (value instanceof Digits) return canonical ? value.normal : value.text;
  if (Array.isArray(value)) return `[${value.map(write)}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  const members = [...value].map((member) => member.map(write).join(':'));
  return `{${canonical ? members.sort() : members}}`;
}

export function typeOf(value) {
  if (value === null || Array.isArray(value)) return value ? 'array' : 'null';
  if (value instanceof Digits) return value.normal.includes('e-') ? 'number' : 'integer';
  return value instanceof Map ? 'object' : typeof value;
}

const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

const membersOf = (schema) => (schema.has('const') ? [schema.get('const')] : schema.get('enum'));

/** 2: the schema allows the value, which is of the type; 1: the type alone; 0: neither. */
function rank(schema, type, value) {
  const named = schema.get('type'); // one or several
  const allows = (t) => !named || named.includes(t) || (t === 'integer' && allows('number'));
  const members = membersOf(schema);
  if (!members) return allows(type) ? 2 : 0;
  const fitting = members.filter((member) => allows(typeOf(member)));
  if (fitting.length && !allows(type)) return 0; // where no member fits, the enum decides
  const like = (t) => t.replace('integer', 'number') === type.replace('integer', 'number');
  if (!(fitting.length ? fitting : members).some((member) => like(typeOf(member)))) return 0;
  return members.map((member) => toJson(member, true)).includes(toJson(value, true)) ? 2 : 1;
}

/** The alternatives that a schema leaves, each a list of schemas that hold together. */
function alternatives(schema, root, outer = []) {
  if (schema === false) return [];
  if (!(schema instanceof Map) || outer.includes(schema)) return [[]];
  const inner = (part) => alternatives(part, root, [...outer, schema]);
  const choices = (schema.get('allOf') ?? []).map(inner);
  if (schema.has('$ref')) choices.push(inner(follow(schema.get('$ref'), root)));
  if (schema.has('anyOf')) choices.push(schema.get('anyOf').flatMap(inner));
  if (schema.has('oneOf')) choices.push(schema.get('oneOf').flatMap(inner));
  const both = (all, choice) => all.flatMap((some) => choice.map((more) => [...some, ...more]));
  const all = choices.reduce(both, [[schema]]);
  return schema.get('nullable') === true ? [...all, [new Map([['type', 'null']])]] : all;
}

function unquote(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}
const follow = (pointer, root) => unquote(pointer).split('/').slice(1)
  .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  .reduce((at, name) => (at instanceof Map ? at.get(name) : at?.[name]), root);
const has = (schemas, ...keys) => schemas.some((schema) => keys.some((key) => schema.has(key)));

/** Of several enums the members count that all have. */
function withShared(schemas) {
  const enums = schemas.map(membersOf).filter((members) => members);
  if (enums.length < 2) return schemas;
  const texts = enums.map((members) => members.map((member) => toJson(member, true)));
  const shared = enums[0].filter((_, i) => texts.every((others) => others.includes(texts[0][i])));
  return [...schemas, new Map([['enum', shared]])];
}

/** Where schemas name no type, their keywords imply one. */
function withImplied(schemas) {
  const types = has(schemas, 'items', 'prefixItems') ? ['array'] : [];
  const rest = schemas.some((schema) => schema.get('additionalProperties') instanceof Map);
  if (rest || has(schemas, 'properties', 'patternProperties', 'required')) types.push('object');
  const silent = !types.length || has(schemas, 'type', 'enum', 'const');
  return silent ? schemas : [...schemas, new Map([['type', types]])];
}

/** The schemas that a schema has for an element or a property. */
function below(schema, key) {
  const element = schema.get('prefixItems')?.[key] ?? schema.get('items');
  if (typeof key === 'number') return element === undefined ? [] : [element];
  const utf16 = (bytes) => Buffer.from(bytes, 'latin1').toString();
  const matches = ([pattern]) => {
    try { return new RegExp(utf16(pattern)).test(utf16(key)); } catch { return true; }
  };
  const said = [...schema.get('patternProperties') ?? []].filter(matches).map(([, part]) => part);
  if (schema.get('properties')?.has(key)) said.push(schema.get('properties').get(key));
  const rest = schema.get('additionalProperties');
  return !said.length && rest instanceof Map ? [rest] : said;
}

/** The place of a value: its path, and all alternatives of schemas that apply there. */
export class Place {
  constructor(schema = true, root = schema, path = '') {
    Object.assign(this, { root, path, all: alternatives(schema, root).map(withShared).map(withImplied) });
  }
  rank(type, value) {
    const ofAll = (schemas) => Math.min(2, ...schemas.map((schema) => rank(schema, type, value)));
    return Math.max(0, ...this.all.map(ofAll));
  }
  allowing(type) {
    return this.all.filter((schemas) => schemas.every((schema) => rank(schema, type)));
  }
  /** Whether null is allowed besides other values, but not every value. */
  isOptional() {
    if (this.rank('null', null) < 2) return false;
    const kinds = TYPES.filter((type) => this.rank(type)).length;
    return kinds > 1 && kinds < TYPES.length;
  }
  /** The properties that are listed or required, in the schema's order, and whether required. */
  get declared() {
    const objects = this.allowing('object');
    const lists = objects.map((all) => all.flatMap((schema) => schema.get('required') ?? []));
    const required = lists[0]?.filter((name) => lists.every((list) => list.includes(name))) ?? [];
    const listed = objects.flat().flatMap((schema) => [...schema.get('properties')?.keys() ?? []]);
    return new Map([...listed, ...required].map((name) => [name, required.includes(name)]));
  }
  get closed() {
    const shut = (all) => all.some((schema) => schema.get('additionalProperties') === false)
      || (has(all, 'properties') && !has(all, 'additionalProperties', 'patternProperties'));
    return this.rank('object') > 0 && this.allowing('object').every(shut);
  }
  /** The place of an element or a property, which may be unknown. */
  below(key) {
    const [type, step] = typeof key === 'number' ? ['array', `[${key}]`]
      : ['object', `${this.path && '.'}${key}`];
    const said = this.allowing(type).map((all) => all.flatMap((schema) => below(schema, key)))
      .filter((schemas) => schemas.length).map((schemas) => new Map([['allOf', schemas]]));
    const schema = said.length ? new Map([['anyOf', said]]) : true;
    const place = new Place(schema, this.root, (this.path + step).slice(0, 1001)); // longer is cut
    place.unknown = type === 'object' && !said.length && this.closed && !this.declared.has(key);
    return place;
  }
}
