package constrain

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/sig"
)

// Lark returns the grammar in the Lark format of llguidance, which OpenAI's custom
// tools use; Python's Lark reads it too. Its first rule is start.
//
// Words, strings, numbers and prose up to a call are terminals.
func (g *Grammar) Lark() string {
	g = g.orProse()
	p := larkPrinter{g: g, terminals: make(map[rule]string)}
	p.regexes = regexer{g: g, known: make(map[rule]string), limit: maxTerminal}
	p.start()
	if g.calls {
		p.need(g.call)
	}
	for i := 0; i < len(p.order); i++ {
		p.define(p.order[i])
	}
	return strings.Join(p.lines, "\n") + "\n"
}

// maxTerminal bounds the regular expression of a terminal, in bytes.
const maxTerminal = 16 << 10

type larkPrinter struct {
	g         *Grammar
	regexes   regexer
	terminals map[rule]string
	needed    map[rule]bool
	order     []rule
	lines     []string
}

// start writes the start rule. It does not use the rules of prose: prose and the
// opener at its end are one lexeme, since no lexer could know where to stop before
// the opener.
func (p *larkPrinter) start() {
	open, prose := p.g.proseRegexes()
	opener, text := "OPEN", " TEXT?"
	if p.g.bare {
		opener, text = string(appendLarkString(nil, p.g.delims.Open)), ""
	}
	call := opener + " " + p.name(p.g.call) + " " + string(appendLarkString(nil, p.g.delims.Close))
	body := ""
	switch last := p.g.last; {
	case !p.g.calls:
		body = strings.TrimSpace(text)
	case last && p.g.mode == Required:
		body = call
	case last && p.g.bare:
		body = "(" + call + ")?"
	case last:
		body = "(" + call + " | TEXT)?"
	case p.g.mode == Required:
		body = "(" + call + ")+" + text
	default:
		body = "(" + call + ")*" + text
	}
	p.lines = append(p.lines, "start: "+body)
	if p.g.calls && !p.g.bare {
		p.lines = append(p.lines, "OPEN: /"+open+"/")
	}
	if strings.Contains(body, "TEXT") {
		p.lines = append(p.lines, "TEXT: /"+prose+"/")
	}
}

// proseRegexes returns the regular expressions of prose that ends in an opener, and
// of nonempty prose.
func (g *Grammar) proseRegexes() (open, text string) {
	prose := func(ends bool, then expr) string {
		m := newMapper(Options{Delims: g.delims})
		b := m.b
		root := b.declare("root")
		first := b.rules[b.nodes[m.prose("prose", ends, then)].rule].body
		list := slices.DeleteFunc(slices.Clone(b.nodes[first].list), func(e expr) bool { return e == empty })
		b.rules[root].body = b.alt(list...)
		r := regexer{g: b.grammar(root, root), known: make(map[rule]string), limit: maxRegex}
		text, err := r.rule(0)
		if err != nil {
			return "(?s:.)" // not reached: a tag of 32 bytes needs less than half of maxRegex
		}
		return text
	}
	return prose(false, empty), prose(true, never)
}

func (p *larkPrinter) need(r rule) {
	if p.needed == nil {
		p.needed = make(map[rule]bool)
	}
	if !p.needed[r] {
		p.needed[r] = true
		p.order = append(p.order, r)
	}
}

// name returns the name of a rule, in lower case, or of a terminal, in upper case.
func (p *larkPrinter) name(r rule) string {
	name := strings.ReplaceAll(p.g.rules[r].name, "-", "_")
	if p.terminal(r) != "" {
		return "T_" + strings.ToUpper(name)
	}
	return "r_" + strings.ToLower(name)
}

// terminal returns the regular expression of a rule that is a terminal, otherwise "".
func (p *larkPrinter) terminal(r rule) string {
	text, known := p.terminals[r]
	if !known && p.g.rules[r].token {
		text, _ = p.regexes.rule(r)
	}
	p.terminals[r] = text
	return text
}

func (p *larkPrinter) define(r rule) {
	if text := p.terminal(r); text != "" {
		p.lines = append(p.lines, p.name(r)+": /"+string(appendLarkText(nil, text))+"/")
		return
	}
	p.lines = append(p.lines, p.name(r)+": "+p.expr(p.g.rules[r].body, false))
}

func (p *larkPrinter) expr(e expr, together bool) string {
	n := &p.g.nodes[e]
	hold := func(text string) string {
		if together {
			return "(" + text + ")"
		}
		return text
	}
	switch n.op {
	case opLiteral:
		return string(appendLarkString(nil, n.text))
	case opClass:
		return "/" + regexClass(n.set) + "/"
	case opSeq:
		parts := make([]string, len(n.list))
		for i, e := range n.list {
			parts[i] = p.expr(e, p.g.nodes[e].op == opAlt)
		}
		return hold(strings.Join(parts, " "))
	case opAlt:
		var parts []string
		some := false
		for _, e := range n.list {
			if e == empty {
				some = true
				continue
			}
			parts = append(parts, p.expr(e, false))
		}
		if some {
			return "(" + strings.Join(parts, " | ") + ")?"
		}
		return hold(strings.Join(parts, " | "))
	case opRepeat:
		inner := "(" + p.expr(n.list[0], false) + ")"
		switch {
		case n.max < 0 && n.min == 0:
			return inner + "*"
		case n.max < 0 && n.min == 1:
			return inner + "+"
		case n.max < 0:
			return hold(fmt.Sprintf("%s~%d %s*", inner, n.min, inner))
		case n.min == n.max:
			return fmt.Sprintf("%s~%d", inner, n.min)
		}
		return fmt.Sprintf("%s~%d..%d", inner, n.min, n.max)
	}
	p.need(n.rule)
	return p.name(n.rule)
}

// appendLarkString appends text as a string of Lark.
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

// appendLarkText appends what stands in a string or an expression of Lark, with what is
// invisible escaped.
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
