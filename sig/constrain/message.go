package constrain

import (
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/limits"
)

// A message is prose and calls. Prose is any text without an opener.

// message returns the messages; call is what follows an opener.
func (m *mapper) message(call *node) *node {
	open := m.o.Tags.Open
	if m.o.Bare {
		least, most := 0, limits.Unbounded
		if m.o.Required {
			least = 1
		}
		if m.o.Last {
			most = 1
		}
		return m.repeat(m.seq(m.literal(open), call), least, most)
	}
	s := search{hint: "prose", ends: true, then: call, again: !m.o.Last}
	if m.o.Required {
		if s.again {
			call = m.seq(call, m.search(open, s))
		}
		s = search{hint: "ask", then: call}
	}
	return m.search(open, s)
}

// search is what may come in prose.
type search struct {
	hint  string
	ends  bool  // the prose may end anywhere
	some  bool  // but it is not empty
	then  *node // what follows an opener
	again bool  // there is prose after it
}

// search returns prose up to an opener. There is a state for each number of bytes of the opener
// that have been read.
func (b *builder) search(opener string, s search) *node {
	m := &machine{hint: s.hint, prose: true}
	first := 0 // the state in which nothing of the opener has been read
	if s.some {
		first = 1
		m.states = append(m.states, nil)
	}
	for i := range opener {
		var state []edge
		other := anything
		for n := i + 1; n > 0; n-- { // the longest beginning of the opener comes first
			c := opener[n-1 : n]
			if !other.has(rune(c[0])) || !strings.HasSuffix(opener[:i]+c, opener[:n]) {
				continue
			}
			other = other.without(chars(c))
			next := edge{b.literal(c), first + n}
			if n == len(opener) {
				next = edge{b.seq(next.label, s.then), end}
				if s.again {
					next.to = first
				}
			}
			state = append(state, next)
		}
		state = slices.Insert(state, 1, edge{b.class(other), first})
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
