package constrain

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/sig"
)

// ErrNotFlat is the error for a grammar without a regular expression: a value is
// nested in values of its own kind, or the expression would be too long.
var ErrNotFlat = errors.New("constrain: the catalog is not flat: its grammar has no regular expression of moderate size")

// maxRegex bounds a regular expression, in bytes.
const maxRegex = 256 << 10

// Regex returns an anchored regular expression that matches what the grammar derives,
// in the syntax that RE2, Rust, Python and ECMAScript share. The error is ErrNotFlat.
func (g *Grammar) Regex() (string, error) {
	r := regexer{g: g.orProse(), known: make(map[rule]string), limit: maxRegex}
	text, err := r.rule(0)
	if err != nil {
		return "", err
	}
	return "^" + group(text) + "$", nil
}

// regexer converts rules to regular expressions. Rules that lead back to themselves
// only at their ends form a system of equations, X = aX | bY | c, which is solved by
// elimination: X = a*(bY | c).
type regexer struct {
	g     *Grammar
	known map[rule]string
	open  []rule // rules being converted, which must not be reached again
	limit int

	cycles [][]rule
}

func (r *regexer) rule(x rule) (string, error) {
	if text, ok := r.known[x]; ok {
		return text, nil
	}
	if slices.Contains(r.open, x) {
		return "", ErrNotFlat
	}
	system := r.cycle(x)
	r.open = append(r.open, system...)
	equations := make(map[rule]*equation)
	for _, y := range system {
		q, err := r.equation(r.g.rules[y].body, system)
		if err != nil {
			return "", err
		}
		equations[y] = q
	}
	r.open = r.open[:len(r.open)-len(system)]
	for i := len(system) - 1; i > 0; i-- { // x, the first one, is solved last
		if err := r.eliminate(system[i], equations); err != nil {
			return "", err
		}
	}
	text := join(equations[x].alts)
	if self, ok := equations[x].then[x]; ok {
		text = star(self) + group(text)
	}
	if len(text) > r.limit {
		return "", ErrNotFlat
	}
	r.known[x] = text
	return text, nil
}

// eliminate substitutes the solution for y in the other equations.
func (r *regexer) eliminate(y rule, equations map[rule]*equation) error {
	q := equations[y]
	delete(equations, y)
	if self, ok := q.then[y]; ok {
		delete(q.then, y)
		q = q.after(star(self))
	}
	for _, p := range equations {
		before, ok := p.then[y]
		if !ok {
			continue
		}
		delete(p.then, y)
		p.add(q.after(before))
		if p.size() > r.limit {
			return ErrNotFlat
		}
	}
	return nil
}

// cycle returns x and the rules that x leads to and that lead back to x.
func (r *regexer) cycle(x rule) []rule {
	if r.cycles == nil {
		r.cycles = r.g.cycles()
	}
	list := []rule{x}
	for _, y := range r.cycles[x] {
		if y != x {
			list = append(list, y)
		}
	}
	return list
}

// cycles returns the strongly connected component of each rule, by Tarjan's
// algorithm.
func (g *Grammar) cycles() [][]rule {
	found := make([][]rule, len(g.rules))
	number := make([]int, len(g.rules)) // in the order of the visits, from 1
	least := make([]int, len(g.rules))
	var stack []rule
	visits := 0
	var visit func(x rule)
	var look func(e expr, x rule)
	look = func(e expr, x rule) {
		n := &g.nodes[e]
		if n.op == opRef {
			switch y := n.rule; {
			case number[y] == 0:
				visit(y)
				least[x] = min(least[x], least[y])
			case found[y] == nil:
				least[x] = min(least[x], number[y])
			}
		}
		for _, e := range n.list {
			look(e, x)
		}
	}
	visit = func(x rule) {
		visits++
		number[x], least[x] = visits, visits
		stack = append(stack, x)
		look(g.rules[x].body, x)
		if least[x] == number[x] {
			i := slices.Index(stack, x)
			members := slices.Clone(stack[i:])
			stack = stack[:i]
			for _, y := range members {
				found[y] = members
			}
		}
	}
	for x := range g.rules {
		if number[x] == 0 {
			visit(rule(x))
		}
	}
	return found
}

// equation is what a rule derives: texts that end there, and texts that continue with
// another rule.
type equation struct {
	alts []string
	then map[rule]string
}

func (q *equation) add(p *equation) {
	q.alts = append(q.alts, p.alts...)
	for x, text := range p.then {
		if there, ok := q.then[x]; ok {
			text = there + "|" + text
		}
		q.then[x] = text
	}
}

// after returns what q derives, after a text.
func (q *equation) after(text string) *equation {
	p := &equation{then: make(map[rule]string)}
	for x, then := range q.then {
		p.then[x] = group(text) + group(then)
	}
	if len(q.alts) > 0 {
		p.alts = []string{group(text) + group(join(q.alts))}
	}
	return p
}

func (q *equation) size() (n int) {
	for _, text := range q.alts {
		n += len(text)
	}
	for _, text := range q.then {
		n += len(text)
	}
	return n
}

// equation returns what e derives, with rules of the system only at the end.
func (r *regexer) equation(e expr, system []rule) (*equation, error) {
	q := &equation{then: make(map[rule]string)}
	switch n := &r.g.nodes[e]; n.op {
	case opRef:
		if slices.Contains(system, n.rule) {
			q.then[n.rule] = ""
			return q, nil
		}
	case opAlt:
		for _, e := range n.list {
			p, err := r.equation(e, system)
			if err != nil {
				return nil, err
			}
			q.add(p)
		}
		return q, nil
	case opSeq:
		if len(n.list) > 0 {
			last := len(n.list) - 1
			before := ""
			for _, e := range n.list[:last] {
				text, err := r.expr(e)
				if err != nil {
					return nil, err
				}
				before += group(text)
			}
			p, err := r.equation(n.list[last], system)
			if err != nil {
				return nil, err
			}
			return p.after(before), nil
		}
	}
	text, err := r.expr(e)
	q.alts = []string{text}
	return q, err
}

// expr returns the regular expression of e, which must not contain open rules.
func (r *regexer) expr(e expr) (string, error) {
	n := &r.g.nodes[e]
	var parts []string
	length := 0
	for _, e := range n.list {
		text, err := r.expr(e)
		if err != nil {
			return "", err
		}
		if length += len(text); length > r.limit {
			return "", ErrNotFlat
		}
		parts = append(parts, text)
	}
	switch n.op {
	case opLiteral:
		return string(appendRegex(nil, n.text)), nil
	case opClass:
		return regexClass(n.set), nil
	case opSeq:
		for i := range parts {
			parts[i] = group(parts[i])
		}
		return strings.Join(parts, ""), nil
	case opAlt:
		return join(parts), nil
	case opRepeat:
		return string(appendTimes([]byte(atom(parts[0])), n.min, n.max)), nil
	}
	return r.rule(n.rule)
}

// join returns the alternatives as one expression.
func join(alts []string) string {
	var some []string
	seen := make(map[string]bool, len(alts))
	for _, a := range alts {
		if a != "" && !seen[a] {
			some = append(some, a)
		}
		seen[a] = true
	}
	text := strings.Join(some, "|")
	if len(some) == 0 || !seen[""] {
		return text
	}
	return atom(text) + "?"
}

// group returns text, in a group if it has several alternatives.
func group(text string) string {
	if depth, inClass := 0, false; strings.Contains(text, "|") {
		for i := 0; i < len(text); i++ {
			switch c := text[i]; {
			case c == '\\':
				i++
			case inClass:
				inClass = c != ']'
			case c == '[':
				inClass = true
			case c == '(':
				depth++
			case c == ')':
				depth--
			case c == '|' && depth == 0:
				return "(?:" + text + ")"
			}
		}
	}
	return text
}

// atom returns text, in a group unless it can be repeated as it is.
func atom(text string) string {
	class := strings.HasPrefix(text, "[") && strings.IndexByte(text, ']') == len(text)-1
	if class || len(text) == 1 || len(text) == 2 && text[0] == '\\' {
		return text
	}
	return "(?:" + text + ")"
}

// star returns text repeated any number of times.
func star(text string) string {
	if text == "" {
		return ""
	}
	return atom(text) + "*"
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
			dst = append(dst, string(r)...)
		}
	}
	return dst
}

// regexClass returns the class of the set.
func regexClass(set charset) string {
	if set == anything {
		return `(?s:.)`
	}
	dst := []byte{'['}
	if set.high {
		dst = append(dst, '^')
		set = anything.without(set)
	}
	one := func(c byte) {
		if c <= ' ' || c == 0x7f || strings.IndexByte(`\]["^-/&~`, c) >= 0 {
			dst = fmt.Appendf(dst, `\x%02x`, c)
		} else {
			dst = append(dst, c)
		}
	}
	set.ranges(func(from, to byte) {
		one(from)
		if to > from+1 {
			dst = append(dst, '-')
		}
		if to > from {
			one(to)
		}
	})
	return string(append(dst, ']'))
}
