package parse

import "github.com/callwire/callwire/lexer"

// Issue is something that a delivered call says and its schema does not, so
// that the host can answer the model. Under Options.Strict it is an error.
//
// Rule: typing.issues.
type Issue struct {
	Code lexer.Code // TypeMismatch, NotInEnum, Coerced, AmbiguousEscape, OpenQuote, UnknownArgument or MissingArgument
	Path string     // the value or property concerned: a, a.b, rows[0].k
	At   int        // offset in the input, in bytes: see lexer.Codes
}
