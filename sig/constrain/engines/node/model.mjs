// A language model that has learned nothing: one layer of random weights, and a
// vocabulary of all bytes and some words. It writes anything that a grammar allows.

import fs from "node:fs";

const words = [
  " ", "▁the", "▁a", "▁is", "▁not", "▁to", "ing", "▁tool", "▁call", "ed", "er", "▁x", "▁Let", "▁me",
  "<call>", "</call>", "<", ">", "call>", "</", "=\"", "\"", "'", "='", "\",\"", "\":", "[\"", "\"]", "{\"", "\"}", "[{", "}]", "],", ",",
  "\\n", "\\u00", "\\\"", "\\", "true", "false", "null", "True", "0", "1", "10", "42", "-1", "1.5", "e3", "2024-", "-01", "T00:",
  "é", "日本", "😀", "ß", "\n", "\t", "name", "path", "query", "id", "owner", "repo", "page", "get", "set", "list",
  "create", "delete", "update", "_", "-", ".", "/", ":", "browser_", "API-", "title", "body", "type", "ab", "abc", "text", "url",
];

// word returns the token of a text.
export const word = (text) => ({ text: text.replaceAll(" ", "▁"), type: normal, bytes: [...Buffer.from(text.replaceAll("▁", " "))] });

const normal = 1, unknown = 2, control = 3, byte = 6; // types of tokens

export const tokens = [
  { text: "<unk>", type: unknown },
  { text: "<s>", type: control },
  { text: "</s>", type: control },
  ...[...Array(256).keys()].map((b) => ({ text: `<0x${b.toString(16).toUpperCase().padStart(2, "0")}>`, type: byte, bytes: [b] })),
  ...words.map(word),
];
export const begin = 1, end = 2;

// random returns approximately normally distributed numbers, the same each time.
function random(seed) {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return () => uniform() + uniform() + uniform() + uniform() - 2;
}

// Pieces of a file, all little-endian.
const u32 = (n) => { const b = Buffer.alloc(4); b.writeUInt32LE(n); return b; };
const u64 = (n) => { const b = Buffer.alloc(8); b.writeBigUInt64LE(BigInt(n)); return b; };
const f32 = (n) => { const b = Buffer.alloc(4); b.writeFloatLE(n); return b; };
const string = (s) => Buffer.concat([u64(Buffer.byteLength(s)), Buffer.from(s)]);

// write writes a model with that vocabulary to a file, in GGUF, version 3.
export function write(file, tokens) {
  const width = 32, hidden = 64, heads = 2, align = 32;
  const uint = (n) => Buffer.concat([u32(4), u32(n)]);
  const float = (n) => Buffer.concat([u32(6), f32(n)]);
  const text = (s) => Buffer.concat([u32(8), string(s)]);
  const array = (type, list) => Buffer.concat([u32(9), u32(type), u64(list.length), ...list]);
  const metadata = {
    "general.architecture": text("llama"),
    "general.name": text("random"),
    "llama.block_count": uint(1),
    "llama.context_length": uint(4096),
    "llama.embedding_length": uint(width),
    "llama.feed_forward_length": uint(hidden),
    "llama.attention.head_count": uint(heads),
    "llama.attention.head_count_kv": uint(heads),
    "llama.attention.layer_norm_rms_epsilon": float(1e-5),
    "llama.rope.dimension_count": uint(width / heads),
    "llama.vocab_size": uint(tokens.length),
    "tokenizer.ggml.model": text("llama"),
    "tokenizer.ggml.tokens": array(8, tokens.map((t) => string(t.text))),
    "tokenizer.ggml.scores": array(6, tokens.map((t, i) => f32(-i))),
    "tokenizer.ggml.token_type": array(5, tokens.map((t) => u32(t.type))),
    "tokenizer.ggml.bos_token_id": uint(begin),
    "tokenizer.ggml.eos_token_id": uint(end),
    "tokenizer.ggml.unknown_token_id": uint(0),
  };
  const next = random(20);
  const weights = (...shape) => ({ shape, data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, () => next()) });
  const ones = (n) => ({ shape: [n], data: new Float32Array(n).fill(1) });
  const tensors = {
    "token_embd.weight": weights(width, tokens.length),
    "output_norm.weight": ones(width),
    "output.weight": weights(width, tokens.length),
    "blk.0.attn_norm.weight": ones(width),
    "blk.0.attn_q.weight": weights(width, width),
    "blk.0.attn_k.weight": weights(width, width),
    "blk.0.attn_v.weight": weights(width, width),
    "blk.0.attn_output.weight": weights(width, width),
    "blk.0.ffn_norm.weight": ones(width),
    "blk.0.ffn_gate.weight": weights(width, hidden),
    "blk.0.ffn_up.weight": weights(width, hidden),
    "blk.0.ffn_down.weight": weights(hidden, width),
  };
  const head = [Buffer.from("GGUF"), u32(3), u64(Object.keys(tensors).length), u64(Object.keys(metadata).length)];
  for (const [key, value] of Object.entries(metadata)) head.push(string(key), value);
  const pad = (n) => Buffer.alloc((align - (n % align)) % align);
  const data = [];
  let offset = 0;
  for (const [name, { shape, data: numbers }] of Object.entries(tensors)) {
    const bytes = Buffer.from(numbers.buffer);
    head.push(string(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset));
    data.push(bytes, pad(bytes.length));
    offset += bytes.length + pad(bytes.length).length;
  }
  const header = Buffer.concat(head);
  fs.writeFileSync(file, Buffer.concat([header, pad(header.length), ...data]));
}
