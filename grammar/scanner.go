package grammar

import (
	"io"
	"regexp"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// A scanner reads the tokens of one call: up to its close tag, the first token that
// no production accepts, or the end of the text. After that it always returns the
// end.
type scanner struct {
	text  string
	tags  *tagIndex
	pos   int
	state state
	outer []state // the states after the closing brackets to come
	last  symbol  // the token that ends at pos, none for whitespace between tokens

	// closeAtEnd adds the close tag that a stop sequence removed: an empty close
	// tag at the end of the text.
	closeAtEnd bool
}

var _ lexer.Lexer = (*scanner)(nil)

// Next implements participle's lexer.
func (s *scanner) Next() (lexer.Token, error) {
	return s.next().Token, nil
}

func (s *scanner) next() placed {
	for {
		t := placed{state: s.state}
		t.Pos.Offset = s.pos
		t.Type, s.pos, s.state = s.match()
		t.Value = s.text[t.start():s.pos]
		s.last = t.Type
		if t.Type != none {
			return t
		}
	}
}

// match recognizes what begins at s.pos: a token, or whitespace that is not a token.
func (s *scanner) match() (found symbol, end int, next state) {
	switch {
	case s.state == atEnd:
		return symEnd, s.pos, atEnd
	case s.pos == len(s.text) && s.closeAtEnd:
		return symClose, s.pos, atEnd
	case s.pos == len(s.text):
		return symEnd, s.pos, atEnd
	case s.state == afterMemberKey && s.text[s.pos] == ':':
		return symPunct, s.pos + 1, atMemberValue // even if a tag begins with a colon
	}
	if tag, end := s.tags.at(s.pos); tag == symOpen && s.state == atOpen {
		return tag, end, atName
	} else if tag == symTruncated && !s.tagMayStand() {
		return symOther, s.pos + 1, atEnd
	} else if tag != none {
		return tag, end, atEnd
	}
	tag := s.tags.next(s.pos)
	for _, rule := range places[s.state].rules {
		until := tag
		if rule.symbol == symString || rule.symbol == symUnclosed {
			until = len(s.text)
		}
		if match := rule.pattern.FindStringIndex(s.text[s.pos:until]); match != nil {
			s.tags.work += match[1]
			return rule.symbol, s.pos + match[1], s.follow(rule)
		}
	}
	return symOther, s.pos + 1, atEnd
}

// tagMayStand reports whether the tag that the text ends with a prefix of, or a token
// that begins with the same byte, is allowed at s.pos.
//
// Rule: framing.truncated
func (s *scanner) tagMayStand() bool {
	p, rest := places[s.state], s.text[s.pos:]
	if p.bare || p.closes && strings.HasPrefix(s.tags.delims.Close, rest) {
		return true
	}
	for _, rule := range p.rules {
		if rule.pattern.MatchString(rest) {
			return true
		}
	}
	more := continues[s.last]
	return more != nil && more.MatchString(rest)
}

// continues has the patterns that continue a name or key that was cut at a possible
// tag.
var continues = map[symbol]*regexp.Regexp{
	symName:      anchored(`[A-Za-z0-9_$@\-./:]|[^\x00-\x7F]`),
	symKey:       anchored(patKey),
	symMemberKey: anchored(patMemberKey),
}

// follow returns the state that the rule leads to.
func (s *scanner) follow(r rule) state {
	if r.next == outer {
		last := len(s.outer) - 1
		next := s.outer[last]
		s.outer = s.outer[:last]
		return next
	}
	if r.after != atOpen {
		s.outer = append(s.outer, r.after)
	}
	return r.next
}

// A definition describes the scanner to participle.
type definition struct {
	delims Delims
}

// Symbols implements participle's lexer definition.
func (definition) Symbols() map[string]lexer.TokenType {
	symbols := map[string]lexer.TokenType{"EOF": symEnd}
	for i, rule := range tokenRules {
		symbols[rule.Name] = symOpen + symbol(i)
	}
	return symbols
}

// Lex implements participle's lexer definition: it reads the call at the beginning of
// the text.
func (d definition) Lex(_ string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return newScanner(newTagIndex(string(text), d.delims, Limits{}.OrDefault().Bytes), 0), nil
}

func newScanner(tags *tagIndex, pos int) *scanner {
	return &scanner{text: tags.text, tags: tags, pos: pos}
}
