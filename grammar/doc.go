// Package grammar is the formal grammar of the wire format: the executable
// definition of what a call is. It reads whole texts, and is written for clarity
// and correctness rather than speed; tests compare the production packages with
// it, and it imports none of them.
//
// # Terms
//
// A text is prose with calls in it. A call is enclosed in two tags, the opener
// and the close tag; its body is a name and arguments:
//
//	Let me check. <call>getWeather location="New York" units=metric</call>
//
// An opener that does not start a call is prose. A call with an error is
// malformed: it has a code for the error and the offset of the error. Offsets
// count bytes from the beginning of the text. From that offset on, the call is
// damage, which is skipped to its end; then reading continues as if the malformed
// span had not been there.
//
// # Layers
//
// Framing finds the calls in a text and the ends of damage: [Grammar.Read].
//
// The body grammar reads one call. Its productions are the types from [Call]
// down, in the notation of participle, and the next token decides every
// alternative. [Grammar.Tokens] lists its tokens. Together they define what is
// accepted, the syntax tree, and the offset of the first error;
// [Grammar.EBNF] returns both as text.
//
// A separate checker covers what a grammar cannot express well: UTF-8, [Limits],
// repeated and conflicting keys, and the names of the tools.
//
// # Rules
//
// A paragraph such as "Rule: body.argument, value.empty" at the end of a
// comment names the rules that the declaration states. The specification and
// the conformance cases refer to rules by these names.
package grammar
