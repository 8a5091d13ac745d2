package grammar

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// A State is a line of the table of lexer states: a place at which a token may
// begin.
type State struct {
	Name    string
	Expects Code // of the error where no production goes on; empty where that cannot be
	Bare    bool // an opener here is a nested call
	Close   bool // the close tag may stand here
	Tokens  []Transition
}

// A Transition lets a token begin in a state. The first of a state that matches
// is taken.
type Transition struct {
	Token   string // as productions refer to it; empty for whitespace that is none
	Pattern string // a regular expression
	Next    string // the state that follows; empty: the one that the bracket left open
	After   string // for an opening bracket, the state after the closing one
}

// stateNames are the names of the states of the scanner, in their order.
var stateNames = [...]string{
	"at-open", "at-name", "after-name", "at-body", "at-key", "at-segment",
	"after-key", "at-value", "after-word", "after-value", "after-body",
	"at-element", "after-element", "after-item", "at-member", "after-member-key",
	"at-member-value", "after-member", "after-member-item", "at-end",
}

// String returns the name of the state.
func (s state) String() string {
	if s == outer {
		return ""
	}
	return stateNames[s]
}

// States returns the table of the states in which the tokens of a call are read,
// in the order in which a call meets them. The opener is read before the first
// of them, and a tag is looked for before every other token.
func States() []State {
	var all []State
	for i, p := range places {
		s := State{Name: state(i).String(), Expects: p.expects, Bare: p.bare, Close: p.closes}
		if state(i) == atValue || state(i) == afterWord {
			s.Close = true // it ends the word
		}
		for _, r := range p.rules {
			t := Transition{Pattern: unanchored(r.pattern.String()), Next: r.next.String()}
			if r.symbol != none {
				t.Token = tokenRules[r.symbol-symOpen].Name
			}
			if r.after != atOpen {
				t.After = r.after.String()
			}
			s.Tokens = append(s.Tokens, t)
		}
		if len(s.Tokens) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// unanchored undoes anchored.
func unanchored(pattern string) string {
	return strings.TrimSuffix(strings.TrimPrefix(pattern, "^(?:"), ")")
}

// SignatureStates returns the table of the states in which the tokens of a
// signature are read, the first one first.
func SignatureStates() []State {
	rules := signatureLexer().Rules()
	var all []State
	for _, name := range []string{"Root", "Line", "Braces", "Brackets", "Comment"} {
		s := State{Name: name}
		for _, r := range rules[name] {
			t := Transition{Token: r.Name, Pattern: r.Pattern, Next: name}
			switch action := r.Action.(type) {
			case lexer.ActionPush:
				t.Next = action.State
				if name != "Root" {
					t.After = name
				}
			case lexer.ActionPop:
				t.Next = ""
			}
			s.Tokens = append(s.Tokens, t)
		}
		all = append(all, s)
	}
	return all
}
