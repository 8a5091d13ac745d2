// What the page has beside its text: a search, the place in the contents, and links
// into the playground where that is beside the page. Without it nothing is missing
// but these.
const side = document.querySelector(".side");

// The search.
const text = (e) => (e?.textContent ?? "").replace(/\s+/g, " ").trim();
const entries = [];
const add = (id, name, note) => entries.push({ id, name, note, all: (name + " " + note).toLowerCase() });
for (const h of document.querySelectorAll("main :is(h2, h3)[id]")) add(h.id, text(h), "");
for (const r of document.querySelectorAll(".rule")) add(r.id, r.id, text(r.querySelector(".lead")));
for (const a of document.querySelectorAll("a[id^='code.']")) add(a.id, a.id.slice(5), text(a.closest("tr")?.cells[3]));
for (const p of document.querySelectorAll(".production, .token")) add(p.id, p.id.replace(/^\w+\./, ""), text(p.querySelector("p")));
for (const e of document.querySelectorAll(".example[id]")) add(e.id, e.id.slice(5), text(e.querySelector("figcaption > span:nth-child(2)")));

for (const find of document.querySelectorAll(".find")) {
  const [input, hits] = [find.querySelector("input"), find.querySelector("ol")];
  find.hidden = false;
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rank = (e) => (e.name.toLowerCase().startsWith(words[0]) ? 0 : e.name.toLowerCase().includes(words[0]) ? 1 : 2);
    const found = words.length ? entries.filter((e) => words.every((w) => e.all.includes(w))).sort((a, b) => rank(a) - rank(b)) : [];
    hits.replaceChildren(...found.slice(0, 12).map((e) => {
      const [item, link, note] = ["li", "a", "small"].map((tag) => document.createElement(tag));
      link.href = "#" + e.id;
      link.textContent = e.name;
      note.textContent = e.note.slice(0, 90);
      link.append(note);
      item.append(link);
      return item;
    }));
  });
  find.addEventListener("keydown", (e) => {
    if (e.key === "Escape") { input.value = ""; hits.replaceChildren(); }
    if (e.key === "Enter" && e.target === input) hits.querySelector("a")?.click();
  });
}
addEventListener("keydown", (e) => {
  if (e.key !== "/" || e.ctrlKey || e.metaKey || e.target.matches("input")) return;
  const find = [...document.querySelectorAll(".find input")].find((i) => i.offsetParent);
  find?.focus();
  e.preventDefault();
});

// The place in the contents.
const links = new Map([...side.querySelectorAll("a[href^='#']")].map((a) => [a.getAttribute("href").slice(1), a]));
const places = [...document.querySelectorAll("main :is(h2, h3)[id], main .rule[id]")].filter((e) => links.has(e.id));
let current;
const look = () => {
  let here = places[0];
  for (const p of places) { if (p.getBoundingClientRect().top > 120) break; here = p; }
  const link = links.get(here.id);
  if (link === current) return;
  current?.removeAttribute("aria-current");
  (current = link).setAttribute("aria-current", "true");
  const chapter = link.closest(".c").querySelector("details");
  for (const d of side.querySelectorAll("details[open]")) if (d !== chapter) d.open = false;
  if (chapter) chapter.open = true;
  const [a, s] = [link.getBoundingClientRect(), side.getBoundingClientRect()];
  if (a.top < s.top || a.bottom > s.bottom) side.scrollTop += a.top - s.top - s.height / 3;
};
let waiting = false;
addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; look(); }); } }, { passive: true });
look();

// The contents on a telephone.
document.querySelector(".up").addEventListener("click", () => { document.getElementById("contents").open = true; });

// The playground.
if (location.protocol !== "file:") {
  fetch("../playground/index.html", { method: "HEAD" }).then((r) => {
    if (!r.ok) return;
    const kind = document.querySelector(".title .kind");
    kind.append(" · ", Object.assign(document.createElement("a"), { href: "../playground/index.html", textContent: "Playground" }));
    for (const e of document.querySelectorAll(".example")) {
      const id = e.querySelector(".case").getAttribute("href").slice(6);
      const link = document.createElement("a");
      link.className = "try";
      link.href = "../playground/index.html#case=" + encodeURIComponent(id);
      link.textContent = "open in playground";
      if (!e.querySelector(".prompt, .name")) e.querySelector("figcaption").append(link);
    }
  }, () => {});
}
