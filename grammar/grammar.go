package grammar

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"
)

// A Grammar reads the calls of one format. It is safe for concurrent use.
type Grammar struct {
	framing
	wire      bool     // a tag ends every token outside quotes, and keys may be bare
	states    []State  // the first is that after the opener
	table     table    // of the states
	arguments []string // if they are one object: the states after it and what is around it

	productions string
	parse       func(tokens []token) (tree, error)
}

// Delims are the two tags around a call.
//
// A tag has 2 to 32 printable ASCII bytes without whitespace. It begins with a
// punctuation byte other than the quotes and \ = [ ] { } . , which have a
// meaning in a body. Neither tag contains the other. If the opener ends with
// one of its own prefixes, the byte after that prefix must not be one that can
// begin a call: text before an opener must not change what it opens.
//
// Rule: framing.close
type Delims struct {
	Open, Close string
}

// DefaultDelims are the tags that the format specifies.
var DefaultDelims = Delims{Open: "<call>", Close: "</call>"}

var legalTag = regexp.MustCompile("^[!#$%&()*+\\-/:;<>?@^_`|~][!-~]{1,31}$")

// areLegal reports whether calls can be between the tags.
func (d Delims) areLegal() bool {
	for n := 1; n < len(d.Open); n++ {
		if strings.HasSuffix(d.Open, d.Open[:n]) && callBegins.MatchString(d.Open[n:]) {
			return false
		}
	}
	return legalTag.MatchString(d.Open) && legalTag.MatchString(d.Close) &&
		!strings.Contains(d.Open, d.Close) && !strings.Contains(d.Close, d.Open)
}

// New returns the grammar of the wire format with the given tags, or an error if they are
// not legal.
func New(delims Delims) (*Grammar, error) {
	if !delims.areLegal() {
		return nil, fmt.Errorf("grammar: %q and %q are not legal tags", delims.Open, delims.Close)
	}
	return &Grammar{
		wire:        true,
		framing:     framing{delims.Open, delims.Close, callBegins, `"'`},
		states:      wireStates,
		table:       wireTable,
		arguments:   []string{"after-body"},
		productions: callText(),
		parse:       func(tokens []token) (tree, error) { return parse(callParser, tokens) },
	}, nil
}

// callBegins is the byte after an opener that starts a call.
var callBegins = anchored(`[A-Za-z_$@{\[]|[^\x00-\x7F]`)

var callParser = parserOf[Call](0)

// callText returns the productions of a call, which take a while to write.
var callText = sync.OnceValue(func() string { return callParser.String() })

// others are the formats other than the wire format.
var others = map[string]*Grammar{
	"hermes":      hermes("<tool_call>", "</tool_call>"),
	"gemma-fence": hermes("```tool_call", "```"),
	"qwen3-coder": qwen(),
}

// ByName returns the grammar of another format: hermes, gemma-fence or qwen3-coder. It
// returns nil for any other name.
func ByName(name string) *Grammar { return others[name] }

// EBNF returns the productions of a call as text. That of the wire format begins with
// framing, and ends with the tokens. (?= X) means that X must follow and is not taken.
func (g *Grammar) EBNF() string {
	if !g.wire {
		return g.productions
	}
	var b strings.Builder
	b.WriteString(framingText + "\n(* A call. *)\n\n" + g.productions +
		"\n\n(* Tokens, as regular expressions. *)\n\n")
	for _, t := range g.Tokens() {
		b.WriteString("<" + strings.ToLower(t.Name) + "> = /" + t.Pattern + "/ .\n")
	}
	return b.String()
}

// States returns the table of states for the tokens of a call, in the order in which a call
// reaches them. The opener comes before the first state. In the wire format a tag takes
// precedence over other tokens in every state.
func (g *Grammar) States() []State { return g.states }

// framingText is the grammar of texts. Which part a byte belongs to is decided
// from left to right, so that the alternatives need no order.
const framingText = `(* Framing: a text is prose, calls, and malformed calls.

   Prose ends before an opener that starts a call: one that optional
   whitespace and then a letter, _, $, @, a byte beyond ASCII, { or [ follow.
   A call that starts there is a Call if it is one, and Malformed otherwise.
   Damage begins at the byte that no call can have there. It ends with the
   first closing tag, or before the first opener that starts a call; strings
   hide both. In damage a quote opens a string only after whitespace or one
   of = [ { ( , : *)

Text = (Prose | Call | Malformed)* .
Prose = <other>+ .
Malformed = <open> <other>* Damage .
Damage = (<string> | <other>)* (<close> | <unclosed>)? .
`

//go:embed call.go signature.go
var source embed.FS

// Source returns the source files of the productions of calls and signatures. The
// specification is generated from them: it includes the doc comments of productions and
// the rules that comments name.
func Source() fs.FS { return source }
