package grammar

import (
	"regexp"
	"slices"
	"strings"
)

// An Issue is a warning about a well-formed call. At is the first byte of the value
// or quoted key.
type Issue struct {
	Code Code
	At   int
}

// opensQuote reports whether a bare value looks like a quoted string that lost its
// beginning: it contains an odd number of double quotes, or an odd number of single
// quotes with one where a string would begin.
//
// Rule: issue.open-quote
func opensQuote(bare string) bool {
	isOdd := func(quote string) bool { return strings.Count(bare, quote)%2 == 1 }
	return isOdd(`"`) || isOdd(`'`) && leadingQuote.MatchString(bare)
}

var leadingQuote = regexp.MustCompile(`[=\[{(,:]'`)

// ambiguous reports whether a string contains both a backslash that does not begin
// an escape and an escaped quote. The model may have written it without escapes in
// mind; then it would end elsewhere.
//
// Rule: issue.ambiguous-escape
func ambiguous(quoted string) bool {
	units := escapes.FindAllString(quoted, -1)
	isLiteral := func(unit string) bool {
		_, ok := unescape(unit)
		return !ok
	}
	hasQuote := slices.Contains(units, `\"`) || slices.Contains(units, `\'`)
	return hasQuote && slices.ContainsFunc(units, isLiteral)
}
