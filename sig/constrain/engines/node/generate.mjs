// Lets llama.cpp generate under a grammar, with the model of model.mjs, which it writes
// to the folder that the argument names. Line by line:
//
//   -> {"gbnf": "…", "seeds": [1, 2], "most": 300}
//   <- {"texts": ["…", null]}
//
// A text is null if it was not complete after the most tokens, or is not UTF-8.

import path from "node:path";
import readline from "node:readline";
import { llama } from "./engines.mjs";
import { begin, end, tokens, write } from "./model.mjs";

const file = path.join(process.argv[2], "random.gguf");
write(file, tokens);
await llama.init();
llama.setLogger(() => {});
llama.loadBackends(path.join(import.meta.dirname, "node_modules/@node-llama-cpp/linux-x64/bins/linux-x64"));
const model = new llama.AddonModel(file, { addonExports: llama, gpuLayers: 0, vocabOnly: false });
if (!(await model.init())) throw new Error("the model is not loaded");
const context = new llama.AddonContext(model, { contextSize: 2048, batchSize: 64, sequences: 1, threads: 1 });
if (!(await context.init())) throw new Error("there is no context");

// Closing tokens are a little more likely than in a model without any knowledge, so
// that texts end; special tokens other than the end, which are not text, never occur.
const likely = new Map([["<unk>", -Infinity], ["<s>", -Infinity], ["</s>", 6], ["\"", 4], ["'", 4], ["</call>", 5], ["<call>", 4], ["▁", 2], ["\"]", 3], ["\"}", 3], ["}]", 3], ["<0x5D>", 3], ["<0x7D>", 3], ["<0x22>", 3], ["<0x27>", 2]]);
// Non-ASCII bytes are rare, since few of their sequences are UTF-8.
const biasOf = ({ text, bytes }) => likely.get(text) ?? (bytes?.length === 1 && bytes[0] >= 0x80 ? -6 : 0);
const bias = {
  tokenBiasKeys: Uint32Array.from(tokens, (_, i) => i),
  tokenBiasValues: Float32Array.from(tokens, biasOf),
};

async function generate(gbnf, seed, most) {
  const grammar = new llama.AddonGrammar(gbnf, { addonExports: llama });
  const grammarEvaluationState = new llama.AddonGrammarEvaluationState(model, grammar);
  const sampler = new llama.AddonSampler(model);
  sampler.applyConfig({ temperature: 3, seed, grammarEvaluationState, ...bias });
  context.disposeSequence(0);
  const bytes = [];
  let token = begin;
  for (let at = 0; at < most; at++) {
    context.initBatch(1);
    const [logits] = context.addToBatch(0, at, Uint32Array.of(token), Uint32Array.of(0));
    await context.decodeBatch();
    token = await context.sampleToken(logits, sampler);
    if (token < 0) throw new Error("the grammar has no next token");
    if (token === end) {
      sampler.dispose();
      return utf8(bytes);
    }
    bytes.push(...tokens[token].bytes);
  }
  sampler.dispose();
  return null;
}

// utf8 returns the text of bytes, or null. llama.cpp accepts overlong encodings such as
// F0 8F BF BD, which are not UTF-8; no grammar can prevent that.
function utf8(bytes) {
  try {
    return new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}

for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { gbnf, seeds, most } = JSON.parse(line);
  const texts = [];
  for (const seed of seeds) texts.push(await generate(gbnf, seed, most));
  process.stdout.write(JSON.stringify({ texts }) + "\n");
}
process.exit(0);
