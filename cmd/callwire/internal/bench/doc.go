// Package bench holds what the benchmarks have in common: the tools and the
// calls that are measured. Each benchmark is a package below:
//
//   - tokens counts what calls and their explanation cost a model;
//   - speed times reading against encoding/json and against doing nothing;
//   - memory weighs decoders;
//   - page writes what they found, for people and as Markdown.
//
// Models are measured by
//
//   - live, which asks for single messages, and agent, which has work done in
//     small worlds;
//   - arm, the ways to call tools that are compared, and endpoint, which asks;
//   - trial, which runs what is not in a record yet, record, and price, the budget;
//   - score, judge and stat, which say what calls are worth, and how sure that is;
//   - report, which puts it into words and pictures;
//   - actor, an endpoint of scripted models, by which all of that is tested.
//
// # The published benchmark
//
// catalog.json has 13 everyday tools and calls.json 19 calls of them, those by
// which the format was first published: as native JSON they are 762 tokens of
// o200k_base. The descriptions of the tools are ours.
package bench
