// Package parse turns the tokens of package lexer into tool calls with exact
// JSON arguments, and writes calls.
//
// # Terminology
//
// A segment is a part of a message: text, a call, or a malformed span; the
// segments of a message tile it. A reading is what a lexeme can become; typing
// chooses one by the tool's schema. An issue is something that a delivered call
// says and its schema does not. The input of a call is its arguments, one JSON
// object.
//
// # One engine
//
// [Parser] reads a message in chunks and is the only state machine; [Text]
// feeds it a whole message, package stream gives its parts the form of events.
// Its arguments grow in one reused buffer, of which a prefix is final at any
// time: that prefix is what streams.
//
// # From a chunk to a call
//
// Next asks the lexer what comes next (Peek). Text is taken up to where an opener may
// begin. Before a name and before each argument, Next tries the simple path of
// simple.go: a name, a path and a value that are whole in the chunk and leave no
// question are read and written in one pass. Inside a string that streams, the bytes
// are copied the same way. Discard tells the lexer how far that came.
//
// Everything else comes as tokens: a path begins an argument (arguments.go), a lexeme
// becomes the value that fits the schema best (typing.go), and the builder writes it
// (build.go). When the chunk is used up, Next returns what has become final of the
// input. The close tag completes the input, and the call is delivered (call.go).
//
// Under [Options.Salvage] a call that is malformed, or looks like a known mistake, is
// written anew from its source text (salvage.go, rescue.go), and the Parser reads that;
// input that this could still change is not yet final. A [Reader] of another format
// finds its calls in its own way and hands their values to an [Assembler], which types
// and writes them with the same builder.
//
// # What typing promises
//
// Syntax never depends on a schema; meaning does. Numbers keep the digits they
// were written with. What does not fit its schema is still delivered, with an
// [Issue] that says what and where, or refused under [Options.Strict]. Whether
// arguments are valid in every respect of JSON Schema (patterns, ranges,
// formats) is for the host to check.
//
// # Security
//
// A repeated key and a key that is both a value and a parent are errors: the
// last one does not win. A call that is open when its message ends is never
// delivered, unless the caller asks for it. Calls after a malformed span are
// marked; [Options.StopAfterMalformed] refuses them.
package parse
