package bnf

import (
	"slices"
	"sync"
)

// Grammar is a finished grammar: the rules that its root reaches. It does not change.
type Grammar struct {
	Root *Rule
	Call *Rule // the rule given to Builder.Grammar; nil if the root does not reach it

	rules []*Rule // the root first

	measure  sync.Once
	shortest map[*Rule]float64 // see shortestTexts
}

// Rules returns the number of rules.
func (g *Grammar) Rules() int { return len(g.rules) }

// Productive returns the rules that derive any text.
func (b *Builder) Productive() map[*Rule]bool {
	derives := make(map[*Rule]bool, len(b.rules))
	// A rule is checked again only once a rule that it refers to turns out productive.
	waiting := make(map[*Rule][]*Rule)
	for _, r := range b.rules {
		walk(r.Body, func(n *Node) {
			if n.op == opRef {
				waiting[n.rule] = append(waiting[n.rule], r)
			}
		})
	}
	for todo := slices.Clone(b.rules); len(todo) > 0; {
		r := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !derives[r] && derivesText(r.Body, derives, true) {
			derives[r] = true
			todo = append(todo, waiting[r]...)
		}
	}
	return derives
}

// walk calls f for e and every expression in it.
func walk(e *Node, f func(*Node)) {
	f(e)
	for _, e := range e.list {
		walk(e, f)
	}
	if e.machine != nil {
		for _, s := range e.machine.States {
			for _, edge := range s {
				walk(edge.Label, f)
			}
		}
	}
}

// derivesText reports whether e derives a text, given the rules that do and whether a
// character counts as one.
func derivesText(e *Node, rules map[*Rule]bool, char bool) bool {
	some := func(e *Node) bool { return derivesText(e, rules, char) }
	switch e.op {
	case opSeq:
		return !slices.ContainsFunc(e.list, func(e *Node) bool { return !some(e) })
	case opAlt:
		return slices.ContainsFunc(e.list, some)
	case opRepeat:
		return e.min == 0 || some(e.list[0])
	case opRef:
		return rules[e.rule]
	case opMachine:
		return e.machine.ends(some)[0]
	}
	return char
}

// ends returns from which states the text can end, by edges whose labels derive text.
func (m *Machine) ends(derives func(*Node) bool) []bool {
	ends := make([]bool, len(m.States))
	for changed := true; changed; {
		changed = false
		for i := len(m.States) - 1; i >= 0; i-- {
			if !ends[i] && slices.ContainsFunc(m.States[i], func(e Edge) bool {
				return (e.To == End || ends[e.To]) && derives(e.Label)
			}) {
				ends[i], changed = true, true
			}
		}
	}
	return ends
}

// Grammar returns the rules that are reachable from root, in the order in which they
// are reached, without the parts that derive nothing. call is a rule to be found in it.
func (b *Builder) Grammar(root, call *Rule) *Grammar {
	c := cleaner{
		to:      NewBuilder(),
		derives: b.Productive(),
		rules:   make(map[*Rule]*Rule),
		same:    make(map[*Node]*Rule),
		nodes:   make(map[*Node]*Node),
	}
	g := &Grammar{Root: c.rule(root)}
	for i := 0; i < len(c.todo); i++ {
		from := c.todo[i]
		c.body(from, c.rules[from])
	}
	g.rules = c.to.rules
	g.Call = c.rules[c.original(call)]
	return g
}

// cleaner copies rules, merging equal ones and dropping what derives nothing.
type cleaner struct {
	to      *Builder
	derives map[*Rule]bool
	rules   map[*Rule]*Rule // the copies
	same    map[*Node]*Rule // the first rule with that body
	todo    []*Rule         // rules whose copies are declared, in their order
	nodes   map[*Node]*Node // the copies
}

// original returns the rule that replaces r: rules with the same body, or with a mere
// reference, share one.
func (c *cleaner) original(r *Rule) *Rule {
	if r == nil {
		return nil
	}
	for r.Body.op == opRef && r.Body.rule != r {
		r = r.Body.rule
	}
	first, known := c.same[r.Body]
	if !known {
		c.same[r.Body] = r
		return r
	}
	return first
}

// rule returns the copy of a rule, whose body is copied later.
func (c *cleaner) rule(r *Rule) *Rule {
	r = c.original(r)
	if copied, ok := c.rules[r]; ok {
		return copied
	}
	hint := r.hint
	if len(c.todo) == 0 {
		hint = "root"
	}
	copied := c.to.Declare(hint)
	copied.token, copied.Nests = r.token, r.Nests
	c.rules[r] = copied
	c.todo = append(c.todo, r)
	return copied
}

// body copies the body of a rule. A machine that is all of it begins with the rule itself.
func (c *cleaner) body(from, to *Rule) {
	if from.Body.op == opMachine {
		to.Body = c.machine(from.Body.machine, to)
	} else {
		to.Body = c.node(from.Body)
	}
}

func (c *cleaner) node(e *Node) *Node {
	if copied, ok := c.nodes[e]; ok {
		return copied
	}
	list := make([]*Node, len(e.list))
	for i, e := range e.list {
		list[i] = c.node(e)
	}
	var copied *Node
	switch e.op {
	case opSeq:
		copied = c.to.Seq(list...)
	case opAlt:
		copied = c.to.Alt(list...)
	case opRepeat:
		copied = c.to.Repeat(list[0], e.min, e.max)
	case opRef:
		copied = Never
		if c.derives[e.rule] {
			copied = c.to.Ref(c.rule(e.rule))
		}
	case opMachine:
		copied = c.machine(e.machine, nil)
	default:
		copied = c.to.intern(Node{op: e.op, text: e.text, set: e.set})
	}
	c.nodes[e] = copied
	return copied
}

// machine copies a machine with the edges that can lead to its end, and adds rules for it.
// Its start becomes the rule start, if there is one.
func (c *cleaner) machine(m *Machine, start *Rule) *Node {
	copied := &Machine{Hint: m.Hint, Prose: m.Prose, States: make([]State, len(m.States))}
	ends := m.ends(func(e *Node) bool { return derivesText(e, c.derives, true) })
	for i, s := range m.States {
		for _, e := range s {
			if e.To != End && !ends[e.To] {
				continue
			}
			if label := c.node(e.Label); label != Never {
				copied.States[i] = append(copied.States[i], Edge{label, e.To})
			}
		}
	}
	return c.to.add(Node{op: opMachine, machine: copied, list: []*Node{c.to.expand(copied, start)}})
}

// expand returns the expression of a machine by rules that read one character and go on with
// a rule, the shape that is cheapest for engines. A state with one incoming edge is written
// inside the state before it; other states, and all of prose, are rules.
func (b *Builder) expand(m *Machine, start *Rule) *Node {
	incoming := make([]int, len(m.States))
	for _, s := range m.States {
		for _, e := range s {
			if e.To != End {
				incoming[e.To]++
			}
		}
	}
	rules := make([]*Rule, len(m.States))
	rules[0] = start
	for i, n := range incoming {
		if rules[i] == nil && (n > 1 || n == 1 && (i == 0 || m.Prose)) {
			rules[i] = b.Declare(m.Hint)
		}
		if rules[i] != nil && m.Prose {
			rules[i].prose = inOpener
		}
	}
	if rules[0] != nil && m.Prose {
		rules[0].prose = inProse
	}
	var body func(i int) *Node
	body = func(i int) *Node {
		var alts []*Node
		for _, e := range m.States[i] {
			switch {
			case e.To == End:
				alts = append(alts, e.Label)
			case rules[e.To] != nil:
				alts = append(alts, b.Seq(e.Label, b.Ref(rules[e.To])))
			default:
				alts = append(alts, b.Seq(e.Label, body(e.To)))
			}
		}
		return b.Alt(alts...)
	}
	for i, r := range rules {
		if r != nil && r != start {
			r.Body = body(i)
		}
	}
	if rules[0] != nil && start == nil {
		return b.Ref(rules[0])
	}
	return body(0)
}
