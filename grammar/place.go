package grammar

import "regexp"

// This file is the lexical grammar of a call. What a byte means depends on
// where it stands, so the scanner has states. A state lists the tokens that
// may begin there: the first that matches is read, and Other where none does,
// so that the scanner is total and the productions decide what is an error.
// Outside quotes a tag ends every token and is one itself. A state also names
// what is expected in it: the code of an error that the parser finds there.

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
