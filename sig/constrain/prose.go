package constrain

// Prose is any text without an opener. Its rules search for the opener as an
// automaton does: there is one rule for each number of bytes of the opener that have
// been read, and each reads one more character.

// message returns the messages: prose and calls.
func (m *mapper) message(o Options, call expr) expr {
	b := m.b
	call = b.seq(call, b.literal(m.delims.Close))
	switch {
	case o.Bare:
		calls := b.seq(b.literal(m.delims.Open), call)
		if !o.Last {
			more := b.declare("calls")
			b.rules[more].body = b.seq(calls, b.opt(b.ref(more)))
			calls = b.ref(more)
		}
		if o.Mode == Required {
			return calls
		}
		return b.opt(calls)
	case o.Last && o.Mode == Required:
		return m.prose("ask", false, call)
	case o.Last:
		return m.prose("prose", true, call)
	}
	then := b.declare("prose")
	b.rules[then].body = m.prose("prose", true, b.seq(call, b.ref(then)))
	if o.Mode == Required {
		return m.prose("ask", false, b.seq(call, b.ref(then)))
	}
	return b.ref(then)
}

// prose returns prose up to an opener, followed by then. If ends is set, the prose may
// also end anywhere.
func (m *mapper) prose(hint string, ends bool, then expr) expr {
	b := m.b
	open := m.delims.Open
	states := make([]rule, len(open)) // by the number of bytes read
	for i := range states {
		states[i] = b.declare(hint)
		b.rules[states[i]].prose = inProse
		if i > 0 {
			b.rules[states[i]].prose = inOpener
		}
	}
	letters := chars(open)
	for i, r := range states {
		forward := never
		var alts []expr
		back := letters // those that lead back to the first state
		for c := range byte(0x80) {
			if !letters.has(c) {
				continue
			}
			n := matched(open, open[:i]+string(rune(c)))
			e := b.literal(string(rune(c)))
			switch {
			case n == len(open):
				e = b.seq(e, then)
			case n > 0:
				e = b.seq(e, b.ref(states[n]))
			default:
				continue
			}
			back = back.without(chars(string(rune(c))))
			if n == i+1 {
				forward = e
			} else {
				alts = append(alts, e)
			}
		}
		rest := b.seq(b.class(anything.without(letters).union(back)), b.ref(states[0]))
		alts = append([]expr{forward, rest}, alts...)
		if ends {
			alts = append(alts, empty)
		}
		b.rules[r].body = b.alt(alts...)
	}
	return b.ref(states[0])
}

// matched returns the length of the longest prefix of open that text ends with.
func matched(open, text string) int {
	for n := min(len(open), len(text)); n > 0; n-- {
		if text[len(text)-n:] == open[:n] {
			return n
		}
	}
	return 0
}
