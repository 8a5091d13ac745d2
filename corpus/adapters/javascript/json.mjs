// JSON values: null, booleans, strings, arrays, Maps for objects (to a Map the
// key __proto__ is like any other), and numbers by their digits.

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const PARTS = /^(-?)0*([0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
const WORDS = new Map([["null", null], ["true", true], ["false", false]]);

// s without the given characters at its end; a regular expression would be quadratic.
export function trimEnd(s, characters) {
  let end = s.length;
  while (end > 0 && characters.includes(s[end - 1])) end--;
  return s.slice(0, end);
}

// A number as it was written, never rounded.
export class Digits {
  constructor(text) {
    this.text = text;
  }

  // Digits without zeros at either end, and a power of ten: the same for equal
  // numbers. (Powers beyond 2^53 are rounded, and no digit of the number is.)
  get normal() {
    const [, sign, whole, fraction = "", exponent = "0"] = PARTS.exec(this.text);
    const digits = (whole + fraction).replace(/^0+/, ""), short = trimEnd(digits, "0");
    if (!short) return { power: 0, text: "0" };
    const power = Number(exponent) + digits.length - short.length - fraction.length;
    return { power, text: `${sign}${short}e${power}` };
  }
}

// What a bare word is as JSON, or undefined if it is none.
export function literal(word) {
  return WORDS.has(word) ? WORDS.get(word) : NUMBER.test(word) ? new Digits(word) : undefined;
}

export function typeOf(v) {
  if (v === null) return "null";
  if (v instanceof Digits) return v.normal.power >= 0 ? "integer" : "number";
  return Array.isArray(v) ? "array" : v instanceof Map ? "object" : typeof v;
}

// JSON text of a value. Its numbers are written by the function given.
export function dump(v, number = (digits) => digits.text, sorted = false) {
  if (v instanceof Digits) return number(v);
  if (Array.isArray(v)) return `[${v.map((x) => dump(x, number, sorted))}]`;
  if (!(v instanceof Map)) return JSON.stringify(v);
  const members = [...v].map(([key, x]) => `${JSON.stringify(key)}:${dump(x, number, sorted)}`);
  return `{${sorted ? members.sort() : members}}`;
}

// A text that is the same for equal values.
export const same = (v) => dump(v, (digits) => digits.normal.text, true);
