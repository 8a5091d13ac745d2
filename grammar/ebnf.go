package grammar

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// framing is the grammar of texts. Which part a byte belongs to is decided
// from left to right, so that the alternatives need no order.
const framing = `(* Framing: a text is prose, calls, and malformed calls.

   Prose ends before an opener that starts a call: one that optional
   whitespace and then a letter, _, $, @, a byte beyond ASCII, { or [ follow.
   A call that starts there is a Call if it is one, and Malformed otherwise.
   Damage begins at the byte that no call can have there. It ends with the
   first close tag, or before the first opener that starts a call; strings
   hide both. In damage a quote opens a string only after whitespace or one
   of = [ { ( , : *)

Text = (Prose | Call | Malformed)* .
Prose = <other>+ .
Malformed = <open> <other>* Damage .
Damage = (<string> | <other>)* (<close> | <unclosed>)? .
`

// EBNF returns the whole grammar as text: framing, the productions of a call,
// and its tokens. (?= X) means that X must follow and is not taken.
func (g *Grammar) EBNF() string {
	var b strings.Builder
	b.WriteString(framing)
	b.WriteString("\n(* A call. *)\n\n")
	b.WriteString(g.parser.String())
	b.WriteString("\n\n(* Tokens, as regular expressions. *)\n\n")
	for _, t := range g.Tokens() {
		fmt.Fprintf(&b, "<%s> = /%s/ .\n", strings.ToLower(t.Name), t.Pattern)
	}
	return b.String()
}

// Tokens returns the table of tokens.
func (g *Grammar) Tokens() []TokenRule {
	tokens := slices.Clone(tokenRules[:])
	open, close := g.delims.Open, g.delims.Close
	for i := range tokens {
		switch symOpen + symbol(i) {
		case symOpen:
			tokens[i].Pattern = regexp.QuoteMeta(open)
		case symClose:
			tokens[i].Pattern = regexp.QuoteMeta(close)
		case symTruncated:
			tokens[i].Pattern = "(?:" + prefixes(open) + "|" + prefixes(close) + `)\z`
		}
	}
	return tokens
}

// prefixes is a regular expression for the proper prefixes of a tag.
func prefixes(tag string) string {
	pattern := ""
	for i := len(tag) - 2; i >= 0; i-- {
		pattern = regexp.QuoteMeta(tag[i:i+1]) + pattern
		if i > 0 {
			pattern = "(?:" + pattern + ")?"
		}
	}
	return pattern
}
