// Package constrain generates grammars from tool catalogs, for engines that let a
// model write only what a grammar derives: llama.cpp, xgrammar (in vLLM, SGLang and
// WebLLM), llguidance, and services built on them. Under such a grammar even a small
// model cannot get the format wrong.
//
//	catalog, err := sig.Compile(tools)
//	g, err := constrain.New(catalog, constrain.Options{})
//	g.GBNF()                        // llama.cpp, xgrammar
//	g.Notes()                       // where grammar and schemas differ
//
// # What a grammar derives
//
// Prose and calls. Prose is any text without an opener. A call has the required
// arguments in schema order, then any of the others in that order; objects have only
// declared properties; enum, const, type, pattern, length, range and the number of
// items are enforced as far as a grammar of moderate size can.
//
// An integer has at most 16 digits, without a point or an exponent. Other numbers with a
// range are plain decimals.
//
// Calls are in the wire format, or in another format whose tags are not named after tools,
// as its models are trained to write them. A grammar is made from the description of the
// format, so every such format has one.
//
// Tests check two properties for every catalog:
//
//   - what a grammar derives reads back: a strict reader finds nothing malformed and
//     no issue;
//   - the grammar derives such a call as the writer of package parse writes it.
//
// Read generated calls without the option Repair of package parse. With it, the reader takes
// some generated bare words for mistakes: an optional string null is left out, a comma or
// semicolon at the end of a string is dropped, and after a word that begins with a backquote the
// next call is marked as following a malformed one.
//
// Prose is unconstrained, so a call can appear in Markdown code or in reasoning. A reader that
// must get every call of a text allows calls there.
//
// No catalog is refused. If a grammar cannot express a schema exactly, it allows more
// or less, or leaves a tool out; see Notes. An object can have one property with a
// free name, as in a map, since a repeated name makes a call malformed and no grammar
// can make names differ; Options.FreeKeys raises that. A grammar does not include the
// limits of a reader on bytes and depth.
//
// # Output formats
//
// All formats are written from the same rules. The rules avoid features on which
// engines disagree, and have the shape that is cheapest for engines: a rule reads one
// character and continues with a rule, and a common prefix of words is written once.
//
// Equal catalogs have equal grammars, byte for byte, so that engines can cache them.
package constrain
