package grammar

import (
	"cmp"
	"errors"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// A scanner reads the tokens of one call, one at a time. The caller must stop after a
// token that no production accepts.
type scanner struct {
	g     *Grammar
	frame *frame
	text  string
	pos   int
	state string
	outer []string // the states after the closing brackets to come
	last  string   // the token that ends at pos, empty for whitespace between tokens
	judge judge    // or nil
}

// A judge refines a token by what its pattern cannot express: it returns another name for the
// token and another state to follow. An empty result changes nothing.
type judge func(t *token) (name, next string)

// next reads a token. At the end of the text it is an empty one without a name.
func (s *scanner) next() token {
	for s.pos < len(s.text) {
		t := token{state: s.state}
		t.Pos.Offset = s.pos
		end, next := s.match(&t)
		t.Value = s.text[s.pos:end]
		if s.judge != nil {
			name, other := s.judge(&t)
			t.name, next = cmp.Or(name, t.name), cmp.Or(other, next)
		}
		s.pos, s.state, s.last = end, next, t.name
		if t.name != "" {
			return t
		}
	}
	end := token{state: s.state}
	end.Pos.Offset = s.pos
	return end
}

// match recognizes what begins at s.pos: it names t, and returns the end and the state
// that follows.
func (s *scanner) match(t *token) (end int, next string) {
	until := len(s.text)
	if s.g.tagsEndTokens {
		t.name, end, until = s.matchTag()
		if t.name != "" {
			return end, atEnd
		}
	}
	p := s.g.states[s.state]
	for i, rule := range p.Tokens {
		text := s.text[s.pos:until]
		if rule.Token == tokString || rule.Token == tokUnclosed {
			text = s.text[s.pos:]
		}
		at := p.patterns[i].FindStringSubmatchIndex(text)
		if at == nil {
			continue
		}
		t.name, t.fits = rule.Token, true
		return s.pos + at[len(at)-1], s.follow(rule) // what follows a group must follow the token
	}
	for _, tag := range s.g.cut[s.state] {
		if strings.HasPrefix(tag, s.text[s.pos:]) {
			t.name = tokTruncated
			return len(s.text), atEnd
		}
	}
	t.name = tokOther
	return s.pos + 1, atEnd
}

// follow returns the state that the transition leads to.
func (s *scanner) follow(t Transition) string {
	if t.After != "" {
		s.outer = append(s.outer, t.After)
	}
	if t.Next != "" {
		return t.Next
	}
	last := len(s.outer) - 1
	next := s.outer[last]
	s.outer = s.outer[:last]
	return next
}

// A tokenList passes tokens to participle, and then an end.
type tokenList struct{ tokens []token }

// Next implements participle's lexer.
func (l *tokenList) Next() (lexer.Token, error) {
	if len(l.tokens) == 0 {
		return lexer.Token{Type: lexer.EOF, Pos: lexer.Position{Offset: math.MaxInt}}, nil
	}
	t := l.tokens[0]
	l.tokens = l.tokens[1:]
	t.Type = symbols[t.name]
	return t.Token, nil
}

// A definition lists the names of the tokens for participle.
type definition struct{ symbols map[string]lexer.TokenType }

// Symbols implements participle's lexer definition.
func (d definition) Symbols() map[string]lexer.TokenType { return d.symbols }

// Lex implements participle's lexer definition. Tokens are passed as a list instead.
func (definition) Lex(string, io.Reader) (lexer.Lexer, error) {
	return nil, errors.New("grammar: a scanner reads the tokens")
}

// productions are those of a tree.
type productions struct {
	text string // in EBNF

	// parse parses tokens. Without a tree it returns the index of the first token that does
	// not fit, len(tokens) if more are needed.
	parse func(tokens []token) (t tree, bad int)
}

// lookahead is how far the parser may backtrack: not at all. So the first token
// that does not fit is always the error.
const lookahead = 0

func init() {
	// Limits bound a call; participle's own limit, a million repetitions for
	// every grammar of the program, is lower.
	participle.MaxIterations = math.MaxInt
}

// productionsOf returns those of the type T, which the parser tags of its fields form.
func productionsOf[T any, P interface {
	*T
	tree
}]() productions {
	values := participle.Union[Value](&String{}, &Array{}, &Object{}, &Bare{})
	p := participle.MustBuild[T](
		participle.Lexer(definition{symbols}), values, participle.UseLookahead(lookahead))
	return productions{p.String(), func(tokens []token) (tree, int) {
		peeking, _ := lexer.Upgrade(&tokenList{tokens}) // a list of tokens cannot fail
		t, err := p.ParseFromLexer(peeking)
		if err == nil {
			return P(t), len(tokens)
		}
		positioned := participle.Error(nil)
		if !errors.As(err, &positioned) {
			return nil, len(tokens)
		}
		at := positioned.Position().Offset
		bad := slices.IndexFunc(tokens, func(t token) bool { return t.start() >= at })
		if bad < 0 {
			bad = len(tokens)
		}
		return nil, bad
	}}
}
