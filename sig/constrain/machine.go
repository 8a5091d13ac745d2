package constrain

import (
	"slices"

	"github.com/callwire/callwire/internal/limits"
)

// machine is an automaton in a grammar: its edges derive what is written for a character.
type machine [][]edge

// edge derives label and goes on in another state.
type edge struct {
	label *node
	to    int // end: the text ends
}

// end is where an edge leads that ends the text of a machine.
const end = -1

// spelled returns the texts with their characters as they are written, and then at the end. It
// adds rules that read one character and go on with a rule, the shape that is cheapest for
// engines. A state with one incoming edge is written inside the state before it.
func (b *builder) spelled(
	hint string, texts automaton, written func(charset) *node, then *node,
) *node {
	if len(texts) == 0 {
		return never
	}
	m := make(machine, len(texts))
	incoming := make([]int, len(texts))
	incoming[0] = 1
	for i, s := range texts {
		for _, step := range s.steps {
			if label := written(step.chars); label != never {
				m[i] = append(m[i], edge{label, step.to})
				incoming[step.to]++
			}
		}
		if s.accepts {
			m[i] = append(m[i], edge{then, end})
		}
	}
	refs := make([]*node, len(m))
	for i, n := range incoming {
		if n > 1 {
			refs[i] = b.declare(hint)
			refs[i].rule.state = true
		}
	}
	var body func(i int) *node
	body = func(i int) *node {
		var alts []*node
		for _, e := range m[i] {
			rest := empty
			switch {
			case e.to == end:
			case refs[e.to] != nil:
				rest = refs[e.to]
			default:
				rest = body(e.to)
			}
			alts = append(alts, b.seq(e.label, rest))
		}
		return b.alt(alts...)
	}
	for i, r := range refs {
		if r != nil && i > 0 {
			r.rule.body = body(i)
		}
	}
	start := body(0)
	if slices.ContainsFunc(refs, func(r *node) bool { return r != nil }) {
		start = b.add(node{op: opMachine, machine: m, list: []*node{start}})
	}
	if refs[0] == nil {
		return start
	}
	refs[0].rule.body = start
	return refs[0]
}

// maxFlat bounds the work of writing out a machine.
const maxFlat = 1 << 14

// flat returns what the machine derives as one expression, by elimination: the last state is
// replaced by what can follow it, until only the first one is left. It returns nil if that
// takes long.
func (m machine) flat() *node {
	var b builder
	n := len(m)                // also the index of the end
	then := make([][]*node, n) // by the state to which the text leads
	for i, edges := range m {
		then[i] = slices.Repeat([]*node{never}, n+1)
		for _, e := range edges {
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
