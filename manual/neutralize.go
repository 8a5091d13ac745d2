package manual

import (
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
)

// The tags around what tools return.
const (
	resultTag = "tool-result"
	errorTag  = "tool-error"
)

// legal returns the tags, the default ones where those are not legal.
func legal(d lexer.Delims) lexer.Delims {
	d = d.OrDefault()
	if d.Validate() != nil {
		return lexer.DefaultDelims
	}
	return d
}

// guardOf returns the guard against the tags of calls and of results.
func guardOf(d lexer.Delims) lexeme.Guard {
	d = legal(d)
	return lexeme.NewGuard(d.Open, d.Close, "<"+resultTag, "</"+resultTag, "<"+errorTag, "</"+errorTag)
}

// Neutralize returns text in which neither a tag of calls nor one of results
// occurs: behind the first byte of each stands a backslash, and one more where
// some stood already. (Where a tag contains a backslash, another byte has that
// part.) Text without tags stays as it is. Where d is not legal, its tags are the
// default ones. It takes time linear in text.
//
// Text of others is neutralised before a model sees it, so that it can neither
// end the result it is in nor be taken for a call, by the model or by a reader
// of what the model copies.
//
// Rule: manual.neutralize.
func Neutralize(text string, d lexer.Delims) string { return guardOf(d).Neutralize(text) }

// Restore undoes Neutralize, whatever the text: Restore(Neutralize(x, d), d) is
// x. It is for text that a model was shown and gives back, such as code that it
// writes to a file.
//
// Rule: manual.neutralize.
func Restore(text string, d lexer.Delims) string { return guardOf(d).Restore(text) }
