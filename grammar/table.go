package grammar

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// A State is a row of the table of lexer states: a place where a token may begin.
// The first transition that matches applies. If none does, the token is one byte that
// no production accepts, so the lexer is total and the state has the code of the error.
type State struct {
	Name    string
	Expects Code // code of an error here; empty if there cannot be one
	Bare    bool // a bare value may begin or continue here, so an opener is a nested call
	Close   bool // the closing tag may be here
	Tokens  []Transition
}

// A Transition lets a token begin in a state.
type Transition struct {
	Token   string // its name in productions; empty for whitespace that is not a token
	Pattern string // a regular expression
	Next    string // the next state; empty for the After of the bracket that this closes
	After   string // for an opening bracket, the state after the closing one
}

// on returns the transition that reads a token and goes to the next state.
func on(token, pattern, next string) Transition {
	return Transition{Token: token, Pattern: pattern, Next: next}
}

// opens returns the transition for an opening bracket.
func opens(pattern, next, after string) Transition {
	return Transition{Token: tokPunct, Pattern: pattern, Next: next, After: after}
}

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
	tokTruncated = "Truncated" // the beginning of a tag, at the end of the text
	tokUnclosed  = "Unclosed"  // an unclosed string, or one that JSON does not allow
	tokOther     = "Other"     // a byte that fits nothing
)

// atEnd is the state after the last token of a call.
const atEnd = "at-end"

// symbols numbers the tokens of all formats, as participle wants it.
var symbols = func() map[string]lexer.TokenType {
	all := map[string]lexer.TokenType{"EOF": lexer.EOF}
	for i, name := range []string{
		tokOpen, tokClose, tokSpace, tokName, tokKey, tokMemberKey, tokString, tokWord, tokItem,
		tokPunct, tokTruncated, tokUnclosed, tokOther,
		"NameKey", "ArgumentsKey", "OtherKey",
		"FunctionOpen", "FunctionClose", "ParameterOpen", "ParameterClose", "Text", "End",
	} {
		all[name] = lexer.TokenType(i + 1)
	}
	return all
}()

// A table is a compiled list of states.
type table map[string]*place

// A place is a compiled state.
type place struct {
	State
	patterns []*regexp.Regexp // of the transitions
}

func compile(states []State) table {
	all := table{}
	for _, s := range states {
		p := &place{State: s}
		for _, t := range s.Tokens {
			p.patterns = append(p.patterns, anchored(t.Pattern))
		}
		all[s.Name] = p
	}
	return all
}

func anchored(pattern string) *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + pattern + `)`)
}

// A token is a terminal with its name and the state in which it was read.
type token struct {
	lexer.Token
	name  string
	state string
	fits  bool // a transition matched
}

func (t *token) start() int { return t.Pos.Offset }
func (t *token) end() int   { return t.Pos.Offset + len(t.Value) }

// is reports whether t is the given punctuation.
func (t *token) is(punct string) bool { return t.name == tokPunct && t.Value == punct }

// isOneOf reports whether t has one of the names.
func (t *token) isOneOf(names ...string) bool { return slices.Contains(names, t.name) }

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

// statesText returns a grammar as text: its productions, and the tokens of each state.
// A token that no state reads does not occur.
func statesText(productions string, states []State) string {
	var b strings.Builder
	b.WriteString(productions)
	b.WriteString("\n\n(* Tokens, as regular expressions, by the state in which they are read.\n" +
		"   A token that no state reads does not occur. *)\n")
	for _, s := range states {
		fmt.Fprintf(&b, "\n(* %s: else %s *)\n", s.Name, s.Expects)
		for _, t := range s.Tokens {
			if t.Token == tokUnclosed {
				continue
			}
			name, next := cmp.Or(t.Token, tokSpace), cmp.Or(t.Next, "the state that was kept")
			if t.After != "" {
				next += ", and " + t.After + " is kept"
			}
			fmt.Fprintf(&b, "<%s> = /%s/ . (* then %s *)\n", strings.ToLower(name), t.Pattern, next)
		}
	}
	return b.String()
}
