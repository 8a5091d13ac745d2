package bnf

import "fmt"

// Check returns an error if a rule begins with itself, or if something that may be empty is
// repeated: engines would loop forever. It is for tests.
func (g *Grammar) Check() error {
	c := checker{
		empty:  make(map[*Rule]bool),
		begins: make(map[*Rule][]*Rule),
		state:  make(map[*Rule]visit),
	}
	for changed := true; changed; {
		changed = false
		for _, r := range g.rules {
			if !c.empty[r] && c.mayBeEmpty(r.Body) {
				c.empty[r], changed = true, true
			}
		}
	}
	for _, r := range g.rules {
		c.look(r.Body, r, true)
	}
	for _, r := range g.rules {
		c.visit(r)
	}
	return c.err
}

type checker struct {
	empty  map[*Rule]bool
	begins map[*Rule][]*Rule // the rules that a rule may begin with
	state  map[*Rule]visit
	err    error
}

type visit uint8

const (
	unvisited visit = iota
	visiting
	visited
)

func (c *checker) mayBeEmpty(e *Node) bool {
	switch e.op {
	case opSeq:
		for _, e := range e.list {
			if !c.mayBeEmpty(e) {
				return false
			}
		}
		return true
	case opAlt:
		for _, e := range e.list {
			if c.mayBeEmpty(e) {
				return true
			}
		}
	case opRepeat:
		return e.min == 0 || c.mayBeEmpty(e.list[0])
	case opMachine:
		return c.mayBeEmpty(e.list[0])
	case opRef:
		return c.empty[e.rule]
	}
	return false
}

// look collects what r begins with in e; first is set if e is at its beginning.
func (c *checker) look(e *Node, r *Rule, first bool) {
	if e.op == opRepeat && c.mayBeEmpty(e.list[0]) {
		c.err = fmt.Errorf("%s repeats what may be empty", r.name)
	}
	if e.op == opRef && first {
		c.begins[r] = append(c.begins[r], e.rule)
	}
	for _, part := range e.list {
		c.look(part, r, first)
		first = first && (e.op != opSeq || c.mayBeEmpty(part))
	}
}

func (c *checker) visit(r *Rule) {
	switch c.state[r] {
	case visiting:
		c.err = fmt.Errorf("%s begins with itself", r.name)
		return
	case visited:
		return
	}
	c.state[r] = visiting
	for _, next := range c.begins[r] {
		c.visit(next)
	}
	c.state[r] = visited
}
