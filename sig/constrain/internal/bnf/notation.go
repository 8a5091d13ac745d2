package bnf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/sig"
)

// notation is how an engine writes grammars.
type notation struct {
	between string // the parts of a sequence
	or      string // alternatives
	open    string // a group
	empty   string // the empty text
	literal func(text string) string
	class   func(set Charset) string
	times   func(atom string, min, max int) string
}

var gbnfSyntax = notation{
	between: " ", or: " | ", open: "(", empty: `""`,
	literal: func(text string) string { return `"` + each(text, gbnfChar) + `"` },
	class:   gbnfClass,
	times:   times,
}

var larkSyntax = notation{
	between: " ", or: " | ", open: "(", // a rule of the empty text has no body
	literal: LarkString,
	class:   func(set Charset) string { return "/" + regexClass(set) + "/" },
	times: func(atom string, min, max int) string {
		switch {
		case max < 0 && min > 1:
			return fmt.Sprintf("%s~%d %[1]s*", atom, min)
		case max < 0:
			return times(atom, min, max)
		case min == max:
			return fmt.Sprintf("%s~%d", atom, min)
		}
		return fmt.Sprintf("%s~%d..%d", atom, min, max)
	},
}

var regexSyntax = notation{
	or: "|", open: "(?:",
	literal: func(text string) string { return each(text, regexChar) },
	class:   regexClass,
	times:   times,
}

func times(atom string, min, max int) string {
	switch {
	case max < 0 && min == 0:
		return atom + "*"
	case max < 0 && min == 1:
		return atom + "+"
	case max < 0:
		return fmt.Sprintf("%s{%d,}", atom, min)
	case min == max:
		return fmt.Sprintf("%s{%d}", atom, min)
	}
	return fmt.Sprintf("%s{%d,%d}", atom, min, max)
}

// GBNF returns the rules that from reaches, or those of the grammar if it is nil, in the
// format of llama.cpp. The first rule is root.
//
// A rule is one line. The output avoids what readers of the format disagree on: escapes
// are \u with four digits, classes contain only ASCII characters, and nothing that may be
// empty is repeated.
func (g *Grammar) GBNF(from *Rule) string {
	if from == nil {
		from = g.Root
	}
	name := func(r *Rule) string {
		switch r {
		case from:
			return "root"
		case g.Root:
			return "message"
		}
		return r.name
	}
	p := printer{notation: &gbnfSyntax, ref: func(r *Rule) piece { return piece{name(r), atom} }}
	var out strings.Builder
	write := func(r *Rule) {
		out.WriteString(name(r) + " ::= " + p.held(p.node(r.Body), alternatives) + "\n")
	}
	write(from)
	reached := reach(from)
	for _, r := range g.rules {
		if reached[r] && r != from {
			write(r)
		}
	}
	return out.String()
}

// reach returns the rules that are reachable from the given one.
func reach(from *Rule) map[*Rule]bool {
	reached := map[*Rule]bool{from: true}
	for todo := []*Rule{from}; len(todo) > 0; {
		r := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		walk(r.Body, func(n *Node) {
			if n.op == opRef && !reached[n.rule] {
				reached[n.rule] = true
				todo = append(todo, n.rule)
			}
		})
	}
	return reached
}

// maxRegex bounds a regular expression, in bytes.
const maxRegex = 256 << 10

// Regex returns a regular expression that matches what from derives, the root if it is
// nil, in the syntax that RE2, Rust, Python and ECMAScript share. The error is ErrNotFlat.
func (g *Grammar) Regex(from *Rule) (string, error) {
	if from == nil {
		from = g.Root
	}
	return newRegexer(maxRegex).regex(from.Body)
}

// MachineRegex returns the regular expression of a machine without references to rules, as a
// terminal of Lark.
func MachineRegex(m *Machine) (string, error) {
	return newRegexer(maxRegex).regex(&Node{op: opMachine, machine: m})
}

// maxTerminal bounds the regular expression of a terminal, in bytes.
const maxTerminal = 16 << 10

// Lark returns the rules of Call in the format of Lark, and what Call is named there. Words,
// strings and numbers are terminals.
func (g *Grammar) Lark() (call string, lines []string) {
	if g.Call == nil {
		return "", nil
	}
	p := larkPrinter{terminals: make(map[*Rule]string)}
	p.printer = printer{notation: &larkSyntax, ref: p.reference}
	call = p.reference(g.Call).text
	for i := 0; i < len(p.order); i++ {
		r := p.order[i]
		if text := p.terminal(r); text != "" {
			lines = append(lines, p.name(r)+": /"+each(text, larkChar)+"/")
		} else {
			lines = append(lines, p.name(r)+": "+p.held(p.node(r.Body), alternatives))
		}
	}
	return call, lines
}

type larkPrinter struct {
	printer
	terminals map[*Rule]string // the regular expression; "" if a rule is none
	order     []*Rule          // the rules to write
}

func (p *larkPrinter) reference(r *Rule) piece {
	if !slices.Contains(p.order, r) {
		p.order = append(p.order, r)
	}
	return piece{p.name(r), atom}
}

// name returns the name of a rule, in lower case, or of a terminal, in upper case.
func (p *larkPrinter) name(r *Rule) string {
	name := strings.ReplaceAll(r.name, "-", "_")
	if p.terminal(r) != "" {
		return "T_" + strings.ToUpper(name)
	}
	return "r_" + strings.ToLower(name)
}

// terminal returns the regular expression of a rule that is a terminal, otherwise "".
func (p *larkPrinter) terminal(r *Rule) string {
	text, known := p.terminals[r]
	if !known && r.token {
		text, _ = newRegexer(maxTerminal).regex(r.Body) // a rule without one is no terminal
	}
	p.terminals[r] = text
	return text
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
	case r >= ' ' && r < 0x7f || r >= 0x80 && strconv.IsPrint(r) && !sig.Invisible(r):
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
	case r == '/' || r <= 0xff && sig.Invisible(r):
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x80 && strings.ContainsRune(`\.+*?()|[]{}^$`, r):
		return `\` + string(r)
	}
	return string(r)
}

// larkChar writes a character of a string or an expression of Lark. Beyond 0xffff not all
// who read Lark know an escape.
func larkChar(r rune) string {
	if r <= 0xffff && sig.Invisible(r) {
		return fmt.Sprintf(`\u%04x`, r)
	}
	return string(r)
}

// LarkString returns text as a string of Lark.
func LarkString(text string) string {
	text = strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(text)
	return `"` + each(text, larkChar) + `"`
}

func gbnfClass(set Charset) string {
	if set == Anything {
		return `[^\u0000]`
	}
	return set.class("\\]["+`"^-`, `\u%04x`)
}

// regexClass returns the class of the set in a regular expression.
func regexClass(set Charset) string {
	if set == Anything {
		return `(?s:.)`
	}
	return set.class("\\]["+`"^-/&~`, `\x%02x`)
}
