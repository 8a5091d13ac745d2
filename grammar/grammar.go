package grammar

import (
	"errors"
	"math"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// lookahead is how far the parser may backtrack: not at all. So the first token
// that does not fit is always the error.
const lookahead = 0

func init() {
	// Limits bound a call; participle's own limit, a million repetitions for
	// every grammar of the program, is lower.
	participle.MaxIterations = math.MaxInt
}

// A Grammar reads calls between one pair of tags. It is safe for concurrent use.
type Grammar struct {
	delims Delims
	parser *participle.Parser[Call]
}

// New returns the grammar for the tags, or an error if they are not legal.
func New(delims Delims) (*Grammar, error) {
	if err := delims.Check(); err != nil {
		return nil, err
	}
	parser, err := newParser(delims, lookahead)
	if err != nil {
		return nil, err
	}
	return &Grammar{delims, parser}, nil
}

func newParser(delims Delims, lookahead int) (*participle.Parser[Call], error) {
	return participle.Build[Call](
		participle.Lexer(definition{delims}),
		participle.Union[Value](&String{}, &Array{}, &Object{}, &Bare{}),
		participle.UseLookahead(lookahead),
	)
}

// parse parses the tokens of one call. If it fails, it returns the index of the
// first token that does not fit.
func (g *Grammar) parse(tokens []placed) (*Call, int) {
	peeking, _ := lexer.Upgrade(&tokenList{tokens}) // a list of tokens cannot fail
	call, err := g.parser.ParseFromLexer(peeking)
	if err == nil {
		return call, len(tokens)
	}
	offset := math.MaxInt
	if positioned := participle.Error(nil); errors.As(err, &positioned) {
		offset = positioned.Position().Offset
	}
	for i := range tokens {
		if tokens[i].start() >= offset {
			return nil, i
		}
	}
	return nil, len(tokens) - 1
}

// A tokenList passes tokens to participle.
type tokenList struct {
	tokens []placed
}

// Next implements participle's lexer.
func (l *tokenList) Next() (lexer.Token, error) {
	t := l.tokens[0]
	if len(l.tokens) > 1 {
		l.tokens = l.tokens[1:]
	}
	return t.Token, nil
}
