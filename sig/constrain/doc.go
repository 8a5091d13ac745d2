// Package constrain makes grammars out of tool catalogues, for the engines that
// let a model write only what a grammar derives: llama.cpp, xgrammar (in vLLM,
// SGLang and WebLLM), llguidance, and the services that are built on them. Under
// such a grammar even a small model cannot miss the format.
//
//	catalog, err := sig.Compile(tools)
//	g, err := constrain.New(catalog, constrain.Options{})
//	g.GBNF()                        // llama.cpp
//	g.EBNF()                        // xgrammar
//	g.Notes()                       // where grammar and schemas differ
//
// # What a grammar derives
//
// Prose and calls. Prose is any text in which no opener begins. A call has the
// required arguments in the order of the schema, then any of the others in that
// order; objects have no properties but the declared ones; what enum, const, type,
// pattern, length, range and the number of items say is enforced as far as a
// grammar of moderate size can.
//
// Numbers are written as encoders write them. An integer is its digits, 16 of them at
// most, without a point or an exponent. Where a range bounds other numbers, one with
// an exponent has one digit before the point, which is not 0: 1.5e-7, not 15e-8.
//
// Calls are in the wire format, or in that of another protocol of package protocol,
// as its models are trained to write them.
//
// Two things hold for every catalogue, and tests hold them against each other:
//
//   - what a grammar derives reads back: a strict reader finds nothing malformed in
//     it, and no issue;
//   - what the writer of package parse makes of such a call, the grammar derives.
//
// No catalogue is refused. Where a grammar cannot say what a schema says it allows
// more, or less, or leaves a tool out, and Notes tells so. Of free names, as in a
// map, there is one in an object, since a repeated name makes a call malformed and
// no grammar can make names differ; Options.FreeKeys lifts that. The limits of a
// reader, on bytes and depth, are not in a grammar.
//
// # How it is written
//
// All formats are written from the same rules. What engines disagree on is not in
// them, and they have the shape that costs engines least: a rule reads one
// character and goes on with a rule, and what many words begin with is written
// once.
//
// Equal catalogues have equal grammars, byte for byte, so that engines find them in
// their caches.
package constrain
