package constrain

import (
	"regexp"
	"slices"

	"github.com/callwire/callwire/internal/limits"
)

// machine is an expression that reads text by states, from the first one on. A state is left
// by one of its edges.
type machine struct {
	hint   string // for the names of rules
	states [][]edge
	prose  bool // the text is prose: a state is how much of an opener has been read
}

// edge derives label and goes on in another state.
type edge struct {
	label *node
	to    int // end: the text ends
}

// end is where an edge leads that ends the text of a machine.
const end = -1

// run returns what the machine derives, and adds rules for it that read one character and go
// on with a rule, the shape that is cheapest for engines. A state with one incoming edge is
// written inside the state before it; other states, and all of prose, are rules.
func (b *builder) run(m *machine) *node {
	incoming := make([]int, len(m.states))
	for _, s := range m.states {
		for _, e := range s {
			if e.to != end {
				incoming[e.to]++
			}
		}
	}
	refs := make([]*node, len(m.states))
	for i, n := range incoming {
		isLoop := n > 0 && i == 0
		isStep := n == 1 && m.prose && len(m.states[i]) > 1
		if n > 1 || isLoop || isStep {
			refs[i] = b.declare(m.hint)
			if m.prose && i > 0 {
				refs[i].rule.likely = 15 // an opener that has begun goes on
			} else if m.prose {
				refs[i].rule.likely = 3
			}
		}
	}
	var body func(i int) *node
	body = func(i int) *node {
		var alts []*node
		for _, e := range m.states[i] {
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
	start := b.add(node{op: opMachine, machine: m, list: []*node{body(0)}})
	if refs[0] == nil {
		return start
	}
	refs[0].rule.body = start
	return refs[0]
}

// search is what may come in prose.
type search struct {
	hint  string
	ends  bool  // the prose may end anywhere
	then  *node // what follows an opener
	again bool  // there is prose after it
}

// search returns prose up to an opener. There is a state for each number of bytes of the opener
// that have been read.
func (b *builder) search(opener string, s search) *node {
	m := &machine{hint: s.hint, prose: true}
	after := end
	if s.again {
		after = 0
	}
	for _, edges := range upTo(opener).states {
		var state []edge
		for _, e := range edges {
			if e.to == end {
				state = append(state, edge{s.then, after})
			} else {
				state = append(state, edge{b.class(charset(e.label.text)), e.to})
			}
		}
		if s.ends && edges[0].to != end {
			state = append(state, edge{empty, end})
		}
		// The next byte of the opener leads to the latest state.
		slices.SortStableFunc(state, func(a, b edge) int { return b.to - a.to })
		m.states = append(m.states, state)
	}
	return b.run(m)
}

// upTo returns the machine of the texts that end with the first opener in them. It has few states.
func upTo(opener string) *machine {
	quoted := regexp.QuoteMeta(opener)
	m, _ := intersect([]string{quoted + "$"}, quoted+"(?s).")
	return m
}

// maxFlat bounds the work of writing out a machine.
const maxFlat = 1 << 14

// flat returns what the machine derives as one expression, by elimination: the last state is
// replaced by what can follow it, until only the first one is left. It returns nil if that
// takes long.
func (m *machine) flat() *node {
	var b builder
	n := len(m.states)         // also the index of the end
	then := make([][]*node, n) // by the state to which the text leads
	for i, s := range m.states {
		then[i] = slices.Repeat([]*node{never}, n+1)
		for _, e := range s {
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
