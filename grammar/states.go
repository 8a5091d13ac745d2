package grammar

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// A State is a row of the table of lexer states: a place where a token may begin.
type State struct {
	Name    string
	Expects Code // code of an error here; empty if there cannot be one
	Bare    bool // an opener here is a nested call
	Close   bool // the close tag may be here
	Tokens  []Transition
}

// A Transition lets a token begin in a state. The first that matches applies.
type Transition struct {
	Token   string // its name in productions; empty for whitespace that is not a token
	Pattern string // a regular expression
	Next    string // the next state; empty for the After of the bracket that this closes
	After   string // for an opening bracket, the state after the closing one
}

// stateNames are the names of the states of the scanner, in order.
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

// States returns the table of states for the tokens of a call, in the order in which
// a call reaches them. The opener comes before the first state, and in every state a
// tag takes precedence over other tokens.
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

// SignatureStates returns the table of states for the tokens of a signature, starting
// with the first.
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
