// Measures what a grammar costs, in milliseconds: to read or compile, and for each
// token of a text. The vocabulary has 32,000 words.
//
//   node cost.mjs FOLDER GRAMMAR.gbnf < texts, each a JSON string in a line

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { llama, xgrammar } from "./engines.mjs";
import { tokens, word, write } from "./model.mjs";

const size = 32000;
const letters = "etaoinshrdlucmfwypvbgk";
const many = [...tokens];
const seen = new Set(tokens.map((t) => t.text));
let state = 1;
const next = (n) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % n;
while (many.length < size) {
  let text = next(2) ? " " : "";
  for (let i = 2 + next(6); i > 0; i--) text += letters[next(letters.length)];
  const t = word(text);
  if (!seen.has(t.text)) {
    seen.add(t.text);
    many.push(t);
  }
}

const [folder, file] = process.argv.slice(2);
const gbnf = fs.readFileSync(file, "utf8");
const texts = fs.readFileSync(0, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const time = async (f) => {
  const from = process.hrtime.bigint();
  const value = await f();
  return [Number(process.hrtime.bigint() - from) / 1e6, value];
};
const show = (name, once, each, n) => console.log(`${name}: ${once.toFixed(1)} ms once, ${(each / n).toFixed(3)} ms for each of ${n} tokens`);

// llama.cpp first checks the token that the model prefers, and all others only if that
// one does not fit. The second case is the expensive one: it is measured with a model
// that has no preferences, in calls without prose.
const modelFile = path.join(folder, "many.gguf");
write(modelFile, many);
await llama.init();
llama.setLogger(() => {});
llama.loadBackends(path.join(import.meta.dirname, "node_modules/@node-llama-cpp/linux-x64/bins/linux-x64"));
const model = new llama.AddonModel(modelFile, { addonExports: llama, gpuLayers: 0 });
if (!(await model.init())) throw new Error("the model is not loaded");
const context = new llama.AddonContext(model, { contextSize: 64, batchSize: 1, sequences: 1, threads: 1 });
await context.init();
context.initBatch(1);
const [logits] = context.addToBatch(0, 0, Uint32Array.of(1), Uint32Array.of(0));
await context.decodeBatch();
const tokenize = (text) => model.tokenize(text, false);
{
  const call = gbnf.replace(/^.*/, "root ::= call");
  const [once, grammar] = await time(() => new llama.AddonGrammar(call, { addonExports: llama }));
  const generate = async (grammarEvaluationState, seed, most) => {
    const sampler = new llama.AddonSampler(model);
    sampler.applyConfig({ temperature: 100, seed, tokenBiasKeys: Uint32Array.of(0, 1), tokenBiasValues: Float32Array.of(-Infinity, -Infinity), ...(grammarEvaluationState && { grammarEvaluationState }) });
    let sum = 0, n = 0;
    for (let token = -1; n < most && token !== 2; n++) {
      const [took, sampled] = await time(() => context.sampleToken(logits, sampler));
      sum += took;
      token = sampled;
    }
    sampler.dispose();
    return [sum, n];
  };
  let each = 0, free = 0, n = 0;
  for (let seed = 0; seed < 20; seed++) {
    const [took, length] = await generate(new llama.AddonGrammarEvaluationState(model, grammar), seed, 100);
    each += took;
    n += length;
    free += (await generate(null, seed, length))[0];
  }
  show("llama.cpp", once, each - free, n);
}

// xgrammar: a mask for each token.
{
  const { Grammar, GrammarCompiler, GrammarMatcher, TokenizerInfo } = xgrammar;
  const info = await TokenizerInfo.createTokenizerInfo(many.map((t) => t.text), "byte_fallback", false, many.length, [2]);
  const compiler = await GrammarCompiler.createGrammarCompiler(info, false);
  const [once, compiled] = await time(async () => compiler.compileGrammar(await Grammar.fromEBNF(gbnf)));
  let each = 0, n = 0;
  for (const text of texts) {
    const matcher = await GrammarMatcher.createGrammarMatcher(compiled);
    for (const token of tokenize(text)) {
      each += (await time(() => matcher.getNextTokenBitmask()))[0];
      if (!matcher.acceptToken(token)) throw new Error(`the token ${token} of ${JSON.stringify(text)} is not taken`);
      n++;
    }
    matcher.dispose();
  }
  show("xgrammar", once, each, n);
}
console.log(`${os.cpus()[0].model}, one thread`);
process.exit(0);
