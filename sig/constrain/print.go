package constrain

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/limits"
	"github.com/callwire/callwire/internal/unseen"
)

// All syntaxes are written by one printer. A notation is how literals, classes, repetitions
// and groups look; references to rules are names, or are written out in regular expressions.

// notation is how an engine writes grammars.
type notation struct {
	define  string // between the name of a rule and what it derives
	between string // the parts of a sequence
	or      string // alternatives
	open    string // a group
	empty   string // the empty text

	quote    string    // around literals
	special  string    // characters of a literal that have a backslash
	numbered string    // those that are written by number
	escapes  [3]string // characters by number, up to 0xff, 0xffff and beyond; "": as they are

	class       string // around classes
	classNumber string // ASCII characters that classes have by number
	classEscape string // how
	all         string // the class of all characters

	exactly, within, least string    // a repetition: a number, two bounds, a lower bound
	terminal               *notation // of regular expressions for what a lexer can read; nil: none
}

var gbnf = notation{
	define: " ::= ", between: " ", or: " | ", open: "(", empty: `""`,
	quote: `"`, special: `"\`, escapes: [...]string{`\u%04x`, `\u%04x`, `\U%08x`},
	classNumber: `\]["^-`, classEscape: `\u%04x`, all: `[^\u0000]`,
	exactly: "%s{%d}", within: "%s{%d,%d}", least: "%s{%d,}",
}

// In Lark, a rule of the empty text has no body. Not all who read it know an escape beyond
// 0xffff.
var lark = notation{
	define: ": ", between: " ", or: " | ", open: "(",
	quote: `"`, special: `"\`, escapes: [...]string{`\u%04x`, `\u%04x`, ""},
	class: "/", classNumber: regex.classNumber, classEscape: regex.classEscape, all: regex.all,
	exactly: "%s~%d", within: "%s~%d..%d", least: "%s~%d %[1]s*", terminal: &terminal,
}

// regex is what RE2, Rust, Python and ECMAScript share. Beyond 0xff they know no escape in
// common.
var regex = notation{
	or: "|", open: "(?:",
	special: `\.+*?()|[]{}^$`, numbered: "/", escapes: [...]string{`\x%02x`, "", ""},
	classNumber: `\]["^-/&~`, classEscape: `\x%02x`, all: `(?s:.)`,
	exactly: "%s{%d}", within: "%s{%d,%d}", least: "%s{%d,}",
}

// terminal is how terminals of Lark are written.
var terminal = func() notation {
	n := regex
	n.escapes[1] = `\u%04x`
	return n
}()

// literal returns text as a literal.
func (n *notation) literal(text string) string {
	var out strings.Builder
	for _, r := range text {
		escape := n.escapes[2]
		switch {
		case r <= 0xff:
			escape = n.escapes[0]
		case r <= 0xffff:
			escape = n.escapes[1]
		}
		switch {
		case strings.ContainsRune(n.special, r):
			out.WriteString(`\` + string(r))
		case r == '\n':
			out.WriteString(`\n`)
		case escape != "" && (unseen.Is(r) || strings.ContainsRune(n.numbered, r)):
			fmt.Fprintf(&out, escape, r)
		default:
			out.WriteRune(r)
		}
	}
	return n.quote + out.String() + n.quote
}

// set returns a class.
func (n *notation) set(set charset) string {
	if set == anything {
		return n.class + n.all + n.class
	}
	return n.class + set.class(n.classNumber, n.classEscape) + n.class
}

// times returns a repetition.
func (n *notation) times(atom string, min, max int) string {
	switch {
	case min == 0 && max == 1:
		return atom + "?"
	case max == limits.Unbounded && min == 0:
		return atom + "*"
	case max == limits.Unbounded && min == 1:
		return atom + "+"
	case max == limits.Unbounded:
		return fmt.Sprintf(n.least, atom, min)
	case min == max:
		return fmt.Sprintf(n.exactly, atom, min)
	}
	return fmt.Sprintf(n.within, atom, min, max)
}

// The bounds of regular expressions, in bytes: of a grammar, and of a terminal of Lark.
const (
	maxRegex    = 256 << 10
	maxTerminal = 16 << 10
)

// errNotFlat is the error for a grammar without a regular expression: a value is
// nested in values of its own kind, or the expression would be too long.
var errNotFlat = errors.New(
	"the catalog is not flat: its grammar has no regular expression of moderate size")

// flat returns e as a regular expression of at most limit bytes. The error is errNotFlat.
func (n *notation) flat(e *node, limit int) (string, error) {
	p := printer{notation: n, limit: limit, inside: make(map[*rule]bool)}
	text := p.text(e, alternatives)
	if p.failed {
		return "", errNotFlat
	}
	return text, nil
}

// printer writes expressions in a notation.
type printer struct {
	*notation

	// The rules that were reached, in that order, where references are names.
	rules []*rule
	names map[*rule]string // nil: rules and machines are written out
	count map[string]int   // of the rules that would have that name, in lower case
	regex map[*rule]string // of terminals

	limit  int            // on the length of what is written out
	inside map[*rule]bool // being written out; reached again, a rule has no regular expression
	failed bool
}

// definitions returns the rules that a rule reaches, each in a line; first is the name of that
// rule.
func (n *notation) definitions(from *rule, first string) (lines []string) {
	p := printer{
		notation: n, rules: []*rule{from}, names: map[*rule]string{from: first},
		count: map[string]int{first: 1}, regex: make(map[*rule]string),
	}
	for i := 0; i < len(p.rules); i++ {
		r := p.rules[i]
		text, isTerminal := p.regex[r]
		if !isTerminal {
			text = p.text(r.body, alternatives)
		}
		lines = append(lines, p.names[r]+n.define+text)
	}
	return lines
}

// name returns the unique name of a rule. In Lark, those of terminals are in upper case and
// others are not.
func (p *printer) name(r *rule) string {
	if name := p.names[r]; name != "" {
		return name
	}
	name := p.unique(r.hint)
	if p.terminal != nil {
		name = "r_" + strings.ToLower(strings.ReplaceAll(name, "-", "_"))
	}
	if p.terminal != nil && r.token {
		if text, err := p.terminal.flat(r.body, maxTerminal); err == nil {
			p.regex[r] = "/" + text + "/"
			name = "T_" + strings.ToUpper(name[len("r_"):])
		}
	}
	p.names[r] = name
	p.rules = append(p.rules, r)
	return name
}

// unique returns a name that no other rule has, in any case.
func (p *printer) unique(hint string) string {
	key := strings.ToLower(hint)
	p.count[key]++
	if n := p.count[key]; n > 1 {
		return p.unique(hint + "-" + strconv.Itoa(n))
	}
	return hint
}

// level is how tightly the parts of a text bind.
type level uint8

const (
	alternatives level = iota // an operator between alternatives
	sequence                  // may have several parts
	atom                      // can be repeated
)

// text returns e, in a group unless it binds at least as tightly as demanded.
func (p *printer) text(e *node, demanded level) string {
	var text string
	own := atom
	switch {
	case p.failed:
		return ""
	case isEmpty(e):
		return p.empty
	case e.op == opLiteral:
		text = p.literal(e.text)
		if utf8.RuneCountInString(e.text) > 1 {
			own = sequence
		}
	case e.op == opClass:
		text = p.set(charset(e.text))
	case e.op == opSeq:
		text, own = p.join(e.list, p.between, sequence), sequence
	case e.op == opAlt:
		live := slices.DeleteFunc(slices.Clone(e.list), (*node).isDead)
		if len(live) == 1 {
			return p.text(live[0], demanded)
		}
		text, own = p.join(live, p.or, alternatives), alternatives
	case e.op == opRepeat:
		text, own = p.times(p.text(e.list[0], atom), e.min, e.max), sequence
	case e.op == opRef && p.names != nil:
		text = p.name(e.rule)
	case e.op == opRef:
		p.failed = p.failed || p.inside[e.rule]
		p.inside[e.rule] = true
		defer delete(p.inside, e.rule)
		return p.text(e.rule.body, demanded)
	case p.names != nil:
		return p.text(e.list[0], demanded)
	default:
		flat := e.machine.flat()
		p.failed = flat == nil
		return p.text(flat, demanded)
	}
	p.failed = p.failed || p.names == nil && len(text) > p.limit
	if own < demanded {
		return p.open + text + ")"
	}
	return text
}

// isEmpty reports whether e derives the empty text alone.
func isEmpty(e *node) bool {
	return e == empty || e.op == opRepeat && e.list[0].isDead()
}

func (p *printer) join(list []*node, between string, demanded level) string {
	var texts []string
	for _, e := range list {
		if !isEmpty(e) {
			texts = append(texts, p.text(e, demanded))
		}
	}
	return strings.Join(texts, between)
}
