// Package protocols is the formal grammar of the formats that are not the wire
// format: the executable definition of what a call is in each. It reads whole texts,
// and it is written to be read and to be right rather than to be fast; the production
// package is compared with it.
//
// # Parts of a protocol
//
// A [Protocol] is a table of the states in which the tokens of a call are read, and
// productions, in the notation of participle, over these tokens. Every alternative is
// decided by the next token. What no grammar says well (repeated keys, [grammar.Limits],
// names of tools, UTF-8) is checked beside it, on the tokens.
//
// # What is decided here
//
// The rules of the wire format stand where they can: offsets, limits, marks, the order
// of faults, the end of damage. Strings in quotes hide tags in a format that has
// quotes, and in no other. Decisions D40 to D44 say the rest.
package protocols
