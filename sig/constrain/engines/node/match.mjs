// Answers, line by line, which texts each engine accepts under a grammar:
//
//   -> {"gbnf": "…", "ebnf": "…", "tag": "…", "texts": ["…"]}
//   <- {"llama": [true], "xgrammar": [true], "tag": [true]}
//
// A format that is not in the question is not in the answer; an engine that does not
// accept the grammar answers with a string.

import readline from "node:readline";
import { llama, xgrammar } from "./engines.mjs";

const { Grammar, GrammarCompiler, GrammarMatcher, TokenizerInfo } = xgrammar;

function byLlama(gbnf, texts) {
  const grammar = new llama.AddonGrammar(gbnf, { addonExports: llama });
  return texts.map((text) => grammar.isTextCompatible(text));
}

// xgrammar compiles a grammar for a vocabulary. The matcher gets texts unchanged;
// whether it accepts the stop token says whether one may end.
const vocabulary = [...Array(95).keys()].map((i) => String.fromCharCode(32 + i));
const stop = vocabulary.push("</s>") - 1;
const tokenizer = await TokenizerInfo.createTokenizerInfo(vocabulary, "raw", false, vocabulary.length, [stop]);
const compiler = await GrammarCompiler.createGrammarCompiler(tokenizer, false);

async function byXgrammar(grammar, texts) {
  const compiled = await compiler.compileGrammar(grammar);
  const matcher = await GrammarMatcher.createGrammarMatcher(compiled);
  const verdicts = texts.map((text) => {
    matcher.reset();
    return (text === "" || matcher._acceptString(text)) && matcher.acceptToken(stop);
  });
  matcher.dispose();
  compiled.dispose();
  grammar.dispose();
  return verdicts;
}

async function attempt(f) {
  try {
    return await f();
  } catch (error) {
    return String(error?.message ?? error);
  }
}

await llama.init();
llama.setLogger(() => {});
for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { gbnf, ebnf, tag, texts } = JSON.parse(line);
  const answer = {};
  if (gbnf) answer.llama = await attempt(() => byLlama(gbnf, texts));
  if (ebnf) answer.xgrammar = await attempt(async () => byXgrammar(await Grammar.fromEBNF(ebnf), texts));
  if (tag) answer.tag = await attempt(async () => byXgrammar(await Grammar.fromStructuralTag(JSON.parse(tag)), texts));
  process.stdout.write(JSON.stringify(answer) + "\n");
}
process.exit(0);
