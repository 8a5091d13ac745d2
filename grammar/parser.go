package grammar

import (
	"errors"
	"io"
	"math"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// symbols numbers the tokens of all formats, as participle wants it.
var symbols = func() map[string]lexer.TokenType {
	all := map[string]lexer.TokenType{"EOF": lexer.EOF}
	for i, name := range []string{
		tokOpen, tokClose, tokSpace, tokName, tokKey, tokMemberKey, tokString, tokWord, tokItem,
		tokPunct, tokTruncated, tokUnclosed, tokOther,
		"NameKey", "ArgumentsKey", "OtherKey",
		"FunctionOpen", "FunctionClose", "ParameterOpen", "ParameterClose", "Text", "End",
		"QuotedName", "Description", "Bar", "Comma", "JSON", "OpenBrace", "CloseBrace",
		"OpenBracket", "CloseBracket", "CommentOpen", "CommentText", "InnerOpen", "CommentClose",
	} {
		all[name] = lexer.TokenType(i + 1)
	}
	return all
}()

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
type definition map[string]lexer.TokenType

// Symbols implements participle's lexer definition.
func (d definition) Symbols() map[string]lexer.TokenType { return d }

// Lex implements participle's lexer definition. Tokens are passed as a list instead.
func (definition) Lex(string, io.Reader) (lexer.Lexer, error) {
	return nil, errors.New("grammar: a scanner reads the tokens")
}

// productions are those of a tree.
type productions struct {
	text string // in EBNF

	// parse parses tokens. With an error, the tree has what was read before it.
	parse func(tokens []token) (tree, error)
}

func init() {
	// Limits bound a call; participle's own limit, a million repetitions for
	// every grammar of the program, is lower.
	participle.MaxIterations = math.MaxInt
}

// parserOf returns the parser of the productions that the parser tags of T form. The
// lookahead is how many tokens it may read before it decides.
func parserOf[T any](lookahead int) *participle.Parser[T] {
	return participle.MustBuild[T](
		participle.Lexer(definition(symbols)), participle.UseLookahead(lookahead))
}

// parse parses tokens. With an error, the tree has what was read before it.
func parse[T any](p *participle.Parser[T], tokens []token) (*T, error) {
	peeking, _ := lexer.Upgrade(&tokenList{tokens}) // a list of tokens cannot fail
	return p.ParseFromLexer(peeking)
}

// productionsOf returns the productions of calls that the type T forms. The parser never
// backtracks, so the first token that does not fit is always the error.
func productionsOf[T any, P interface {
	*T
	tree
}]() productions {
	p := parserOf[T](0)
	return productions{p.String(), func(tokens []token) (tree, error) {
		t, err := parse(p, tokens)
		return P(t), err
	}}
}
