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
	p := sampler{s: s, size: size, shortest: g.shortestTexts()}
	p.write(g.Root.Body, g.Root.prose)
	return p.out.String()
}

// sampler writes a derivation from left to right. Once the text is long enough, it
// takes the shortest path to the end.
type sampler struct {
	s        Source
	size     int
	shortest map[*Rule]float64 // length of the shortest text of each rule
	out      strings.Builder
	depth    int // of open arrays and objects
}

// deepest is how deep samples nest if they can avoid more: a grammar has no bound,
// but a reader does.
const deepest = 30

// more reports whether the text may still grow.
func (p *sampler) more() bool { return p.out.Len() < p.size && p.depth < deepest }

// write writes a text of e; prose is what e is in prose.
func (p *sampler) write(e *Node, prose proseRule) {
	switch e.op {
	case opLiteral:
		p.out.WriteString(e.text)
	case opClass:
		p.out.WriteRune(p.char(e.set))
	case opSeq:
		for _, part := range e.list {
			p.write(part, notProse)
		}
	case opAlt:
		p.write(p.choose(e.list, prose), notProse)
	case opRepeat:
		times := e.min
		for p.more() && (e.max < 0 || times < e.max) && p.s.IntN(4) > 0 {
			times++
		}
		for range times {
			p.write(e.list[0], notProse)
		}
	case opMachine:
		p.write(e.list[0], prose)
	case opRef:
		if e.rule.Nests {
			p.depth++
		}
		p.write(e.rule.Body, e.rule.prose)
		if e.rule.Nests {
			p.depth--
		}
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
	for c := rune(0); ; c++ {
		if set.Contains(c) {
			if i--; i < 0 {
				return c
			}
		}
	}
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
	case opRepeat:
		return float64(e.min) * length(e.list[0], rules)
	case opRef:
		return rules[e.rule] + 0.001
	case opAlt:
		least := math.Inf(1)
		for _, e := range e.list {
			least = min(least, length(e, rules))
		}
		return least
	}
	sum := 0.0
	for _, e := range e.list {
		sum += length(e, rules)
	}
	return sum
}
