// Package lexeme reads and writes the words of the wire format, each in one
// file: its bytes, how it is read when it is whole in the chunk, how it is read
// on when it is not, and how it is written.
//
// It keeps no state and knows no calls: package lexer puts lexemes together, and
// sig, parse, manual and stream use them where a rule of the format decides what
// they may say. A rule of the syntax that stands here stands nowhere else.
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
// A function whose name begins with ConsumeSimple reads what is whole in its argument
// and takes no second look; it stops before everything else and decides nothing. One
// that ends in Resumable reads any lexeme, from where an earlier call of it stopped. One
// that begins with Reformat reads a lexeme and writes it as JSON in the same pass.
//
// # Two sets of escapes
//
// Strings of a call have the escapes of string.go, JSON text those of RFC 8259,
// which are in json.go. Neither borrows from the other.
package lexeme
