package grammar

import "github.com/alecthomas/participle/v2/lexer"

// A symbol is the kind of a token.
type symbol = lexer.TokenType

const (
	none symbol = iota
	symOpen
	symClose
	symSpace
	symName
	symKey
	symMemberKey
	symString
	symWord
	symItem
	symPunct
	symTruncated
	symUnclosed
	symOther

	symEnd = lexer.EOF
)

// The patterns of the tokens are regular expressions over UTF-8, in which each byte
// of an ill-formed sequence counts as one non-ASCII character.
const (
	patSpace     = `[ \t\r\n]+`
	patBlank     = `[ \t]+`
	patLineEnd   = `[\r\n]`
	patName      = `[A-Za-z_$@\x{80}-\x{10FFFF}][A-Za-z0-9_$@\-./:\x{80}-\x{10FFFF}]*`
	patKey       = `[^\x00-\x20\x7F=.<>"'\[\]{},]+`
	patMemberKey = `[^\x00-\x20\x7F=.<>"'\[\]{},:]+`
	patString    = `"(?:[^"\\]|\\(?s:.))*"|'(?:[^'\\]|\\(?s:.))*'`
	patUnclosed  = `["'](?s:.*)`
	patWord      = `[^ \t\r\n"'\[{][^ \t\r\n]*`
	patItem      = `[^ \t\r\n"'\[\]{},][^ \t\r\n\]},]*(?:[ \t]+[^ \t\r\n\]},]+)*`
	patPunct     = `[=.:,\[\]{}]`
	patOther     = `(?s:.)`
)

// A TokenRule is a row of the table of tokens.
type TokenRule struct {
	Name    string // as in productions
	Pattern string // a regular expression
	Doc     string
}

// tokenRules lists the tokens in the order of their symbols. Grammar.Tokens fills in
// the patterns of the tags.
var tokenRules = [...]TokenRule{
	{"Open", "", "The opener."},
	{"Close", "", "The close tag."},
	{"Space", patSpace, "Whitespace between arguments and before a tag. Inside brackets whitespace may stand between any two tokens and is none itself."},
	{"Name", patName, "The name of a tool."},
	{"Key", patKey, "A segment of a path."},
	{"MemberKey", patMemberKey, "A bare key of an object."},
	{"String", patString, "A quoted string. Tags in it are content."},
	{"Word", patWord, "A bare value after an equals sign."},
	{"Item", patItem, "A bare value inside brackets, without the blanks around it."},
	{"Punct", patPunct, "Punctuation, where it has a meaning."},
	{"Truncated", "", "A proper prefix of a tag that the text ends in. No production takes it."},
	{"Unclosed", patUnclosed, "A string that the text ends in. No production takes it."},
	{"Other", patOther, "A byte that fits nothing where it stands. No production takes it."},
}

// A placed token has the state in which the scanner read it.
type placed struct {
	lexer.Token
	state state
}

func (t *placed) start() int { return t.Pos.Offset }
func (t *placed) end() int   { return t.Pos.Offset + len(t.Value) }

// is reports whether t is the given punctuation.
func (t *placed) is(punct string) bool {
	return t.Type == symPunct && t.Value == punct
}

// opensBody reports whether t opens a JSON body.
func (t *placed) opensBody() bool {
	return t.is("{") && (t.state == afterName || t.state == atBody)
}

// depth returns the nesting depth after t, given the depth before it.
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

// endsText reports whether t is due to the end of the text. A close tag that
// closeAtEnd added has no bytes.
//
// Rule: framing.truncated
func (t *placed) endsText() bool {
	return t.Value == "" || t.Type == symTruncated || t.Type == symUnclosed
}

// code returns the code of a call in which t is a syntax error.
func (t *placed) code() Code {
	place := places[t.state]
	if t.Type == symOpen && place.bare {
		return NestedCall
	}
	return place.expects
}
