package grammar

import "regexp"

// This file is the lexical grammar of the wire format. Outside quotes a tag ends every
// token and is a token itself.

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

// wireStates is the table of states of the wire format, in the order in which a call
// reaches them.
var wireStates = []State{
	tight("at-name", ExpectedName,
		on(tokSpace, patSpace, "at-name"), on(tokName, patName, "after-name")),
	closable(tight("after-name", BadName,
		on(tokSpace, patSpace, "at-body"), opens(tokPunct, `\{`, "at-member", "after-body"))),
	closable(tight("at-body", ExpectedKey,
		on(tokKey, patKey, "after-key"), opens(tokPunct, `\{`, "at-member", "after-body"))),
	closable(tight("at-key", ExpectedKey, on(tokKey, patKey, "after-key"))),
	tight("at-segment", ExpectedKey, on(tokKey, patKey, "after-key")),
	tight("after-key", ExpectedEquals,
		on(tokPunct, `\.`, "at-segment"), on(tokPunct, `=`, "at-value")),
	// Here and after a word everything fits except an opener.
	closable(bare(tight("at-value", NestedCall, append(
		values(tokWord, patWord, "after-word", "after-value"),
		on(tokSpace, patSpace, "at-key"))...))),
	closable(bare(tight("after-word", NestedCall, on(tokSpace, patSpace, "at-key")))),
	closable(tight("after-value", ExpectedSpace, on(tokSpace, patSpace, "at-key"))),
	closable(tight("after-body", ExpectedClose, on(tokSpace, patSpace, "after-body"))),
	bare(tight("at-element", ExpectedValue, append(
		values(tokItem, patItem, "after-item", "after-element"),
		on(Blank, patSpace, "at-element"), on(tokPunct, `\]`, ""))...)),
	spaced("after-element", ExpectedComma,
		on(tokPunct, `,`, "at-element"), on(tokPunct, `\]`, "")),
	bare(tight("after-item", ExpectedComma,
		on(Blank, patBlank, "after-item"), on(Blank, patLineEnd, "after-element"),
		on(tokPunct, `,`, "at-element"), on(tokPunct, `\]`, ""))),
	spaced("at-member", ExpectedKey,
		on(tokString, patString, "after-member-key"), on(tokUnclosed, patUnclosed, atEnd),
		on(tokMemberKey, patMemberKey, "after-member-key"), on(tokPunct, `\}`, "")),
	spaced("after-member-key", ExpectedColon, on(tokPunct, `:`, "at-member-value")),
	bare(tight("at-member-value", ExpectedValue, append(
		values(tokItem, patItem, "after-member-item", "after-member"),
		on(Blank, patSpace, "at-member-value"))...)),
	spaced("after-member", ExpectedComma,
		on(tokPunct, `,`, "at-member"), on(tokPunct, `\}`, "")),
	bare(tight("after-member-item", ExpectedComma,
		on(Blank, patBlank, "after-member-item"), on(Blank, patLineEnd, "after-member"),
		on(tokPunct, `,`, "at-member"), on(tokPunct, `\}`, ""))),
}

// values returns the transitions for a value. The kind of a bare value depends on the
// place.
func values(token, pattern, afterBare, after string) []Transition {
	return []Transition{
		on(tokString, patString, after),
		on(tokUnclosed, patUnclosed, atEnd),
		opens(tokPunct, `\[`, "at-element", after),
		opens(tokPunct, `\{`, "at-member", after),
		on(token, pattern, afterBare),
	}
}

var wireTable = tableOf(wireStates)

// A TokenRule is a row of the table of tokens.
type TokenRule struct {
	Name    string // as in productions
	Pattern string // a regular expression
	Doc     string
}

// Tokens returns the table of tokens of the wire format.
func (g *Grammar) Tokens() []TokenRule {
	truncated := "(?:" + prefixes(g.open) + "|" + prefixes(g.close) + `)\z`
	return []TokenRule{
		{tokOpen, regexp.QuoteMeta(g.open), "The opener."},
		{tokClose, regexp.QuoteMeta(g.close), "The closing tag."},
		{tokSpace, patSpace, "Whitespace between arguments and before a tag. Inside brackets, " +
			"whitespace is allowed between any two tokens and is not a token."},
		{tokName, patName, "The name of a tool."},
		{tokKey, patKey, "A segment of a path."},
		{tokMemberKey, patMemberKey, "A bare key of an object."},
		{tokString, patString, "A quoted string. Tags in it are content."},
		{tokWord, patWord, "A bare value after an equals sign."},
		{tokItem, patItem, "A bare value inside brackets, without the blanks around it."},
		{tokPunct, patPunct, "Punctuation, where it has a meaning."},
		{tokTruncated, truncated,
			"A proper prefix of a tag that the text ends in. No production takes it."},
		{tokUnclosed, patUnclosed, "A string that the text ends in. No production takes it."},
		{tokOther, patOther, "A byte that fits no token at its place. No production takes it."},
	}
}
