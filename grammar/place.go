package grammar

import "regexp"

// This file is the lexical grammar of a call. The meaning of a byte depends on where
// it is, so the scanner has states. A state lists the tokens that may begin there:
// the first that matches is read, or Other if none does, so that the scanner is total
// and the productions decide what is an error. Outside quotes a tag ends every token
// and is a token itself. A state also has the code of an error that the parser finds
// there.

// A state is a place in a call at which a token may begin.
type state int

const (
	atOpen state = iota
	atName
	afterName
	atBody    // after the whitespace after the name
	atKey     // after whitespace
	atSegment // after a dot
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

	outer // stands for the state after the closing bracket
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
	bare    bool // a bare value may begin or continue here, so an opener is a nested call
	closes  bool // the close tag may be here
	rules   []rule
}

var places = [...]place{
	atOpen: {},
	atName: {expects: ExpectedName, rules: []rule{
		on(symSpace, patSpace, atName),
		on(symName, patName, afterName),
	}},
	afterName: {expects: BadName, closes: true, rules: []rule{
		on(symSpace, patSpace, atBody),
		opens(`\{`, atMember, afterBody),
	}},
	atBody: {expects: ExpectedKey, closes: true, rules: []rule{
		on(symKey, patKey, afterKey),
		opens(`\{`, atMember, afterBody),
	}},
	atKey: {expects: ExpectedKey, closes: true, rules: []rule{
		on(symKey, patKey, afterKey),
	}},
	atSegment: {expects: ExpectedKey, rules: []rule{
		on(symKey, patKey, afterKey),
	}},
	afterKey: {expects: ExpectedEquals, rules: []rule{
		on(symPunct, `\.`, atSegment),
		on(symPunct, `=`, atValue),
	}},
	// Here and after a word everything fits except an opener.
	atValue: {expects: NestedCall, bare: true, rules: append(
		values(symWord, patWord, afterWord, afterValue),
		on(symSpace, patSpace, atKey),
	)},
	afterWord: {expects: NestedCall, bare: true, rules: []rule{
		on(symSpace, patSpace, atKey),
	}},
	afterValue: {expects: ExpectedSpace, closes: true, rules: []rule{
		on(symSpace, patSpace, atKey),
	}},
	afterBody: {expects: ExpectedClose, closes: true, rules: []rule{
		on(symSpace, patSpace, afterBody),
	}},
	atElement: {expects: ExpectedValue, bare: true, rules: append(
		values(symItem, patItem, afterItem, afterElement),
		on(none, patSpace, atElement),
		on(symPunct, `\]`, outer),
	)},
	afterElement: {expects: ExpectedComma, rules: []rule{
		on(none, patSpace, afterElement),
		on(symPunct, `,`, atElement),
		on(symPunct, `\]`, outer),
	}},
	afterItem: {expects: ExpectedComma, bare: true, rules: []rule{
		on(none, patBlank, afterItem),
		on(none, patLineEnd, afterElement),
		on(symPunct, `,`, atElement),
		on(symPunct, `\]`, outer),
	}},
	atMember: {expects: ExpectedKey, rules: []rule{
		on(none, patSpace, atMember),
		on(symString, patString, afterMemberKey),
		on(symUnclosed, patUnclosed, atEnd),
		on(symMemberKey, patMemberKey, afterMemberKey),
		on(symPunct, `\}`, outer),
	}},
	afterMemberKey: {expects: ExpectedColon, rules: []rule{
		on(none, patSpace, afterMemberKey),
		on(symPunct, `:`, atMemberValue),
	}},
	atMemberValue: {expects: ExpectedValue, bare: true, rules: append(
		values(symItem, patItem, afterMemberItem, afterMember),
		on(none, patSpace, atMemberValue),
	)},
	afterMember: {expects: ExpectedComma, rules: []rule{
		on(none, patSpace, afterMember),
		on(symPunct, `,`, atMember),
		on(symPunct, `\}`, outer),
	}},
	afterMemberItem: {expects: ExpectedComma, bare: true, rules: []rule{
		on(none, patBlank, afterMemberItem),
		on(none, patLineEnd, afterMember),
		on(symPunct, `,`, atMember),
		on(symPunct, `\}`, outer),
	}},
	atEnd: {},
}

// values returns the rules for a value. The kind of a bare value depends on the place.
func values(bare symbol, pattern string, afterBare, after state) []rule {
	return []rule{
		on(symString, patString, after),
		on(symUnclosed, patUnclosed, atEnd),
		opens(`\[`, atElement, after),
		opens(`\{`, atMember, after),
		on(bare, pattern, afterBare),
	}
}

// on returns the rule that reads a token and goes to the next state.
func on(symbol symbol, pattern string, next state) rule {
	return rule{symbol: symbol, pattern: anchored(pattern), next: next}
}

// opens returns the rule for an opening bracket; after the closing bracket, the
// scanner goes to the state after.
func opens(pattern string, next, after state) rule {
	return rule{symbol: symPunct, pattern: anchored(pattern), next: next, after: after}
}

func anchored(pattern string) *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + pattern + `)`)
}
