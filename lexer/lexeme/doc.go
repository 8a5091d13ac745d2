// Package lexeme reads and writes the words of the wire format, each in one file: its
// bytes, how it is read when the chunk holds all of it, how reading resumes when it is
// split, and how it is written.
//
// It keeps no state and knows nothing of calls: package lexer puts lexemes together,
// and sig, parse, manual and stream use them wherever a rule of the format decides what
// they may write. A syntax rule stated here is stated nowhere else.
//
//	class.go   the roles of a byte
//	tag.go     the tags around a call, and text without them
//	name.go    names, keys and paths
//	word.go    bare words and bare items
//	string.go  quoted strings and their escapes
//	json.go    RFC 8259: strings, literals, arrays and objects
//	number.go  numbers
//	utf8.go    what is not valid UTF-8
//
// # Simple and resumable
//
// A ConsumeSimple function reads what is complete in its argument and plain at first
// sight; it stops before anything else and decides nothing. A Resumable function reads
// any lexeme, and resumes where its last call stopped. A Reformat function reads a
// lexeme and writes it as JSON in the same pass.
//
// # Two sets of escapes
//
// Strings in a call use the escapes in string.go, JSON text uses those of RFC 8259, in
// json.go. Neither borrows from the other.
package lexeme
