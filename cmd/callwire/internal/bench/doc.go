// Package bench holds what the benchmarks have in common: the tools and the
// calls that are measured. Each benchmark is a package below:
//
//   - tokens counts what calls and their explanation cost a model;
//   - speed times reading against encoding/json and against doing nothing;
//   - memory weighs decoders;
//   - page writes what they found, for people and as Markdown.
//
// # The published benchmark
//
// catalog.json has 13 everyday tools and calls.json 19 calls of them, those by
// which the format was first published: as native JSON they are 762 tokens of
// o200k_base. The descriptions of the tools are ours.
package bench
