package lexer

import (
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lex"
)

// Format is how a model writes calls. Package protocol has the known ones.
type Format = format.Format

// Lexeme is a part of a message. A call goes from open to close or damaged. Text and section
// (a tag around several calls) are outside of calls. Begin and end are the brackets of an object or
// array.
type Lexeme struct {
	// Kind is text, section, open, id, name, stray, path, key, word, string, begin, end,
	// close, fault or damaged.
	Kind string

	// Start and End are offsets in the message. The span of an opener and of a fault is empty, and
	// so is that of a begin or end without a bracket. A string or key includes its quotes.
	Start, End int

	Quoted, Closed bool // a key is in quotes; a string has its end

	Code Code // of a fault
}

// Lexemes returns the lexemes of a message in a format, for tools that show the syntax. The chunks
// may be cut anywhere; the lexemes are the same. The bytes between two lexemes are openers, other
// marks such as </parameter>, punctuation, whitespace, and damage that was skipped. Reasoning is
// text. Package protocol has the formats; nil means the wire format. The error reports a format
// that cannot be used.
//
// In a format whose tags are named after tools, everything is text, because no tools are known.
func Lexemes(f *Format, limits Limits, chunks ...[]byte) ([]Lexeme, error) {
	s, err := lex.Compile(lex.Config{
		Format: f, Limits: lex.Limits(limits.OrDefault()), NoFastPath: true,
	})
	if err != nil {
		return nil, err
	}
	var list []Lexeme
	for _, x := range lex.Lexemes(s, chunks) {
		list = append(list, Lexeme(x))
	}
	return list, nil
}
