package bnf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/sig"
)

var gbnfSyntax = notation{
	between: " ", or: " | ", open: "(", empty: `""`,
	literal: func(text string) string { return string(appendLiteral(nil, text)) },
	class:   func(set Charset) string { return string(appendClass(nil, set)) },
	times:   times,
}

var larkSyntax = notation{
	between: " ", or: " | ", open: "(", // a rule of the empty text has no body
	literal: func(text string) string { return string(appendLarkString(nil, text)) },
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
	literal: func(text string) string { return string(appendRegex(nil, text)) },
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
	return newRegexer(maxRegex, false).regex(from.Body)
}

// MachineRegex returns the regular expression of a machine without references to rules, as a
// terminal of Lark.
func MachineRegex(m *Machine) (string, error) {
	return newRegexer(maxRegex, true).regex(&Node{op: opMachine, machine: m})
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
			lines = append(lines, p.name(r)+": /"+string(appendLarkText(nil, text))+"/")
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
		text, _ = newRegexer(maxTerminal, true).regex(r.Body) // a rule without one is no terminal
	}
	p.terminals[r] = text
	return text
}

// appendLiteral appends text in double quotes.
func appendLiteral(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r > 0xffff && escaped(r):
			dst = fmt.Appendf(dst, `\U%08x`, r)
		case escaped(r):
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// escaped reports whether a literal has an escape for r.
func escaped(r rune) bool {
	return r < ' ' || r == 0x7f || r >= 0x80 && (!strconv.IsPrint(r) || sig.Invisible(r))
}

// appendClass appends a class of characters.
func appendClass(dst []byte, set Charset) []byte {
	if set == Anything {
		return append(dst, `[^\u0000]`...)
	}
	return set.appendClass(dst, func(dst []byte, c byte) []byte {
		if c <= ' ' || c == 0x7f || strings.IndexByte(`\]["^-`, c) >= 0 {
			return fmt.Appendf(dst, `\u%04x`, c)
		}
		return append(dst, c)
	})
}

// regexClass returns the class of the set in a regular expression.
func regexClass(set Charset) string {
	if set == Anything {
		return `(?s:.)`
	}
	return string(set.appendClass(nil, func(dst []byte, c byte) []byte {
		if c <= ' ' || c == 0x7f || strings.IndexByte(`\]["^-/&~`, c) >= 0 {
			return fmt.Appendf(dst, `\x%02x`, c)
		}
		return append(dst, c)
	}))
}

// appendRegex appends a regular expression that matches text.
func appendRegex(dst []byte, text string) []byte {
	for _, r := range text {
		switch {
		case r == '/' || r <= 0xff && sig.Invisible(r): // beyond, the four know no escape in common
			dst = fmt.Appendf(dst, `\x%02x`, r)
		case r < 0x80 && strings.ContainsRune(`\.+*?()|[]{}^$`, r):
			dst = append(dst, '\\', byte(r))
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// LarkString returns text as a string of Lark.
func LarkString(text string) string { return string(appendLarkString(nil, text)) }

func appendLarkString(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for _, r := range text {
		if r == '"' || r == '\\' {
			dst = append(dst, '\\')
		}
		dst = appendLarkText(dst, string(r))
	}
	return append(dst, '"')
}

// appendLarkText appends part of a string or an expression of Lark, with what is invisible
// escaped.
func appendLarkText(dst []byte, text string) []byte {
	for _, r := range text {
		if r <= 0xffff && sig.Invisible(r) { // no escape beyond is known to all who read Lark
			dst = fmt.Appendf(dst, `\u%04x`, r)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}
