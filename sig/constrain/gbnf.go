package constrain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/callwire/callwire/sig"
)

// GBNF returns the grammar in the format of llama.cpp and of programs that embed it,
// such as LocalAI and Fireworks. Its first rule is root.
//
// A rule is one line. The output avoids what readers of the format disagree on:
// escapes are \u with four digits, classes contain only ASCII characters, and nothing
// that may be empty is repeated.
func (g *Grammar) GBNF() string { return string(g.orProse().appendRules(nil, 0)) }

// EBNF returns the grammar in the format of xgrammar, used by vLLM, SGLang and
// WebLLM. Its first rule is root.
func (g *Grammar) EBNF() string { return g.GBNF() }

// appendRules appends the rules that are reachable from the given one, which gets the
// name root.
func (g *Grammar) appendRules(dst []byte, from rule) []byte {
	reached := g.reached(from)
	p := printer{g: g, out: dst, root: from}
	for i, yes := range reached {
		if yes && rule(i) == from {
			p.rule(rule(i))
		}
	}
	for i, yes := range reached {
		if yes && rule(i) != from {
			p.rule(rule(i))
		}
	}
	return p.out
}

// reached returns which rules are reachable from the given one.
func (g *Grammar) reached(from rule) []bool {
	reached := make([]bool, len(g.rules))
	reached[from] = true
	var visit func(e expr, todo []rule) []rule
	visit = func(e expr, todo []rule) []rule {
		n := &g.nodes[e]
		if n.op == opRef && !reached[n.rule] {
			reached[n.rule] = true
			todo = append(todo, n.rule)
		}
		for _, e := range n.list {
			todo = visit(e, todo)
		}
		return todo
	}
	for todo := []rule{from}; len(todo) > 0; {
		r := todo[len(todo)-1]
		todo = visit(g.rules[r].body, todo[:len(todo)-1])
	}
	return reached
}

// printer writes rules.
type printer struct {
	g    *Grammar
	out  []byte
	root rule
}

func (p *printer) rule(r rule) {
	p.out = append(p.out, p.name(r)...)
	p.out = append(p.out, " ::= "...)
	p.expr(p.g.rules[r].body, false)
	p.out = append(p.out, '\n')
}

func (p *printer) name(r rule) string {
	if r == p.root {
		return "root"
	}
	if r == 0 {
		return "message" // the root of the grammar, if it is not that of these rules
	}
	return p.g.rules[r].name
}

// expr writes e, in parentheses if needed when together is set.
func (p *printer) expr(e expr, together bool) {
	n := &p.g.nodes[e]
	switch n.op {
	case opLiteral:
		p.out = appendLiteral(p.out, n.text)
	case opClass:
		p.out = appendClass(p.out, n.set)
	case opSeq:
		if len(n.list) == 0 {
			p.out = append(p.out, `""`...)
			return
		}
		p.open(together)
		for i, e := range n.list {
			if i > 0 {
				p.out = append(p.out, ' ')
			}
			p.expr(e, p.g.nodes[e].op == opAlt && !p.g.isOption(e))
		}
		p.close(together)
	case opAlt:
		if p.g.isOption(e) {
			p.expr(n.list[0], p.g.nodes[n.list[0]].op == opSeq || p.isLong(n.list[0]))
			p.out = append(p.out, '?')
			return
		}
		p.open(together)
		for i, e := range n.list {
			if i > 0 {
				p.out = append(p.out, " | "...)
			}
			p.expr(e, false)
		}
		p.close(together)
	case opRepeat:
		inner := p.g.nodes[n.list[0]].op
		p.expr(n.list[0], inner == opSeq || inner == opAlt || inner == opRepeat || p.isLong(n.list[0]))
		p.out = appendTimes(p.out, n.min, n.max)
	case opRef:
		p.out = append(p.out, p.name(n.rule)...)
	}
}

// isOption reports whether e is one expression or nothing.
func (g *Grammar) isOption(e expr) bool {
	n := &g.nodes[e]
	return n.op == opAlt && len(n.list) == 2 && n.list[1] == empty && g.nodes[n.list[0]].op != opRepeat
}

// isLong reports whether e is a literal of several bytes, since an operator after it
// might be read as applying only to the last.
func (p *printer) isLong(e expr) bool {
	n := &p.g.nodes[e]
	return n.op == opLiteral && len(n.text) > 1
}

func (p *printer) open(together bool) {
	if together {
		p.out = append(p.out, '(')
	}
}

func (p *printer) close(together bool) {
	if together {
		p.out = append(p.out, ')')
	}
}

func appendTimes(dst []byte, min, max int) []byte {
	switch {
	case max < 0 && min == 0:
		return append(dst, '*')
	case max < 0 && min == 1:
		return append(dst, '+')
	case max < 0:
		return fmt.Appendf(dst, "{%d,}", min)
	case min == max:
		return fmt.Appendf(dst, "{%d}", min)
	}
	return fmt.Appendf(dst, "{%d,%d}", min, max)
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
		case r < ' ' || r == 0x7f || r >= 0x80 && (!strconv.IsPrint(r) || sig.Invisible(r)):
			dst = appendUnicode(dst, r)
		default:
			dst = append(dst, string(r)...)
		}
	}
	return append(dst, '"')
}

func appendUnicode(dst []byte, r rune) []byte {
	if r > 0xffff {
		return fmt.Appendf(dst, `\U%08x`, r)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}

// appendClass appends a class of characters. A class with the non-ASCII characters is
// written as the negation of the ASCII characters that are not in it.
func appendClass(dst []byte, set charset) []byte {
	if set == anything {
		return append(dst, `[^\u0000]`...)
	}
	dst = append(dst, '[')
	if set.high {
		dst = append(dst, '^')
		set = anything.without(set)
	}
	set.ranges(func(from, to byte) {
		dst = appendClassByte(dst, from)
		if to > from+1 {
			dst = append(dst, '-')
		}
		if to > from {
			dst = appendClassByte(dst, to)
		}
	})
	return append(dst, ']')
}

func appendClassByte(dst []byte, c byte) []byte {
	if c <= ' ' || c == 0x7f || strings.IndexByte(`\]["^-`, c) >= 0 {
		return fmt.Appendf(dst, `\u%04x`, c)
	}
	return append(dst, c)
}
