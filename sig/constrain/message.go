package constrain

import "github.com/callwire/callwire/internal/limits"

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
	for i := range opener {
		reads := make([]charset, i+2) // by how much of the opener has been read then
		reads[0] = anything.without(chars(opener))
		for _, c := range chars(opener).ascii() {
			reads[matched(opener, opener[:i]+string(c))].add(c)
		}
		var state []edge
		for k := range reads {
			n := (k + i + 1) % len(reads) // the longest beginning of the opener comes first
			next := edge{b.class(reads[n]), first + n}
			if n == len(opener) {
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

// matched returns the length of the longest prefix of opener that text ends with.
func matched(opener, text string) int {
	for n := min(len(opener), len(text)); n > 0; n-- {
		if text[len(text)-n:] == opener[:n] {
			return n
		}
	}
	return 0
}
