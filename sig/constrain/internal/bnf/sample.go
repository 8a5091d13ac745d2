package bnf

import (
	"math"
	"strings"
)

// Source yields random numbers, as *rand.Rand of math/rand/v2 does.
type Source interface {
	IntN(n int) int // at least 0 and less than n
}

// Sample returns a random text that the grammar derives, of about size bytes, or more
// if the grammar has no shorter one.
func (g *Grammar) Sample(s Source, size int) string {
	p := sampler{s: s, size: size, root: g.Root, shortest: g.shortestTexts()}
	p.write()
	return p.out.String()
}

// sampler writes a derivation from left to right. Once the text is long enough, it
// takes the shortest path to the end.
type sampler struct {
	s        Source
	size     int
	root     *Rule
	shortest map[*Rule]float64 // length of the shortest text of each rule
	out      strings.Builder
	depth    int // of open arrays and objects
}

// deepest is how deep samples nest if they can avoid more: a grammar has no bound,
// but a reader does.
const deepest = 30

// leave marks the end of an array or object among the expressions to write.
var leave = new(Node)

// more reports whether the text may still grow.
func (p *sampler) more() bool { return p.out.Len() < p.size && p.depth < deepest }

func (p *sampler) write() {
	prose := p.root.prose
	for todo := []*Node{p.root.Body}; len(todo) > 0; {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if e == leave {
			p.depth--
			continue
		}
		switch n := e; n.op {
		case opLiteral:
			p.out.WriteString(n.text)
		case opClass:
			p.out.WriteRune(p.char(n.set))
		case opSeq:
			for i := len(n.list) - 1; i >= 0; i-- {
				todo = append(todo, n.list[i])
			}
		case opAlt:
			todo = append(todo, p.choose(n.list, prose))
		case opRepeat:
			times := n.min
			for p.more() && (n.max < 0 || times < n.max) && p.s.IntN(4) > 0 {
				times++
			}
			for range times {
				todo = append(todo, n.list[0])
			}
		case opRef:
			if n.rule.Nests {
				p.depth++
				todo = append(todo, leave)
			}
			todo = append(todo, n.rule.Body)
			prose = n.rule.prose
			continue
		case opMachine:
			todo = append(todo, n.list[0])
			continue
		}
		prose = notProse
	}
}

// choose returns one of the alternatives, the shortest if the text is long enough.
func (p *sampler) choose(list []*Node, prose proseRule) *Node {
	switch {
	case !p.more():
	case prose == inProse && p.s.IntN(6) == 0, prose == inOpener && p.s.IntN(16) > 0:
		return list[0]
	default:
		return list[p.s.IntN(len(list))]
	}
	best, least := list[0], math.Inf(1)
	for _, e := range list {
		if n := length(e, p.shortest); n < least {
			best, least = e, n
		}
	}
	return best
}

// char returns a character of the set.
func (p *sampler) char(set Charset) rune {
	n := set.size()
	if set.high && (n == 0 || p.s.IntN(8) == 0) {
		return []rune("éß日本\u2028\u202e\ufeff\ufffd😀\U0010ffff")[p.s.IntN(10)]
	}
	i := p.s.IntN(n)
	for c := range byte(0x80) {
		if !set.Has(c) {
			continue
		}
		if i == 0 {
			return rune(c)
		}
		i--
	}
	return 0
}

// shortestTexts returns the length of the shortest text of each rule; each reference
// counts a little, so that a rule that leads to itself is never the shortest path.
func (g *Grammar) shortestTexts() map[*Rule]float64 {
	g.measure.Do(func() {
		g.shortest = make(map[*Rule]float64, len(g.rules))
		for _, r := range g.rules {
			g.shortest[r] = math.Inf(1)
		}
		for changed := true; changed; {
			changed = false
			for i := len(g.rules) - 1; i >= 0; i-- {
				r := g.rules[i]
				if n := length(r.Body, g.shortest); n < g.shortest[r] {
					g.shortest[r], changed = n, true
				}
			}
		}
	})
	return g.shortest
}

func length(e *Node, rules map[*Rule]float64) float64 {
	switch e.op {
	case opLiteral:
		return float64(len(e.text))
	case opClass:
		return 1
	case opSeq:
		sum := 0.0
		for _, e := range e.list {
			sum += length(e, rules)
		}
		return sum
	case opAlt:
		least := math.Inf(1)
		for _, e := range e.list {
			least = min(least, length(e, rules))
		}
		return least
	case opRepeat:
		return float64(e.min) * length(e.list[0], rules)
	case opRef:
		return rules[e.rule] + 0.001
	case opMachine:
		return length(e.list[0], rules)
	}
	return 0
}
