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
	literal func(text string) string
	class   func(set charset) string
	times   func(atom string, min, max int) string
}

var gbnf = notation{
	define: " ::= ", between: " ", or: " | ", open: "(", empty: `""`,
	literal: func(text string) string { return `"` + each(text, gbnfChar) + `"` },
	class: func(set charset) string {
		if set == anything {
			return `[^\u0000]`
		}
		return set.class("\\]["+`"^-`, `\u%04x`)
	},
	times: times,
}

var lark = notation{
	define: ": ", between: " ", or: " | ", open: "(", // a rule of the empty text has no body
	literal: larkString,
	class:   func(set charset) string { return "/" + regexClass(set) + "/" },
	times: func(atom string, min, max int) string {
		switch {
		case max == limits.Unbounded && min > 1:
			return fmt.Sprintf("%s~%d %[1]s*", atom, min)
		case max == limits.Unbounded:
			return times(atom, min, max)
		case min == max:
			return fmt.Sprintf("%s~%d", atom, min)
		}
		return fmt.Sprintf("%s~%d..%d", atom, min, max)
	},
}

var regex = notation{
	or: "|", open: "(?:",
	literal: func(text string) string { return each(text, regexChar) },
	class:   regexClass,
	times:   times,
}

func times(atom string, min, max int) string {
	switch {
	case max == limits.Unbounded && min == 0:
		return atom + "*"
	case max == limits.Unbounded && min == 1:
		return atom + "+"
	case max == limits.Unbounded:
		return fmt.Sprintf("%s{%d,}", atom, min)
	case min == max:
		return fmt.Sprintf("%s{%d}", atom, min)
	}
	return fmt.Sprintf("%s{%d,%d}", atom, min, max)
}

// each joins the characters of text as one writes them.
func each(text string, one func(r rune) string) string {
	var out strings.Builder
	for _, r := range text {
		out.WriteString(one(r))
	}
	return out.String()
}

// gbnfChar writes a character of a literal.
func gbnfChar(r rune) string {
	switch {
	case r == '"' || r == '\\':
		return `\` + string(r)
	case r == '\n':
		return `\n`
	case strconv.IsPrint(r) && !unseen.Is(r):
		return string(r)
	case r > 0xffff:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// regexChar writes a character in a regular expression. Beyond 0xff the four syntaxes know
// no escape in common.
func regexChar(r rune) string {
	switch {
	case r == '/' || r <= 0xff && unseen.Is(r):
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x80 && strings.ContainsRune(`\.+*?()|[]{}^$`, r):
		return `\` + string(r)
	}
	return string(r)
}

// regexClass returns the class of the set in a regular expression.
func regexClass(set charset) string {
	if set == anything {
		return `(?s:.)`
	}
	return set.class("\\]["+`"^-/&~`, `\x%02x`)
}

// larkChar writes a character of a string or an expression of Lark. Beyond 0xffff not all
// who read Lark know an escape.
func larkChar(r rune) string {
	if r <= 0xffff && unseen.Is(r) {
		return fmt.Sprintf(`\u%04x`, r)
	}
	return string(r)
}

// larkString returns text as a string of Lark.
func larkString(text string) string {
	text = strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(text)
	return `"` + each(text, larkChar) + `"`
}

// definitions returns the rules that from reaches, each in a line. body returns what a rule
// derives, or "" if the printer writes that.
func (n *notation) definitions(from *rule, name, body func(*rule) string) (lines []string) {
	order := []*rule{from}
	seen := map[*rule]bool{from: true}
	p := printer{notation: n, name: func(r *rule) string {
		if !seen[r] {
			seen[r] = true
			order = append(order, r)
		}
		return name(r)
	}}
	for i := 0; i < len(order); i++ {
		text := body(order[i])
		if text == "" {
			text = p.text(order[i].body, alternatives)
		}
		lines = append(lines, name(order[i])+n.define+text)
	}
	return lines
}

// gbnf returns the rules that from reaches in the format of llama.cpp. The first rule is root.
func (g *rules) gbnf(from *rule) string {
	lines := gbnf.definitions(from, func(r *rule) string {
		switch r {
		case from:
			return "root"
		case g.root:
			return "message"
		}
		return r.name
	}, func(*rule) string { return "" })
	return strings.Join(lines, "\n") + "\n"
}

// maxTerminal bounds the regular expression of a terminal, in bytes.
const maxTerminal = 16 << 10

// lark returns the rules of a call in the format of Lark, and the name of the first. Words,
// strings and numbers are terminals, with names in upper case.
func (g *rules) lark() (call string, lines []string) {
	if g.call == nil {
		return "", nil
	}
	terminals := make(map[*rule]string) // as /regular expression/; "" if a rule is none
	terminal := func(r *rule) string {
		if _, known := terminals[r]; !known && r.token {
			if text, err := regexOf(r.body, maxTerminal); err == nil {
				terminals[r] = "/" + each(text, larkChar) + "/"
			}
		}
		return terminals[r]
	}
	name := func(r *rule) string {
		name := strings.ReplaceAll(r.name, "-", "_")
		if terminal(r) != "" {
			return "T_" + strings.ToUpper(name)
		}
		return "r_" + strings.ToLower(name)
	}
	return name(g.call), lark.definitions(g.call, name, terminal)
}

// errNotFlat is the error for a grammar without a regular expression: a value is
// nested in values of its own kind, or the expression would be too long.
var errNotFlat = errors.New(
	"the catalog is not flat: its grammar has no regular expression of moderate size")

// regexOf returns a regular expression of at most limit bytes, in the syntax that RE2, Rust,
// Python and ECMAScript share. The error is errNotFlat.
func regexOf(e *node, limit int) (string, error) {
	p := printer{notation: &regex, limit: limit, inside: make(map[*rule]bool)}
	text := p.text(e, alternatives)
	if p.failed {
		return "", errNotFlat
	}
	return text, nil
}

// level is how tightly the parts of a text bind.
type level uint8

const (
	alternatives level = iota // an operator between alternatives
	sequence                  // may have several parts
	atom                      // can be repeated
)

// printer writes expressions in a notation.
type printer struct {
	*notation
	name func(*rule) string // of a reference; nil: rules and machines are written out

	limit  int            // on the length of what is written out
	inside map[*rule]bool // being written out; reached again, a rule has no regular expression
	failed bool
}

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
		text = p.class(e.set)
	case e.op == opSeq:
		text, own = p.join(e.list, p.between, sequence), sequence
	case e.op == opAlt:
		text, own = p.alternatives(e.list)
	case e.op == opRepeat:
		text, own = p.times(p.text(e.list[0], atom), e.min, e.max), sequence
	case e.op == opMachine && p.name != nil:
		return p.text(e.list[0], demanded)
	case e.op == opMachine:
		flat := e.machine.flat()
		if flat == nil {
			p.failed = true
			return ""
		}
		return p.text(flat, demanded)
	case p.name != nil:
		text = p.name(e.rule)
	default:
		if p.inside[e.rule] {
			p.failed = true
			return ""
		}
		p.inside[e.rule] = true
		defer delete(p.inside, e.rule)
		return p.text(e.rule.body, demanded)
	}
	if p.name == nil && len(text) > p.limit {
		p.failed = true
	}
	if own < demanded {
		return p.open + text + ")"
	}
	return text
}

func isEmpty(e *node) bool { return e.op == opSeq && len(e.list) == 0 }

func (p *printer) join(list []*node, between string, demanded level) string {
	var texts []string
	for _, e := range list {
		if !isEmpty(e) {
			texts = append(texts, p.text(e, demanded))
		}
	}
	return strings.Join(texts, between)
}

func (p *printer) alternatives(list []*node) (string, level) {
	some := slices.DeleteFunc(slices.Clone(list), isEmpty)
	switch {
	case len(some) == 0:
		return p.empty, atom
	case len(some) == len(list):
		return p.join(list, p.or, alternatives), alternatives
	case len(some) == 1:
		return p.text(some[0], atom) + "?", sequence
	}
	return p.open + p.join(some, p.or, alternatives) + ")?", sequence
}

// maxFlat bounds the work of writing out a machine.
const maxFlat = 1 << 14

// flat returns what the machine derives as one expression, by elimination: the last state is
// replaced by what can follow it, until only the first one is left. It returns nil if that
// takes long.
func (m *machine) flat() *node {
	var b builder
	n := len(m.states)         // also the index of the end
	then := make([][]*node, n) // by the state to which the text leads
	for i, s := range m.states {
		then[i] = slices.Repeat([]*node{never}, n+1)
		for _, e := range s {
			to := e.to
			if to == end {
				to = n
			}
			then[i][to] = b.alt(then[i][to], e.label)
		}
	}
	for i := n - 1; i >= 0; i-- {
		loop := b.repeat(then[i][i], 0, limits.Unbounded)
		for to, x := range then[i] {
			then[i][to] = b.seq(loop, x)
		}
		for j := range i {
			for to, x := range then[i] {
				if to != i && x != never && then[j][i] != never {
					then[j][to] = b.alt(b.seq(then[j][i], x), then[j][to])
				}
			}
		}
		if b.nodes > maxFlat {
			return nil
		}
	}
	return then[0][n]
}
