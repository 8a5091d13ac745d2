package grammar

import (
	"math"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// symbols numbers the tokens of all formats, as participle wants it. It reads none itself.
var symbols = func() lexer.Definition {
	var rules []lexer.SimpleRule
	for _, name := range []string{
		tokOpen, tokClose, tokSpace, tokName, tokKey, tokMemberKey, tokString, tokWord, tokItem,
		tokPunct, tokTruncated, tokUnclosed, tokOther,
		"FunctionOpen", "FunctionClose", "ParameterOpen", "ParameterClose", "Text", "End",
		"QuotedName", "Description", "Bar", "Comma", "JSON", "OpenBrace", "CloseBrace",
		"OpenBracket", "CloseBracket", "CommentOpen", "CommentText", "InnerOpen", "CommentClose",
	} {
		rules = append(rules, lexer.SimpleRule{Name: name, Pattern: name})
	}
	return lexer.MustSimple(rules)
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
	t.Type = symbols.Symbols()[t.name]
	return t.Token, nil
}

func init() {
	// Limits bound a call; participle's own limit, a million repetitions for
	// every grammar of the program, is lower.
	participle.MaxIterations = math.MaxInt
}

// parserOf returns the parser of the productions that the parser tags of T form. The
// lookahead is how many tokens it may read before it decides. That of calls never backtracks,
// so the first token that does not fit is always the error.
func parserOf[T any](lookahead int) *participle.Parser[T] {
	return participle.MustBuild[T](participle.Lexer(symbols), participle.UseLookahead(lookahead))
}

// parse parses tokens. With an error, the tree has what was read before it.
func parse[T any](p *participle.Parser[T], tokens []token) (*T, error) {
	peeking, _ := lexer.Upgrade(&tokenList{tokens}) // a list of tokens cannot fail
	return p.ParseFromLexer(peeking)
}
