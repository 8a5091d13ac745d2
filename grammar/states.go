package grammar

import "regexp"

// A State is a row of the table of lexer states: a place where a token may begin.
// The first transition that matches applies. If none does, the token is one byte that
// no production accepts, so the lexer is total and the state has the code of the error.
type State struct {
	Name   string       `json:"name"`
	Tokens []Transition `json:"tokens"`          // the first that matches is read
	Close  bool         `json:"close"`           // the closing tag may be here
	Opener Code         `json:"opener"`          // code of an opener here
	Error  Code         `json:"error,omitempty"` // code of anything else; empty if all fits
}

// A Transition lets a token begin in a state.
type Transition struct {
	Token   string `json:"token"`   // its name in productions; [Blank] is no token
	Pattern string `json:"pattern"` // a regular expression

	Next  string `json:"next,omitempty"`   // the next state; empty for that which a bracket kept
	After string `json:"leaves,omitempty"` // for an opening bracket, the state that it keeps

	match *regexp.Regexp // Pattern, at the beginning of what is left
}

// Blank names whitespace that is not a token.
const Blank = "space"

// The tokens that the reader knows by name. No production takes the last three.
const (
	tokOpen      = "Open"
	tokClose     = "Close"
	tokSpace     = "Space"
	tokName      = "Name"
	tokKey       = "Key"
	tokMemberKey = "MemberKey"
	tokString    = "String"
	tokWord      = "Word"
	tokItem      = "Item"
	tokPunct     = "Punct"
	tokTruncated = "Truncated" // a token that is not complete, at the end of the text
	tokUnclosed  = "Unclosed"  // an unclosed string, or one that JSON does not allow
	tokOther     = "Other"     // what fits nothing
)

// atEnd is the state after the last token of a call.
const atEnd = "at-end"

// tight returns a state without whitespace before its tokens.
func tight(name string, code Code, tokens ...Transition) State {
	return State{Name: name, Error: code, Opener: code, Tokens: tokens}
}

// spaced returns a state with optional whitespace before its tokens.
func spaced(name string, code Code, tokens ...Transition) State {
	return tight(name, code, append([]Transition{on(Blank, patSpace, name)}, tokens...)...)
}

// closable marks a state in which the closing tag may be.
func closable(s State) State {
	s.Close = true
	return s
}

// bare marks a state in which a bare value may begin or continue.
func bare(s State) State {
	s.Opener = NestedCall
	return s
}

// on returns the transition that reads a token and goes to the next state.
func on(token, pattern, next string) Transition {
	return Transition{Token: token, Pattern: pattern, Next: next, match: anchored(pattern)}
}

// opens returns the transition for an opening bracket.
func opens(token, pattern, next, after string) Transition {
	t := on(token, pattern, next)
	t.After = after
	return t
}

// cut returns the transition for what the end of the text cuts.
func cut(pattern string) Transition { return on(tokTruncated, `(?:`+pattern+`)\z`, atEnd) }

// A table has the states by their names.
type table map[string]*State

func tableOf(states []State) table {
	all := table{}
	for i := range states {
		all[states[i].Name] = &states[i]
	}
	return all
}

func anchored(pattern string) *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + pattern + `)`)
}

// prefixes is a regular expression for the proper prefixes of a tag.
func prefixes(tag string) string {
	pattern := ""
	for i := len(tag) - 2; i >= 0; i-- {
		pattern = regexp.QuoteMeta(tag[i:i+1]) + pattern
		if i > 0 {
			pattern = "(?:" + pattern + ")?"
		}
	}
	return pattern
}
