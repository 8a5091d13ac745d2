package bnf

import "unicode/utf8"

// Match reports whether a rule of the grammar derives text; nil means the root. It is
// for tests and for finding out why an engine refuses something: its time and memory may
// grow with the square of the length of text.
func (g *Grammar) Match(from *Rule, text string) bool {
	if from == nil {
		from = g.Root
	}
	return newMatcher().match(text, from)
}

// matcher follows all derivations at once. Each has a stack of what is still to come;
// stacks share their tails, and equal stacks are identical.
type matcher struct {
	frames []frame
	known  map[frame]int32
	seen   map[int32]bool
}

// frame is an expression to come, and the frame after it. n counts the bytes of a
// literal or the repetitions that have been read.
type frame struct {
	expr *Node
	n    int32
	next int32
}

// done is the empty stack: the text may end.
const done int32 = -1

func newMatcher() *matcher { return &matcher{known: make(map[frame]int32)} }

func (m *matcher) push(f frame) int32 {
	if i, ok := m.known[f]; ok {
		return i
	}
	i := int32(len(m.frames))
	m.frames = append(m.frames, f)
	m.known[f] = i
	return i
}

func (m *matcher) match(text string, root *Rule) bool {
	if !utf8.ValidString(text) {
		return false
	}
	stacks := m.expand(nil, m.push(frame{root.Body, 0, done}), true)
	for _, r := range text {
		var next []int32
		m.seen = nil
		for _, s := range stacks {
			if s == done {
				continue
			}
			f := m.frames[s]
			n := f.expr
			switch n.op {
			case opClass:
				if n.set.Contains(r) {
					next = m.expand(next, f.next, false)
				}
			case opLiteral:
				if c, size := utf8.DecodeRuneInString(n.text[f.n:]); c == r {
					if f.n += int32(size); int(f.n) == len(n.text) {
						next = m.expand(next, f.next, false)
					} else {
						next = m.expand(next, m.push(f), false)
					}
				}
			}
		}
		stacks = next
		if len(stacks) == 0 {
			return false
		}
	}
	for _, s := range stacks {
		if s == done {
			return true
		}
	}
	return false
}

// expand adds the stacks that s can become without reading a character: those that
// start with a character, and done. Each is added once per step; fresh starts one.
func (m *matcher) expand(list []int32, s int32, fresh bool) []int32 {
	if fresh || m.seen == nil {
		m.seen = make(map[int32]bool)
	}
	todo := []int32{s}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if m.seen[s] {
			continue
		}
		m.seen[s] = true
		if s == done {
			list = append(list, s)
			continue
		}
		f := m.frames[s]
		switch n := f.expr; n.op {
		case opSeq:
			next := f.next
			for i := len(n.list) - 1; i >= 0; i-- {
				next = m.push(frame{n.list[i], 0, next})
			}
			todo = append(todo, next)
		case opAlt:
			for _, e := range n.list {
				todo = append(todo, m.push(frame{e, 0, f.next}))
			}
		case opRepeat:
			if int(f.n) >= n.min {
				todo = append(todo, f.next)
			}
			if n.max < 0 || int(f.n) < n.max {
				again := f
				if again.n++; n.max < 0 {
					again.n = min(again.n, int32(n.min)) // from here on the count does not matter
				}
				todo = append(todo, m.push(frame{n.list[0], 0, m.push(again)}))
			}
		case opMachine:
			todo = append(todo, m.push(frame{n.list[0], 0, f.next}))
		case opRef:
			todo = append(todo, m.push(frame{n.rule.Body, 0, f.next}))
		default:
			list = append(list, s)
		}
	}
	return list
}
