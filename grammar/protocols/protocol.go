package protocols

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/callwire/callwire/grammar"
)

// A Protocol is a format of calls.
type Protocol struct {
	Name string

	// opens looks for an opener at the beginning of a text, and what makes it begin a
	// call. It returns the length of the opener, and where the body begins after it.
	opens func(text string, o grammar.Options) (n, body int, ok bool)

	// closes returns the length of the tag at the beginning of a text that ends the call
	// with the given opener, and its damage; 0 if none stands there.
	closes func(open, text string) int

	close string              // that tag, where it is the same for all calls
	tags  map[string][]string // that may stand in a state, and be cut where the text ends
	quote bool                // strings in double quotes hide tags

	productions string // as text
	states      states // the first one is "body"
	symbols     map[string]lexer.TokenType

	// tree reads the tokens by the productions.
	tree func(tokens []placed) (call, int)

	// newChecker returns what checks a call that begins.
	newChecker func(r *reader) checker
}

// A call is a syntax tree.
type call interface {
	// said returns the tool's name, its arguments as JSON, and issues.
	said(r *reader) (name string, input []byte, issues []grammar.Issue)
}

// A checker knows what a call has said so far. It is the judge of its tokens too.
type checker interface {
	judge

	// check reads the next token. The first fault is of what the call says; stop is
	// one with which damage begins.
	check(t *placed) (says, stop *fault)
}

// A fault is what is wrong with a call, and where.
type fault struct {
	code grammar.Code
	at   int
	from int // of what a call says: where it is complete, and counts
}

// limit reports whether f is of a limit, which comes before what else is wrong there.
func (f *fault) limit() bool {
	return f.code == grammar.CallTooLong || f.code == grammar.NameTooLong || f.code == grammar.TooDeep
}

// first returns the fault with the smallest offset, of equal ones the first.
func first(faults ...*fault) *fault {
	var first *fault
	for _, f := range faults {
		if f != nil && (first == nil || f.at < first.at) {
			first = f
		}
	}
	return first
}

// The codes and issues that the wire format does not have.
const (
	InvalidJSON   grammar.Code = "invalid-json"   // in a string, the byte or escape that may not stand there
	NotAnObject   grammar.Code = "not-an-object"  // the arguments
	Coerced       grammar.Code = "coerced"        // the value that was written as another
	AmbiguousText grammar.Code = "ambiguous-text" // the raw text that holds a tag
)

// Protocols returns all protocols, by name.
func Protocols() []*Protocol { return slices.Clone(protocols) }

// ByName returns the protocol of that name, or nil.
func ByName(name string) *Protocol {
	for _, p := range protocols {
		if p.Name == name {
			return p
		}
	}
	return nil
}

var protocols = []*Protocol{hermes("hermes", "<tool_call>", "</tool_call>"), hermes("gemma-fence", "```tool_call", "```"), qwen}

// between makes calls begin with what opens matches, group 1 the opener and group 2 what
// makes it one, and end with the tag close.
func (p *Protocol) between(opens *regexp.Regexp, close string) *Protocol {
	p.close = close
	p.opens = func(text string, _ grammar.Options) (n, body int, ok bool) {
		m := opens.FindStringSubmatchIndex(text)
		if m == nil {
			return 0, 0, false
		}
		return m[3], m[4], true
	}
	p.closes = func(_, text string) int { return lenOf(close, text) }
	return p
}

// lenOf returns the length of prefix if text begins with it, else 0.
func lenOf(prefix, text string) int {
	if strings.HasPrefix(text, prefix) {
		return len(prefix)
	}
	return 0
}

// words returns what may follow in a state that is cut where the text ends: the tags.
func (p *Protocol) words(state string) []string {
	if state == "close" {
		return []string{p.close}
	}
	return p.tags[state]
}

// EBNF returns the grammar as text: the productions of a call, and its tokens by the
// states in which they are read.
func (p *Protocol) EBNF() string {
	var b strings.Builder
	b.WriteString(p.productions)
	b.WriteString("\n\n(* Tokens, as regular expressions, by the state in which they are read. *)\n")
	for _, name := range p.order() {
		s := p.states[name]
		fmt.Fprintf(&b, "\n(* %s: else %s *)\n", name, s.expects)
		for _, r := range s.rules {
			if r.token == unclosed {
				continue
			}
			token := r.token
			if token == "" {
				token = "Space"
			}
			next := r.next
			if next == "" {
				next = "the state that was kept"
			}
			if r.push != "" {
				next += ", and " + r.push + " is kept"
			}
			fmt.Fprintf(&b, "<%s> = /%s/ . (* then %s *)\n", strings.ToLower(token), strings.TrimSuffix(strings.TrimPrefix(r.pattern.String(), "^(?:"), ")"), next)
		}
	}
	return b.String()
}

// order returns the states as they are met from the first one on.
func (p *Protocol) order() []string {
	names := []string{"body"}
	for i := 0; i < len(names); i++ {
		for _, r := range p.states[names[i]].rules {
			for _, next := range []string{r.next, r.push} {
				if _, ok := p.states[next]; ok && !slices.Contains(names, next) {
					names = append(names, next)
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.states)) { // to which a judge leads
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
