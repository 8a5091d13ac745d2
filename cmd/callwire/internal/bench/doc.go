// Package bench has what the benchmarks share: the tools and calls that are measured, pages of
// tables, and the benchmarks of speed and memory with the reader of their output.
//
//   - tokens counts what calls and prompts cost a model.
//   - live asks models to call tools, and judges what they call.
//   - report puts that into tables and a chart.
//
// The published benchmark is 13 everyday tools in catalog.json and 19 calls of them in calls.json.
// As native JSON these calls are 762 tokens of o200k_base.
package bench
