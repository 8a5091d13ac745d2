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

// guardOf returns the guard against the tags of calls and of results: see Neutralize.
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

// Neutralize returns text in which neither a tag of calls nor one of results
// occurs: a backslash stands after the first byte of each, and one more where
// some stood already. (Where a tag contains a backslash, another byte takes that
// part.) All that [parse.Options].Salvage can take for an opener is a tag, too: ours
// in other case, with a space or attributes, and those of other formats. Text without
// tags stays as it is. Where d is not legal, its tags are the default ones. It takes
// time linear in text.
//
// Untrusted text is neutralized before a model sees it, so that it can neither
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
