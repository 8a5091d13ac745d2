package constrain

import "github.com/callwire/callwire/sig/constrain/internal/bnf"

// A message is prose and calls. Prose is any text without an opener. It searches for the
// opener as an automaton does: there is one state for each number of bytes of the opener
// that have been read.

// message returns the messages; call is what follows an opener.
func (m *mapper) message(call *bnf.Node) *bnf.Node {
	b, o := m.b, m.o
	if o.Bare {
		calls := b.Seq(b.Literal(o.Tags.Open), call)
		if !o.Last {
			calls = b.Repeat(calls, 1, -1)
		}
		if o.Required {
			return calls
		}
		return b.Opt(calls)
	}
	switch {
	case o.Last && o.Required:
		return b.Machine(searchFor(b, o.Tags.Open, search{hint: "ask", then: call}))
	case o.Last:
		return b.Machine(searchFor(b, o.Tags.Open, search{hint: "prose", ends: true, then: call}))
	}
	prose := b.Declare("prose")
	calls := search{hint: "prose", ends: true, then: call, again: true}
	prose.Body = b.Machine(searchFor(b, o.Tags.Open, calls))
	if o.Required {
		then := b.Seq(call, b.Ref(prose))
		return b.Machine(searchFor(b, o.Tags.Open, search{hint: "ask", then: then}))
	}
	return b.Ref(prose)
}

// search is what may come in prose.
type search struct {
	hint  string
	ends  bool      // the prose may end anywhere
	some  bool      // but it is not empty
	then  *bnf.Node // what follows an opener
	again bool      // there is prose after it
}

// searchFor returns prose up to an opener.
func searchFor(b *bnf.Builder, opener string, s search) *bnf.Machine {
	machine := &bnf.Machine{Hint: s.hint, Prose: true, States: make([]bnf.State, len(opener))}
	letters := bnf.Chars(opener)
	for i := range opener {
		var forward, others []bnf.Edge
		back := letters // those that lead back to the first state
		for c := range byte(0x80) {
			if !letters.Has(c) {
				continue
			}
			n := matched(opener, opener[:i]+string(rune(c)))
			if n == 0 {
				continue
			}
			edge := bnf.Edge{Label: b.Literal(string(rune(c))), To: n}
			if n == len(opener) {
				edge = bnf.Edge{Label: b.Seq(edge.Label, s.then), To: bnf.End}
				if s.again {
					edge.To = 0
				}
			}
			back = back.Without(bnf.Chars(string(rune(c))))
			if n == i+1 {
				forward = append(forward, edge)
			} else {
				others = append(others, edge)
			}
		}
		rest := bnf.Anything.Without(letters).Union(back)
		state := append(forward, bnf.Edge{Label: b.Class(rest), To: 0})
		state = append(state, others...)
		if s.ends {
			state = append(state, bnf.Edge{Label: bnf.Empty, To: bnf.End})
		}
		machine.States[i] = state
	}
	if s.some { // the first state is entered once, and cannot be left by the end
		first := machine.States[0]
		again := len(machine.States)
		for _, state := range machine.States {
			for i := range state {
				if state[i].To == 0 {
					state[i].To = again
				}
			}
		}
		machine.States = append(machine.States, first)
		machine.States[0] = first[:len(first)-1]
	}
	return machine
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
