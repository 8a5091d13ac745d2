package protocols

import (
	"errors"
	"io"
	"math"
	"regexp"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/callwire/callwire/grammar"
)

// A Token is a terminal of a call. Its position counts from the beginning of the text.
type Token = lexer.Token

// states is the table of the states of a protocol. Where no rule of a state matches,
// the token is one byte that no production takes, and the code of the state says what
// was expected.
type states map[string]state

// A state is a place at which a token may begin.
type state struct {
	expects grammar.Code
	rules   []rule
}

// A rule lets a token begin in a state. The first of a state that matches is taken.
type rule struct {
	token   string // as productions refer to it; empty for what is no token
	pattern *regexp.Regexp
	next    string // the state that follows; empty: the one that was pushed last
	push    string // the state that follows what begins here; empty for none
}

// on returns a rule.
func on(token, pattern, next string, push ...string) rule {
	r := rule{token: token, pattern: regexp.MustCompile(`^(?:` + pattern + `)`), next: next}
	if len(push) > 0 {
		r.push = push[0]
	}
	return r
}

// The tokens that no production takes.
const (
	other    = "Other"    // a byte that fits nothing where it stands
	unclosed = "Unclosed" // a string that does not end, or not rightly
	cut      = "Cut"      // what the text ends in, and what could have become a token
)

// A placed token knows the state in which it was read.
type placed struct {
	Token
	name   string
	state  string
	ofRule bool // a rule matched, whatever the judge made of it
}

func (t *placed) start() int { return t.Pos.Offset }
func (t *placed) end() int   { return t.Pos.Offset + len(t.Value) }

// A scanner reads the tokens of one call.
type scanner struct {
	p     *Protocol
	text  string
	pos   int
	state string
	stack []string
	judge judge
}

// A judge decides what a token is, where its pattern alone does not say.
type judge interface {
	// judge returns the name of the token in place of the one given, and the state
	// that follows; "" keeps it.
	judge(t *placed) (name, next string)
}

// next reads a token. At the end of the text it is an empty one without a name.
func (s *scanner) next() placed {
	for {
		t := placed{state: s.state}
		t.Pos.Offset = s.pos
		rest := s.text[s.pos:]
		if rest == "" {
			return t
		}
		r, n := s.match(rest)
		t.Value, t.name, t.ofRule = rest[:n], r.token, r.token != other
		s.pos += n
		name, next := s.judge.judge(&t)
		if name != "" {
			t.name = name
		}
		if next == "" {
			next = s.follow(r)
		}
		s.state = next
		if t.name != "" {
			t.Type = s.p.symbols[t.name]
			return t
		}
	}
}

// match returns the rule for what the text goes on with, and its length.
func (s *scanner) match(rest string) (rule, int) {
	for _, r := range s.p.states[s.state].rules {
		if at := r.pattern.FindStringSubmatchIndex(rest); at != nil {
			return r, at[len(at)-1] // of the group, if there is one: what is after it must follow
		}
	}
	for _, word := range s.p.words(s.state) {
		if strings.HasPrefix(word, rest) {
			return rule{token: cut, next: s.state}, len(rest)
		}
	}
	return rule{token: other, next: s.state}, 1
}

// follow returns the state that r leads to.
func (s *scanner) follow(r rule) string {
	if r.push != "" {
		s.stack = append(s.stack, r.push)
	}
	if r.next != "" {
		return r.next
	}
	last := len(s.stack) - 1
	next := s.stack[last]
	s.stack = s.stack[:last]
	return next
}

// A tokenList hands read tokens to participle, and then an end.
type tokenList struct{ tokens []placed }

// Next implements participle's lexer.
func (l *tokenList) Next() (Token, error) {
	if len(l.tokens) == 0 {
		return Token{Type: lexer.EOF, Pos: lexer.Position{Offset: math.MaxInt}}, nil
	}
	t := l.tokens[0]
	l.tokens = l.tokens[1:]
	return t.Token, nil
}

// parse reads the tokens by the productions. Without a tree it returns the index of
// the first token that does not fit, len(tokens) if more are needed.
func parse[T any](p *participle.Parser[T], tokens []placed) (tree *T, bad int) {
	peeking, _ := lexer.Upgrade(&tokenList{tokens}) // a list does not fail
	tree, err := p.ParseFromLexer(peeking)
	if err == nil {
		return tree, len(tokens)
	}
	if e := participle.Error(nil); errors.As(err, &e) {
		for i := range tokens {
			if tokens[i].start() >= e.Position().Offset {
				return nil, i
			}
		}
	}
	return nil, len(tokens)
}

// treeOf returns parse of a call by p, for which no tree is nil.
func treeOf[T any, P interface {
	*T
	call
}](p *participle.Parser[T]) func(tokens []placed) (call, int) {
	return func(tokens []placed) (call, int) {
		tree, bad := parse(p, tokens)
		if tree == nil {
			return nil, bad
		}
		return P(tree), bad
	}
}

// A definition tells participle the names of the tokens.
type definition struct{ symbols map[string]lexer.TokenType }

// Symbols implements participle's lexer definition.
func (d definition) Symbols() map[string]lexer.TokenType { return d.symbols }

// Lex implements participle's lexer definition. Tokens are handed over as a list.
func (d definition) Lex(string, io.Reader) (lexer.Lexer, error) {
	return nil, errors.New("the tokens are read by a scanner")
}

// symbolsOf numbers the tokens of a table.
func symbolsOf(all states, more ...string) map[string]lexer.TokenType {
	symbols := map[string]lexer.TokenType{"EOF": lexer.EOF}
	add := func(name string) {
		if _, ok := symbols[name]; !ok && name != "" {
			symbols[name] = lexer.TokenType(len(symbols))
		}
	}
	for _, name := range append(more, other, unclosed, cut) {
		add(name)
	}
	for _, s := range all {
		for _, r := range s.rules {
			add(r.token)
		}
	}
	return symbols
}
