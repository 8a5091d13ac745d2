package constrain

import (
	"slices"
	"sync"
)

// rules is a finished grammar: the rules that its root reaches. It does not change.
type rules struct {
	root, call *rule // call is nil if the root does not reach it
	all        []*rule
	shortest   func() map[*rule]float64 // see lengths
}

// productive returns the rules that derive any text.
func (b *builder) productive() map[*rule]bool {
	derives := make(map[*rule]bool, len(b.rules))
	for changed := true; changed; {
		changed = false
		for _, r := range slices.Backward(b.rules) { // most rules refer to later ones
			if !derives[r] && derivesText(r.body, derives, true) {
				derives[r], changed = true, true
			}
		}
	}
	return derives
}

// derivesText reports whether e derives a text, given the rules that do and whether a
// character counts as one.
func derivesText(e *node, rules map[*rule]bool, char bool) bool {
	some := func(e *node) bool { return derivesText(e, rules, char) }
	switch e.op {
	case opSeq:
		return !slices.ContainsFunc(e.list, func(e *node) bool { return !some(e) })
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
func (m *machine) ends(derives func(*node) bool) []bool {
	ends := make([]bool, len(m.states))
	for changed := true; changed; {
		changed = false
		for i, s := range slices.Backward(m.states) {
			leads := func(e edge) bool { return (e.to == end || ends[e.to]) && derives(e.label) }
			if !ends[i] && slices.ContainsFunc(s, leads) {
				ends[i], changed = true, true
			}
		}
	}
	return ends
}

// finish returns the rules that are reachable from root, in the order in which they
// are reached, without the parts that derive nothing. call is a rule to be found in it.
func (b *builder) finish(root, call *rule) *rules {
	c := cleaner{
		builder: newBuilder(),
		derives: b.productive(),
		copies:  make(map[*rule]*rule),
		same:    make(map[*node]*rule),
		copied:  make(map[*node]*node),
	}
	g := &rules{root: c.copy(root)}
	for i := 0; i < len(c.todo); i++ {
		// A machine that is all of a rule begins with the rule itself.
		if from, to := c.todo[i], c.copies[c.todo[i]]; from.body.op == opMachine {
			to.body = c.machine(from.body.machine, to)
		} else {
			to.body = c.node(from.body)
		}
	}
	g.all = c.rules
	g.shortest = sync.OnceValue(g.lengths)
	g.call = c.copies[c.original(call)]
	return g
}

// cleaner copies rules, merging equal ones and dropping what derives nothing.
type cleaner struct {
	*builder // of the copies
	derives  map[*rule]bool
	copies   map[*rule]*rule
	same     map[*node]*rule // the first rule with that body
	todo     []*rule         // rules whose copies are declared, in their order
	copied   map[*node]*node
}

// original returns the rule that replaces r: rules with the same body, or with a mere
// reference, share one.
func (c *cleaner) original(r *rule) *rule {
	for r.body.op == opRef && r.body.rule != r {
		r = r.body.rule
	}
	if c.same[r.body] == nil {
		c.same[r.body] = r
	}
	return c.same[r.body]
}

// copy returns the copy of a rule, whose body is copied later.
func (c *cleaner) copy(r *rule) *rule {
	r = c.original(r)
	if c.copies[r] == nil {
		hint := r.hint
		if len(c.todo) == 0 {
			hint = "root"
		}
		c.copies[r] = c.declare(hint)
		c.copies[r].token = r.token
		c.todo = append(c.todo, r)
	}
	return c.copies[r]
}

func (c *cleaner) node(e *node) *node {
	if copied, ok := c.copied[e]; ok {
		return copied
	}
	list := make([]*node, len(e.list))
	for i, e := range e.list {
		list[i] = c.node(e)
	}
	var copied *node
	switch e.op {
	case opSeq:
		copied = c.seq(list...)
	case opAlt:
		copied = c.alt(list...)
	case opRepeat:
		copied = c.repeat(list[0], e.min, e.max)
	case opRef:
		copied = never
		if c.derives[e.rule] {
			copied = c.ref(c.copy(e.rule))
		}
	case opMachine:
		copied = c.machine(e.machine, nil)
	default:
		copied = c.intern(node{op: e.op, text: e.text, set: e.set})
	}
	c.copied[e] = copied
	return copied
}

// machine copies a machine with the edges that can lead to its end, and adds rules for it.
// Its start becomes the rule start, if there is one.
func (c *cleaner) machine(m *machine, start *rule) *node {
	copied := &machine{hint: m.hint, prose: m.prose, states: make([][]edge, len(m.states))}
	ends := m.ends(func(e *node) bool { return derivesText(e, c.derives, true) })
	for i, s := range m.states {
		for _, e := range s {
			if e.to != end && !ends[e.to] {
				continue
			}
			if label := c.node(e.label); label != never {
				copied.states[i] = append(copied.states[i], edge{label, e.to})
			}
		}
	}
	return c.add(node{op: opMachine, machine: copied, list: []*node{c.expand(copied, start)}})
}

// expand returns the expression of a machine by rules that read one character and go on with
// a rule, the shape that is cheapest for engines. A state with one incoming edge is written
// inside the state before it; other states, and all of prose, are rules.
func (b *builder) expand(m *machine, start *rule) *node {
	incoming := make([]int, len(m.states))
	for _, s := range m.states {
		for _, e := range s {
			if e.to != end {
				incoming[e.to]++
			}
		}
	}
	rules := make([]*rule, len(m.states))
	rules[0] = start
	for i, n := range incoming {
		isShared := n > 1 || n == 1 && (i == 0 || m.prose)
		if rules[i] == nil && isShared {
			rules[i] = b.declare(m.hint)
		}
		if rules[i] != nil && m.prose {
			rules[i].likely = 15 // an opener that has begun goes on
		}
	}
	if rules[0] != nil && m.prose {
		rules[0].likely = 3
	}
	var body func(i int) *node
	body = func(i int) *node {
		var alts []*node
		for _, e := range m.states[i] {
			rest := empty
			switch {
			case e.to == end:
			case rules[e.to] != nil:
				rest = b.ref(rules[e.to])
			default:
				rest = body(e.to)
			}
			alts = append(alts, b.seq(e.label, rest))
		}
		return b.alt(alts...)
	}
	for i, r := range rules {
		if r != nil && r != start {
			r.body = body(i)
		}
	}
	if rules[0] != nil && start == nil {
		return b.ref(rules[0])
	}
	return body(0)
}
