package parse

import (
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// JSON text is read by lexeme.Scanner and written by the builder.

// faultCodes are the codes of what is wrong with a JSON text.
var faultCodes = [...]lexer.Code{
	lexeme.NotJSON: lexer.InvalidJSON, lexeme.TooDeep: lexer.TooDeep,
	lexeme.NotUTF8: lexer.InvalidUTF8, lexeme.Unpaired: lexer.UnpairedSurrogate,
}

// isJSON reports whether text is RFC 8259 JSON without repeated keys, no deeper
// than depth.
//
// Rule: typing.quoted-json.
func isJSON(text []byte, depth int) bool { return new(builder).holdsJSON(text, depth) }

// compact returns JSON text in the spelling of this package: no whitespace,
// the fewest escapes, everything else as written. If text is not JSON, it returns the
// code and the index of the fault.
func compact(text []byte, depth int) ([]byte, lexer.Code, int) {
	b := builder{exact: true, maxDepth: depth, out: make([]byte, 0, len(text))}
	s := lexeme.Scanner{Text: text, Depth: depth}
	b.json(&s, 0, true)
	if b.fault != "" {
		return nil, b.fault, b.faultAt
	}
	if f, at := s.Fault(); f != lexeme.NoFault {
		return nil, faultCodes[f], at
	}
	return b.out, "", 0
}

// json writes what s reads, up to the first fault. All of it is at offset at; if own,
// each token at its own place in the text, which begins there.
func (b *builder) json(s *lexeme.Scanner, at int, own bool) {
	for t := s.Next(); t.Kind != 0 && b.fault == ""; t = s.Next() {
		if own {
			b.jsonToken(s, t, at+t.Start)
		} else {
			b.jsonToken(s, t, at)
		}
	}
}

// jsonAs writes text, the JSON text of one array or object, under t. All its
// issues are at offset at.
func (b *builder) jsonAs(t *sig.Type, text []byte, at int) {
	b.holds++
	s := b.scan // taken away: text that is JSON comes back here
	b.scan = lexeme.Scanner{}
	s.Depth, s.Unpaired = b.maxDepth, true
	s.Reset(text)
	root := s.Next()
	b.openAs(t, root.Kind == '{', at, root.Start)
	b.json(&s, at, false)
	b.holds--
	b.scan = s
}

// holdsJSON is isJSON in memory that is used again.
func (b *builder) holdsJSON(text []byte, depth int) bool {
	if b.probe == nil {
		b.probe = new(builder)
	}
	q := b.probe
	q.reset()
	q.out, q.exact, q.maxDepth = q.out[:0], true, depth
	s := &q.scan
	s.Depth, s.Unpaired = depth, true
	s.Reset(text)
	q.json(s, 0, true)
	f, _ := s.Fault()
	return q.fault == "" && f == lexeme.NoFault
}

// jsonToken writes the token t of s.
func (b *builder) jsonToken(s *lexeme.Scanner, t lexeme.JSONToken, at int) {
	switch t.Kind {
	case '{', '[':
		b.open(t.Kind == '{', at, t.Start)
	case '}', ']':
		b.close(at, s.Text[b.top().src:t.End])
	case 'k':
		b.scratch = s.AppendUnquoted(b.scratch[:0], t)
		b.member(b.scratch, 0, 0, at)
	case 's': // issues of the wire format's own strings do not apply
		b.begin()
		text := s.AppendUnquoted(b.scratch[:0], t)
		b.scratch = nil // text that is JSON comes back here
		b.quotedAs(b.slot, text, at)
		b.scratch = text
		b.commit()
	case 'l':
		b.bare(s.Text[t.Start:t.End], 0, at)
	}
}
