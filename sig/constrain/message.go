package constrain

import (
	"regexp"
	"slices"

	"github.com/callwire/callwire/internal/limits"
)

// A message is prose and calls. Prose is any text without an opener. It searches for the
// opener as an automaton does: there is one state for each number of bytes of the opener
// that have been read.

// message returns the messages; call is what follows an opener.
func (m *mapper) message(call *node) *node {
	o := m.o
	least, most := 0, limits.Unbounded
	if o.Required {
		least = 1
	}
	if o.Last {
		most = 1
	}
	switch {
	case o.Bare:
		return m.repeat(m.seq(m.literal(o.Tags.Open), call), least, most)
	case o.Last && o.Required:
		return m.search(o.Tags.Open, search{hint: "ask", then: call})
	case o.Last:
		return m.search(o.Tags.Open, search{hint: "prose", ends: true, then: call})
	}
	prose := m.search(o.Tags.Open, search{hint: "prose", ends: true, then: call, again: true})
	if o.Required {
		return m.search(o.Tags.Open, search{hint: "ask", then: m.seq(call, prose)})
	}
	return prose
}

// search is what may come in prose.
type search struct {
	hint  string
	ends  bool  // the prose may end anywhere
	some  bool  // but it is not empty
	then  *node // what follows an opener
	again bool  // there is prose after it
}

// search returns prose up to an opener.
func (b *builder) search(opener string, s search) *node {
	m := &machine{hint: s.hint, prose: true}
	first := 0 // the state in which nothing of the opener has been read
	if s.some {
		first = 1
		m.states = append(m.states, nil)
	}
	// It has a state for each length of the opener, and does not fail for an ASCII tag.
	a, _ := intersect([]string{regexp.QuoteMeta(opener) + "$"}, "")
	for i := range opener {
		slices.SortFunc(a[i].moves, func(a, b move) int { // the longest beginning comes first
			return (a.to+1)%(i+2) - (b.to+1)%(i+2)
		})
		var state []edge
		for _, c := range a[i].moves {
			next := edge{b.class(c.set), first + c.to}
			if a[c.to].accepts {
				next = edge{b.seq(next.label, s.then), end}
				if s.again {
					next.to = first
				}
			}
			state = append(state, next)
		}
		if s.ends {
			state = append(state, edge{empty, end})
		}
		m.states = append(m.states, state)
	}
	if s.some { // the first state is entered once, and cannot be left by the end
		m.states[0] = m.states[1][:len(m.states[1])-1]
	}
	return b.run(m)
}
