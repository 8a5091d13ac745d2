package constrain

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// What tests of grammars, and of engines, need.

// match reports whether a rule derives text. Its time and memory may grow with the square of the
// length of text.
func (from *rule) match(text string) bool {
	m := matcher{text: text, known: make(map[position][]int)}
	return utf8.ValidString(text) && slices.Contains(m.rule(from, 0), len(text))
}

// matcher remembers where the text of a rule may end.
type matcher struct {
	text  string
	known map[position][]int
}

type position struct {
	rule  *rule
	start int
}

func (m *matcher) rule(r *rule, start int) []int {
	at := position{r, start}
	ends, known := m.known[at]
	if !known {
		ends = m.ends(nil, r.body, start)
		m.known[at] = ends
	}
	return ends
}

// ends adds where the text of e that begins at start may end.
func (m *matcher) ends(list []int, e *node, start int) []int {
	add := func(ends ...int) {
		for _, end := range ends {
			if !slices.Contains(list, end) {
				list = append(list, end)
			}
		}
	}
	switch e.op {
	case opLiteral:
		if strings.HasPrefix(m.text[start:], e.text) {
			add(start + len(e.text))
		}
	case opClass:
		r, size := utf8.DecodeRuneInString(m.text[start:])
		if size > 0 && charset(e.text).has(r) {
			add(start + size)
		}
	case opSeq:
		add(m.sequence(e.list, []int{start})...)
	case opAlt:
		for _, part := range e.list {
			add(m.ends(nil, part, start)...)
		}
	case opRepeat:
		from := []int{start}
		for n := 0; len(from) > 0; n++ {
			if n >= e.min {
				known := func(at int) bool { return slices.Contains(list, at) }
				from = slices.DeleteFunc(from, known)
				add(from...)
			}
			if n == e.max {
				break
			}
			from = m.sequence(e.list, from)
		}
	case opMachine:
		add(m.ends(nil, e.list[0], start)...)
	case opRef:
		add(m.rule(e.rule, start)...)
	}
	return list
}

// sequence returns where the text of the parts may end that begins at one of the starts.
func (m *matcher) sequence(parts []*node, starts []int) []int {
	for _, part := range parts {
		var next []int
		for _, start := range starts {
			next = m.ends(next, part, start)
		}
		starts = next
	}
	return starts
}

// check returns an error if a rule begins with itself, or if something that may be empty is
// repeated: engines would loop forever.
func (from *rule) check() error {
	isEmpty := func(e *node) bool { return e.shortest() < 0.5 } // a reference counts a little
	var err error
	begins := make(map[*rule][]*rule) // what a rule may begin with
	all := []*rule{from}
	var look func(e *node, r *rule, first bool)
	look = func(e *node, r *rule, first bool) {
		if e.op == opRepeat && e.max > 1 && isEmpty(e.list[0]) {
			err = fmt.Errorf("%s repeats what may be empty", r.hint)
		}
		if e.op == opRef && first {
			begins[r] = append(begins[r], e.rule)
		}
		if e.op == opRef && !slices.Contains(all, e.rule) {
			all = append(all, e.rule)
		}
		for _, part := range e.list {
			look(part, r, first)
			first = first && (e.op != opSeq || isEmpty(part))
		}
	}
	for i := 0; i < len(all); i++ {
		look(all[i].body, all[i], true)
	}
	var open []*rule
	done := make(map[*rule]bool)
	var visit func(r *rule)
	visit = func(r *rule) {
		if slices.Contains(open, r) {
			err = fmt.Errorf("%s begins with itself", r.hint)
			return
		}
		open = append(open, r)
		for _, next := range begins[r] {
			if !done[next] {
				visit(next)
			}
		}
		open = open[:len(open)-1]
		done[r] = true
	}
	for _, r := range all {
		visit(r)
	}
	return err
}
