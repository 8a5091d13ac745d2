package lexer

import (
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lex"
)

// Lexeme is a part of a message. A call goes from open to close or damaged. Text, reasoning and
// section (a tag around several calls) are outside of calls. Begin and end are the brackets of an
// object or array.
type Lexeme struct {
	// Kind is text, reasoning, section, open, id, name, stray, path, key, word, string, begin, end,
	// close, fault or damaged.
	Kind string

	Start, End int // offsets in the message; the span of a fault and of an opener is empty

	Quoted, Closed bool // a key is in quotes; a string has its end, or reasoning is a tag around it

	Code Code // of a fault
}

// Lexemes returns the lexemes of a message in a format, for tools that show the syntax. The chunks
// may be cut anywhere; the lexemes are the same. The bytes between two lexemes are punctuation and
// whitespace. Package protocol has the formats; nil means the wire format. The error reports a
// format that cannot be used.
//
// In a format whose tags are named after tools, everything is text, because no tools are known.
func Lexemes(f *format.Format, limits Limits, chunks ...[]byte) ([]Lexeme, error) {
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
