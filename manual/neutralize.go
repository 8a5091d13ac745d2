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

// legal returns the tags, or the default ones if they are not legal.
func legal(d lexer.Delims) lexer.Delims {
	d = d.OrDefault()
	if d.Validate() != nil {
		return lexer.DefaultDelims
	}
	return d
}

// guardOf returns the guard against call and result tags: see Neutralize.
func guardOf(d lexer.Delims) lexeme.Guard {
	if d = legal(d); d.IsDefault() {
		return defaultGuard
	}
	return newGuard(d)
}

var defaultGuard = newGuard(lexer.DefaultDelims)

func newGuard(d lexer.Delims) lexeme.Guard {
	return lexeme.NewGuard(append(d.Openers(), d.Close, "<"+resultTag, "</"+resultTag, "<"+errorTag, "</"+errorTag)...)
}

// Neutralize returns text without call and result tags: it inserts a backslash after
// the first byte of each, one more if there are some already. (If a tag contains a
// backslash, it inserts another byte.) Everything that [parse.Options].Salvage can take
// for an opener is a tag too: the call tag in another case, with a space or attributes,
// and the tags of other formats. Text without tags stays the same. If d is not legal,
// the tags are the default ones. It takes time linear in text.
//
// Neutralize untrusted text before a model sees it, so it can neither end the result it
// is in nor be taken for a call, by the model or by a parser of what the model copies.
//
// Rule: manual.neutralize.
func Neutralize(text string, d lexer.Delims) string { return guardOf(d).Neutralize(text) }

// Restore undoes Neutralize for every text: Restore(Neutralize(x, d), d) is x. It is
// for text that a model was shown and returns, such as code that it writes to a file.
//
// Rule: manual.neutralize.
func Restore(text string, d lexer.Delims) string { return guardOf(d).Restore(text) }
