// The two engines: llama.cpp's grammar, as node-llama-cpp builds it, and xgrammar
// as WebAssembly.

import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);
const modules = path.join(import.meta.dirname, "node_modules");

export const llama = require(path.join(modules, "@node-llama-cpp/linux-x64/bins/linux-x64/llama-addon.node"));

// The package claims to be an ES module, but contains a script for browsers.
const script = path.join(modules, "@mlc-ai/web-xgrammar/lib/index.js");
export const xgrammar = {};
new Function("exports", "module", "require", "__filename", "__dirname", fs.readFileSync(script, "utf8"))(
  xgrammar,
  { exports: xgrammar },
  require,
  script,
  path.dirname(script),
);
