package parse

import (
	"unicode/utf8"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// A hostile call could have an issue for every other byte, each with a path as long as
// the call, and a short one can lack a thousand arguments. To keep time and memory
// linear, a call has at most maxIssues of them, the first ones, and a path is cut after
// maxPath bytes. The calls of a message also share an allowance: an issue takes
// issueCost and the length of its path from it, and each byte of the message adds
// income, up to maxAllowance, which is enough for any call. The first issue of a call
// is always reported.
const (
	maxIssues    = 1000
	maxPath      = 1000
	issueCost    = 50
	income       = 10
	maxAllowance = 1100000
)

// Rule: issue.path, issue.order.

// Issue is something that a delivered call says and its schema does not, so
// that the host can answer the model. Under Options.Strict it is an error.
type Issue struct {
	Code lexer.Code // TypeMismatch, NotInEnum, Coerced, AmbiguousEscape, OpenQuote, UnknownArgument, MissingArgument, Doubtful or Repaired
	Path string     // the value or property concerned: a, a.b, rows[0].k; cut and ended by … where it is very long. Of Repaired: the name of the repair
	At   int        // offset in the input, in bytes: see lexer.Codes

	// Type is what the schema says of that value, for the first three codes; it
	// belongs to the catalog. A path is to be read by people: the names in it may
	// hold dots and brackets, so the type cannot be looked up by it.
	Type *sig.Type
}

// shorten returns path, cut to maxPath bytes if it is longer.
func shorten(path []byte) []byte {
	if len(path) <= maxPath {
		return path
	}
	n := maxPath
	for n > 0 && !utf8.RuneStart(path[n]) {
		n--
	}
	return append(path[:n:n], "…"...)
}
