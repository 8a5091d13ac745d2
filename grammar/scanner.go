package grammar

import (
	"io"
	"regexp"

	"github.com/alecthomas/participle/v2/lexer"
)

// This file is the lexical grammar of a call. What a byte means depends on
// where it stands, so the scanner has states. A state lists the tokens that
// may begin there; the scanner takes the first that matches, and Other where
// none does. The scanner is total, and says nothing about right and wrong:
// the productions do. A state also names what is expected in it, which gives
// the code of an error once the parser has found the offset.

// A state is a place in a call at which a token may begin.
type state int

const (
	atOpen state = iota
	atName
	afterName
	atBody // after the whitespace after the name
	atKey
	afterKey
	atValue
	afterWord
	afterValue
	afterBody // after the closing brace of a JSON body
	atElement
	afterElement
	afterItem // after a bare element, on its line
	atMember
	afterMemberKey
	atMemberValue
	afterMember
	afterMemberItem // after a bare member value, on its line
	atEnd

	outer // the state to go to after the bracket that closes here
)

// A rule lets a token begin in a state.
type rule struct {
	symbol  symbol // none for whitespace between tokens
	pattern *regexp.Regexp
	next    state
	after   state // for an opening bracket: the state after the closing one
}

// A place describes a state.
type place struct {
	expects Code
	bare    bool // a bare value may begin or go on here, so an opener is a nested call
	rules   []rule
}

var places = [...]place{
	atOpen: {},
	atName: {expects: ExpectedName, rules: []rule{
		token(symSpace, patSpace, atName),
		token(symName, patName, afterName),
	}},
	afterName: {expects: BadName, rules: []rule{
		token(symSpace, patSpace, atBody),
		bracket(`\{`, atMember, afterBody),
	}},
	atBody: {expects: ExpectedKey, rules: []rule{
		token(symKey, patKey, afterKey),
		bracket(`\{`, atMember, afterBody),
	}},
	atKey: {expects: ExpectedKey, rules: []rule{
		token(symKey, patKey, afterKey),
	}},
	afterKey: {expects: ExpectedEquals, rules: []rule{
		token(symPunct, `\.`, atKey),
		token(symPunct, `=`, atValue),
	}},
	atValue: {expects: NestedCall, bare: true, rules: append(
		values(symWord, patWord, afterWord, afterValue),
		token(symSpace, patSpace, atKey),
	)},
	afterWord: {expects: NestedCall, bare: true, rules: []rule{
		token(symSpace, patSpace, atKey),
	}},
	afterValue: {expects: ExpectedSpace, rules: []rule{
		token(symSpace, patSpace, atKey),
	}},
	afterBody: {expects: ExpectedClose, rules: []rule{
		token(symSpace, patSpace, afterBody),
	}},
	atElement: {expects: ExpectedValue, bare: true, rules: append(
		values(symItem, patItem, afterItem, afterElement),
		token(none, patSpace, atElement),
		token(symPunct, `\]`, outer),
	)},
	afterElement: {expects: ExpectedComma, rules: []rule{
		token(none, patSpace, afterElement),
		token(symPunct, `,`, atElement),
		token(symPunct, `\]`, outer),
	}},
	afterItem: {expects: ExpectedComma, bare: true, rules: []rule{
		token(none, patBlank, afterItem),
		token(none, patLineEnd, afterElement),
		token(symPunct, `,`, atElement),
		token(symPunct, `\]`, outer),
	}},
	atMember: {expects: ExpectedKey, rules: []rule{
		token(none, patSpace, atMember),
		token(symString, patString, afterMemberKey),
		token(symUnclosed, patUnclosed, atEnd),
		token(symMemberKey, patMemberKey, afterMemberKey),
		token(symPunct, `\}`, outer),
	}},
	afterMemberKey: {expects: ExpectedColon, rules: []rule{
		token(none, patSpace, afterMemberKey),
		token(symPunct, `:`, atMemberValue),
	}},
	atMemberValue: {expects: ExpectedValue, bare: true, rules: append(
		values(symItem, patItem, afterMemberItem, afterMember),
		token(none, patSpace, atMemberValue),
	)},
	afterMember: {expects: ExpectedComma, rules: []rule{
		token(none, patSpace, afterMember),
		token(symPunct, `,`, atMember),
		token(symPunct, `\}`, outer),
	}},
	afterMemberItem: {expects: ExpectedComma, bare: true, rules: []rule{
		token(none, patBlank, afterMemberItem),
		token(none, patLineEnd, afterMember),
		token(symPunct, `,`, atMember),
		token(symPunct, `\}`, outer),
	}},
	atEnd: {},
}

// values are the rules for a value, bare ones being of the given kind.
func values(bare symbol, pattern string, afterBare, after state) []rule {
	return []rule{
		token(symString, patString, after),
		token(symUnclosed, patUnclosed, atEnd),
		bracket(`\[`, atElement, after),
		bracket(`\{`, atMember, after),
		token(bare, pattern, afterBare),
	}
}

func token(symbol symbol, pattern string, next state) rule {
	return rule{symbol: symbol, pattern: anchored(pattern), next: next}
}

func bracket(pattern string, next, after state) rule {
	return rule{symbol: symPunct, pattern: anchored(pattern), next: next, after: after}
}

func anchored(pattern string) *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + pattern + `)`)
}

// A placed token knows the state that it was read in.
type placed struct {
	lexer.Token
	state state
}

func (t *placed) start() int { return t.Pos.Offset }
func (t *placed) end() int   { return t.Pos.Offset + len(t.Value) }

func (t *placed) is(punct string) bool {
	return t.Type == symPunct && t.Value == punct
}

// opensBody reports whether t opens a JSON body.
func (t *placed) opensBody() bool {
	return t.is("{") && (t.state == afterName || t.state == atBody)
}

// depth returns how deep the call is nested after t, and before it was.
func (t *placed) depth(before int) int {
	switch {
	case t.Type == symSpace, t.opensBody():
		return 0
	case t.is("."), t.is("["), t.is("{"):
		return before + 1
	case t.is("]"), t.is("}"):
		return before - 1
	}
	return before
}

// endsText reports whether t is there because the text ends. The close tag
// that closeAtEnd puts there has no bytes.
func (t *placed) endsText() bool {
	return t.Value == "" || t.Type == symTruncated || t.Type == symUnclosed
}

// expected is the code of an error at t.
func (t *placed) expected() Code {
	place := places[t.state]
	if t.Type == symOpen && place.bare {
		return NestedCall
	}
	return place.expects
}

// A scanner reads the tokens of one call and then, for ever, its end. The
// call ends with its close tag or with a token that no production takes.
type scanner struct {
	text  string
	tags  *tagIndex
	pos   int
	state state
	outer []state // after the closing brackets still to come

	// closeAtEnd puts the close tag back that a caller swallowed: at the end
	// of the text stands a close tag without bytes.
	closeAtEnd bool

	work int // bytes looked at
}

var _ lexer.Lexer = (*scanner)(nil)

// Next implements participle's lexer.
func (s *scanner) Next() (lexer.Token, error) {
	return s.next().Token, nil
}

func (s *scanner) next() placed {
	for {
		read := s.state
		symbol, end := s.match()
		if symbol != none || end == s.pos {
			t := placed{state: read}
			t.Type = symbol
			t.Value = s.text[s.pos:end]
			t.Pos.Offset = s.pos
			s.pos = end
			return t
		}
		s.pos = end
	}
}

// match recognises what begins at s.pos and moves to the next state.
func (s *scanner) match() (found symbol, end int) {
	if s.state == atEnd {
		return symEnd, s.pos
	}
	if s.pos == len(s.text) {
		s.state = atEnd
		if s.closeAtEnd {
			return symClose, s.pos
		}
		return symEnd, s.pos
	}
	// An expected colon is read before a tag that begins with one.
	if s.state == afterMemberKey && s.text[s.pos] == ':' {
		s.state = atMemberValue
		return symPunct, s.pos + 1
	}
	if tag, end := s.tags.at(s.pos); tag != none {
		s.state = s.afterTag(tag)
		return tag, end
	}
	stop := s.tags.next(s.pos)
	for _, rule := range places[s.state].rules {
		until := stop
		if rule.symbol == symString || rule.symbol == symUnclosed {
			until = len(s.text)
		}
		if found := rule.pattern.FindStringIndex(s.text[s.pos:until]); found != nil {
			s.work += found[1]
			s.follow(rule)
			return rule.symbol, s.pos + found[1]
		}
	}
	s.state = atEnd
	return symOther, s.pos + 1
}

func (s *scanner) afterTag(tag symbol) state {
	if s.state == atOpen && tag == symOpen {
		return atName
	}
	return atEnd
}

func (s *scanner) follow(r rule) {
	if r.after != atOpen {
		s.outer = append(s.outer, r.after)
	}
	s.state = r.next
	if r.next == outer {
		last := len(s.outer) - 1
		s.state, s.outer = s.outer[last], s.outer[:last]
	}
}

// A definition is the scanner as participle knows it.
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

// Lex implements participle's lexer definition: it reads the call that the
// text begins with.
func (d definition) Lex(_ string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return newScanner(newTagIndex(string(text), d.delims, Limits{}.withDefaults().Bytes), 0), nil
}

func newScanner(tags *tagIndex, pos int) *scanner {
	return &scanner{text: tags.text, tags: tags, pos: pos}
}
