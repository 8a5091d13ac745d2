// The page of the playground. All that it shows comes from the library: through
// wasm in a browser alone, or from callwire where that serves the page.
"use strict";

const $ = (id) => document.getElementById(id);
const fields = ["text", "tools", "protocol", "open", "close"];
const checks = ["strict", "stopAfterMalformed", "acceptAtEnd", "salvage"];
const started = {
  text: 'Let me check.\n<call>getWeather location="New York" units=metric</call>\n<call>getWeather location = Oslo</call>\nBack in a minute.',
  tools: JSON.stringify([{ name: "getWeather", description: "Tells the weather of a place.", inputSchema: { type: "object", properties: { location: { type: "string" }, units: { enum: ["metric", "imperial"] }, days: { type: "integer" } }, required: ["location"] } }], null, 2),
  salvage: true, // as callwire parse reads it
};

let ask; // a request to an answer
let answer; // the last one
let source; // the bytes of the text that it is about
let every = false; // every split was asked for
let cases = [];

// --- the engine

async function startEngine() {
  const served = document.documentElement.dataset.engine;
  if (served) {
    return async (request) => (await fetch(served, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request) })).json();
  }
  await new Promise((done, fail) => {
    const script = document.createElement("script");
    script.src = "wasm_exec.js";
    script.onload = done;
    script.onerror = () => fail(new Error("wasm_exec.js is not there"));
    document.head.append(script);
  });
  const go = new Go();
  const bytes = await (await fetch("callwire.wasm")).arrayBuffer();
  go.run((await WebAssembly.instantiate(bytes, go.importObject)).instance);
  return async (request) => JSON.parse(globalThis.callwire(JSON.stringify(request)));
}

// --- what is asked

function request() {
  const r = { cut: Number($("cut").value), everySplit: every };
  for (const id of fields) r[id] = $(id).value;
  for (const id of checks) r[id] = $(id).checked;
  return r;
}

function put(r) {
  for (const id of fields) $(id).value = r[id] ?? (id === "protocol" ? "wire" : "");
  for (const id of checks) $(id).checked = Boolean(r[id]);
  $("cut").max = new TextEncoder().encode($("text").value).length;
  $("cut").value = r.cut ?? Math.floor($("cut").max / 2);
}

let asked = 0;
async function read() {
  const mine = ++asked;
  root.dataset.busy = "true";
  const size = new TextEncoder().encode($("text").value).length;
  $("cut").max = size;
  if (!ask) return;
  let got;
  const r = request();
  try {
    got = await ask(r);
  } catch (e) {
    got = { error: String(e.message ?? e), segments: [], lexemes: [], chunks: [], tools: { signatures: [], manual: "", schema: 0 }, protocols: [] };
  }
  if (mine !== asked) return; // something was typed since
  answer = got;
  source = new TextEncoder().encode(r.text);
  show();
  delete root.dataset.busy;
}

// changed forgets what was found for another text.
function changed() {
  every = false;
  $("shared").textContent = "";
  read();
}

// --- what is shown

// part is the text between two offsets.
const part = (start, end) => new TextDecoder().decode(source.subarray(start, end));

// make makes an element: a tag with classes, and what is in it.
function make(tag, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  element.className = classes.join(" ");
  element.append(...children.filter((c) => c !== "" && c !== undefined && c !== null));
  return element;
}

// visible shows what a text has that would not be seen, as sig.Invisible has it: not the joiners,
// the selectors of a glyph, and the signs around numbers.
const visible = (s) => s.replace(/(?![\t\n\u200c\u200d\u180b-\u180d\u180f\ufe00-\ufe0f\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
  (c) => c.split("").map((unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0")).join(""));

const spec = (id) => {
  const link = make("a", id);
  link.href = "../spec/index.html#code." + id;
  return link;
};

function pretty(json) {
  if (json.length > 100_000) return json;
  try { // numbers keep their digits: only whitespace is added
    let out = "", depth = 0, quoted = false;
    const flat = json.length < 60;
    for (let i = 0; i < json.length; i++) {
      const c = json[i];
      out += c;
      if (quoted) {
        if (c === "\\") out += json[++i];
        else if (c === '"') quoted = false;
        continue;
      }
      if (c === '"') quoted = true;
      if (c === ":") out += " ";
      if (c === "," && flat) out += " ";
      if (flat) continue;
      if (c === "{" || c === "[") out += json[i + 1] === "}" || json[i + 1] === "]" ? "" : "\n" + "  ".repeat(++depth);
      if (c === ",") out += "\n" + "  ".repeat(depth);
      const next = json[i + 1];
      if ((next === "}" || next === "]") && c !== "{" && c !== "[") out += "\n" + "  ".repeat(--depth);
    }
    return out;
  } catch {
    return json;
  }
}

function segment(s) {
  const span = make("span.span", `${s.start}–${s.end}`);
  const text = part(s.start, s.end);
  if (s.type !== "tool-call" && s.type !== "malformed") return make("div.segment.text", make("h2", make("b", "text"), span), make("pre.source", visible(text).replaceAll("\n", "⏎\n")));
  const doubtful = s.issues?.length || s.afterMalformed;
  const head = make("h2", make("b", s.type === "tool-call" ? "▶ " + visible(s.name) : "✗ malformed"), s.code ? spec(s.code) : "", s.code ? make("span", `at ${s.at}`) : "", span);
  const box = make(`div.segment.${s.type}${doubtful ? ".doubtful" : ""}`, head);
  if (s.type === "malformed") {
    const before = part(s.start, s.at ?? 0);
    const rest = text.slice(before.length);
    const first = [...rest][0] ?? "⏎";
    box.append(make("pre", visible(before), make("mark", visible(first)), visible(rest.slice(first.length))), make("p.issue", visible(s.message)));
  } else {
    box.append(make("pre.source", visible(text)), make("pre.input", visible(pretty(s.input))));
  }
  for (const i of s.issues ?? []) box.append(make("p.issue", spec(i.code), ` at ${i.at}${i.path ? ": " + visible(i.path) : ""}`));
  if (s.afterMalformed) box.append(make("p.issue", "after a malformed call: make sure that it is meant"));
  if (s.feedback) box.append(make("details", make("summary", "What to tell the model"), make("pre.input", visible(s.feedback))));
  return box;
}

function show() {
  $("error").hidden = !answer.error;
  $("error").textContent = visible(answer.error ?? "");
  const wrong = answer.toolsError ?? (answer.problems ?? []).map((p) => `${p.tool ?? ""}${p.path ?? ""}: ${p.code}: ${p.message}`).join("\n");
  $("toolsError").hidden = !wrong;
  $("toolsError").textContent = visible(wrong ?? "");
  if (answer.protocols.length > $("protocol").options.length) {
    const chosen = wantedProtocol || $("protocol").value;
    $("protocol").replaceChildren(...answer.protocols.map((p) => make("option", p)));
    $("protocol").value = chosen;
  }
  $("segments").replaceChildren(...answer.segments.map(segment));
  if (!answer.segments.length) $("segments").append(make("p.hint", "Type a text on the left."));
  showEvents();
  showGrammar();
  showPrompt();
}

const quoted = (text) => text === undefined ? "" : JSON.stringify(text);

function showEvents() {
  $("cutAt").textContent = $("cut").value;
  const titles = ["First chunk", "Second chunk", "End of the text"];
  const [cut, end] = [Number($("cut").value), source.length];
  const texts = [part(0, cut), part(cut, end), ""];
  $("chunks").replaceChildren(...answer.chunks.map((events, i) => make("div.chunk", make("h2.part", titles[i]), texts[i] ? make("pre", visible(texts[i])) : "",
    events.length ? make("ol", ...events.map((e) => make("li", make("span.type." + e.type, e.type), " ", make("span.id", e.id ?? ""), " ", visible(e.name ?? ""), " ", visible(e.input ?? quoted(e.delta ?? e.text)), e.code ? spec(e.code) : "", e.code ? ` at ${e.at}` : ""))) : make("p.hint", "no event"))));
  const s = answer.splits;
  $("splits").textContent = !s ? "" : s.same ? `${s.tried} of ${s.of} splits in two, all the same` : `cut at ${s.differ}, an event differs`;
}

const kindClass = { open: "t", close: "t", name: "n", path: "n", key: "n", word: "v", string: "v", damaged: "x", fault: "x" };

// words returns what a call is made of: its lexemes, each with its kind, and what is between
// them.
function words(s) {
  const all = [];
  let at = s.start;
  let between = "open";
  const add = (kind, end, code) => {
    if (code || end > at) all.push(make("span." + (kindClass[kind] ?? "s"), make("small", kind), code || visible(part(at, end)).replaceAll(" ", "␣")));
    at = Math.max(at, end);
  };
  for (const x of answer.lexemes.filter((x) => x.Start >= s.start && x.End <= s.end)) {
    if (["open", "begin", "end"].includes(x.Kind)) continue; // punctuation is between lexemes
    if (x.Kind !== "damaged") add(between, x.Start);
    add(x.Kind, x.End, x.Code);
    between = "";
  }
  return all;
}

function showGrammar() {
  const calls = answer.segments.filter((s) => s.type === "tool-call" || s.type === "malformed");
  $("grammar").replaceChildren(...calls.flatMap((s) => [
    make("h2.part", visible(s.name || "malformed call"), " ", make("span.hint", `${s.start}–${s.end}`)),
    make("div.path", ...words(s)),
  ]));
  if (!calls.length) $("grammar").append(make("p.hint", "The words of each call are shown here; the text has none."));
  const link = make("a", "The whole grammar");
  link.href = "../spec/index.html#body";
  $("grammar").append(make("p", link));
}

function showPrompt() {
  const { signatures, manual, schema } = answer.tools;
  if (!signatures.length) return $("prompt").replaceChildren(make("p.hint", "What a model reads about the tools is shown here; there are none."));
  const bytes = (s) => new TextEncoder().encode(s).length;
  $("prompt").replaceChildren(
    make("table", make("tbody",
      make("tr", make("th", "Tools as JSON Schema"), make("td", `${schema} bytes`)),
      make("tr", make("th", "Manual for the system prompt"), make("td", `${bytes(manual)} bytes`)),
      make("tr", make("th", "of it the signatures"), make("td", `${bytes(signatures.join("\n"))} bytes`)))),
    make("h2.part", "Signatures"), scrolled(signatures.join("\n")),
    make("h2.part", "Manual"), scrolled(manual));
}

// scrolled shows a long text, which can be scrolled with the keyboard.
function scrolled(text) {
  const pre = make("pre", visible(text));
  pre.tabIndex = 0;
  return make("div.text", pre);
}

// --- links

const toBase64 = (bytes) => btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const fromBase64 = (s) => Uint8Array.from(atob(s.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const through = async (stream, bytes) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

async function share() {
  const r = request();
  delete r.everySplit;
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(r)));
  history.replaceState(null, "", "#s=" + toBase64(packed));
  try {
    await navigator.clipboard.writeText(location.href);
    $("shared").textContent = "copied";
  } catch {
    $("shared").textContent = "the link is in the address bar";
  }
}

let wantedProtocol = "";
async function fromLink() {
  const [kind, value] = location.hash.slice(1).split("=", 2);
  try {
    if (kind === "s") {
      const r = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), fromBase64(value))));
      wantedProtocol = r.protocol;
      put(r);
      return true;
    }
  } catch {
    $("shared").textContent = "the link is broken";
  }
  if (kind === "case") return putCase(decodeURIComponent(value));
  return false;
}

// --- cases of the corpus

async function loadCases() {
  try {
    cases = await (await fetch("cases.json")).json();
  } catch {
    return;
  }
  const topics = new Map();
  for (const c of cases) {
    const topic = c.id.split("/")[0];
    if (!topics.has(topic)) topics.set(topic, Object.assign(make("optgroup"), { label: topic }));
    const option = make("option", c.id.split("/")[1]);
    option.value = c.id;
    option.title = c.note;
    topics.get(topic).append(option);
  }
  $("example").append(...topics.values());
}

function putCase(id) {
  const c = cases.find((c) => c.id === id);
  if (!c) return false;
  put({ ...c.options, text: c.text, tools: c.tools ? JSON.stringify(c.tools, null, 2) : "", protocol: c.protocol });
  wantedProtocol = c.protocol ?? "";
  $("example").value = id;
  $("shared").textContent = c.note;
  return true;
}

// --- tabs, theme, start

const tabs = [...document.querySelectorAll("[role=tab]")];
function select(tab) {
  for (const t of tabs) {
    const on = t === tab;
    t.setAttribute("aria-selected", on);
    t.tabIndex = on ? 0 : -1;
    $(t.getAttribute("aria-controls")).hidden = !on;
  }
}
for (const [i, tab] of tabs.entries()) {
  tab.onclick = () => select(tab);
  tab.onkeydown = (e) => {
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1 }[e.key];
    if (to === undefined) return;
    const next = tabs[(to + tabs.length) % tabs.length];
    select(next);
    next.focus();
    e.preventDefault();
  };
}

const root = document.documentElement;
const stored = (() => { try { return localStorage.getItem("theme"); } catch { return null; } })();
root.dataset.theme = stored ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
$("theme").onclick = () => {
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  try { localStorage.setItem("theme", root.dataset.theme); } catch { /* it is forgotten then */ }
};

for (const id of [...fields, ...checks]) $(id).addEventListener("input", changed);
$("cut").addEventListener("input", read);
$("every").onclick = () => { every = true; read(); };
$("share").onclick = share;
$("example").onchange = () => { if (putCase($("example").value)) { history.replaceState(null, "", "#case=" + encodeURIComponent($("example").value)); every = false; read(); } };
addEventListener("keydown", (e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) share(); });
addEventListener("hashchange", async () => { if (await fromLink()) read(); });

(async () => {
  put(started);
  await loadCases();
  await fromLink();
  try {
    ask = await startEngine();
  } catch (e) {
    $("segments").replaceChildren(make("p.fault", "The reader could not be loaded: " + (e.message ?? e)));
    return;
  }
  await read();
  root.dataset.ready = "true";
})();
