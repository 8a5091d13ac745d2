// Package lexeme reads and writes single lexemes: names, keys, words, strings, numbers, tags, and
// JSON text. It keeps no state between lexemes; package lex decides which lexeme comes next.
//
//	class.go     the roles of each byte; names and keys
//	tag.go       the tags around a call
//	string.go    strings and escapes, and UTF-8
//	append.go    plain strings and words, and phrases to compare, eight bytes at a time
//	number.go    JSON numbers, compared without rounding
//	element.go   XML tags and entities
//	json.go      a scanner of JSON text, and JSON strings
//
// Most functions take a window w and an index i in it, and return the index after the lexeme. If
// more is true, a tag is SomeTag or a match Partial, the window ends too early to decide.
package lexeme
