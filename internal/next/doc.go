// Package next is the second edition of the core while it grows beside the first: lexeme, lexer,
// parse and stream. Its tests compare it with the packages that it will replace.
package next
