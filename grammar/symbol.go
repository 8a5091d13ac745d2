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

// The patterns of the tokens. They are regular expressions over UTF-8 in
// which every byte of an ill-formed sequence counts as one character beyond
// ASCII. Outside quotes a tag ends every token, wherever it stands.
const (
	patSpace     = `[ \t\r\n]+`
	patBlank     = `[ \t]+`
	patLineEnd   = `[\r\n]`
	patName      = `[A-Za-z_$@\x{80}-\x{10FFFF}][A-Za-z0-9_$@\-./:\x{80}-\x{10FFFF}]*`
	patKey       = `[^\x00-\x20\x7F=.<>"'\[\]{},]+`
	patMemberKey = `[^\x00-\x20\x7F=.<>"'\[\]{},:]+`
	patString    = `"(?:[^"\\]|\\(?s:.))*"|'(?:[^'\\]|\\(?s:.))*'`
	patUnclosed  = `(?s:["'].*)`
	patWord      = `[^ \t\r\n"'\[{][^ \t\r\n]*`
	patItem      = `[^ \t\r\n"'\[\]{},][^ \t\r\n\]},]*(?:[ \t]+[^ \t\r\n\]},]+)*`
	patOther     = `(?s:.)`
)

// A TokenRule is one line of the table of tokens.
type TokenRule struct {
	Name    string // as productions refer to it
	Pattern string // a regular expression; for a tag, the tag itself quoted as one
	Doc     string
}

// tokenRules lists the tokens in the order of their symbols.
var tokenRules = [...]TokenRule{
	{"Open", "", "The opener."},
	{"Close", "", "The close tag."},
	{"Space", patSpace, "Whitespace. It separates arguments; inside brackets it may stand between any two tokens and is not a token."},
	{"Name", patName, "The name of a tool."},
	{"Key", patKey, "One segment of a path."},
	{"MemberKey", patMemberKey, "A bare key of an object."},
	{"String", patString, "A quoted string, raw line ends included. Tags in it are content."},
	{"Word", patWord, "A bare value after an equals sign."},
	{"Item", patItem, "A bare value in an array or object, without the blanks around it."},
	{"Punct", `[=.:,\[\]{}]`, "Punctuation where it has a meaning."},
	{"Truncated", "", "A proper prefix of a tag at the end of the input. No production takes it."},
	{"Unclosed", patUnclosed, "A string that the input ends in. No production takes it."},
	{"Other", patOther, "A character that fits nothing here. No production takes it."},
}
