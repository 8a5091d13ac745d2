// Package grammar is the formal grammar of the wire format: the executable
// definition of what a call is. It reads whole texts, and it is written to be
// read and to be right rather than to be fast; the production packages are
// compared with it, and it knows none of them.
//
// # Terms
//
// A text is prose with calls in it. A call stands between two tags, the
// opener and the close tag; its body is a name and arguments:
//
//	Let me check. <call>getWeather location="New York" units=metric</call>
//
// An opener that does not start a call is prose. A call that is wrong is
// malformed: it has a code, which says what is wrong, and an offset, which
// says where. Offsets count bytes from the beginning of the text. From the
// offset on the call is damage, which is skipped to its end; then reading
// goes on as if the malformed span had not been there.
//
// # Layers
//
// Framing finds the calls in a text and the ends of damage: [Grammar.Read].
//
// The body grammar reads one call. Its productions are the types from [Call]
// down, in the notation of participle, and every alternative is decided by
// the next token. Its tokens are those of [Grammar.Tokens]. Together they
// decide what is accepted, the syntax tree, and the offset of the first
// error; both are given as text by [Grammar.EBNF].
//
// Beside the grammar stands a checker for what no grammar says well: UTF-8,
// [Limits], repeated and conflicting keys, and the names of the tools.
//
// # Rules
//
// A paragraph such as "Rule: body.argument, value.empty" at the end of a
// comment names the rules that the declaration states. The specification and
// the conformance cases refer to rules by these names.
package grammar
