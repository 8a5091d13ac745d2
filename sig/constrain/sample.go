package constrain

import (
	"math"
	"strings"
)

// Source yields random numbers, as *rand.Rand of math/rand/v2 does.
type Source interface {
	IntN(n int) int // at least 0 and less than n
}

// Sample returns a random text that the grammar derives, of about size bytes, or more
// if the grammar has no shorter one. Without a source it is the shortest.
func (g *Grammar) Sample(s Source, size int) string {
	if s == nil {
		s, size = zeros{}, 0
	}
	g = g.orProse()
	p := sampler{g: g, s: s, size: size, shortest: g.shortest()}
	p.write(p.g.rules[0].body)
	return p.out.String()
}

type zeros struct{}

func (zeros) IntN(int) int { return 0 }

// sampler writes a derivation from left to right. Once the text is long enough, it
// takes the shortest path to the end.
type sampler struct {
	g        *Grammar
	s        Source
	size     int
	shortest []float64 // length of the shortest text of each rule
	out      strings.Builder
	depth    int // of open arrays and objects
}

// deepest is how deep samples nest if they can avoid more: a grammar has no bound,
// but a reader does.
const deepest = 30

// leave marks the end of an array or object among the expressions to write.
const leave expr = -1

// more reports whether the text may still grow.
func (p *sampler) more() bool { return p.out.Len() < p.size && p.depth < deepest }

func (p *sampler) write(e expr) {
	prose := p.g.rules[0].prose
	for todo := []expr{e}; len(todo) > 0; {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if e == leave {
			p.depth--
			continue
		}
		switch n := &p.g.nodes[e]; n.op {
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
			d := &p.g.rules[n.rule]
			if d.nests {
				p.depth++
				todo = append(todo, leave)
			}
			todo = append(todo, d.body)
			prose = d.prose
			continue
		}
		prose = notProse
	}
}

// choose returns one of the alternatives, the shortest if the text is long enough.
func (p *sampler) choose(list []expr, prose proseRule) expr {
	switch {
	case !p.more():
	case prose == inProse && p.s.IntN(6) == 0, prose == inOpener && p.s.IntN(16) > 0:
		return list[0]
	default:
		return list[p.s.IntN(len(list))]
	}
	best, least := list[0], math.Inf(1)
	for _, e := range list {
		if n := p.g.length(e, p.shortest); n < least {
			best, least = e, n
		}
	}
	return best
}

// char returns a character of the set.
func (p *sampler) char(set charset) rune {
	n := set.size()
	if set.high && (n == 0 || p.s.IntN(8) == 0) {
		return []rune("éß日本\u2028\u202e\ufeff\ufffd😀\U0010ffff")[p.s.IntN(10)]
	}
	i := p.s.IntN(n)
	for c := range byte(0x80) {
		if !set.has(c) {
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
func (g *Grammar) shortestTexts() []float64 {
	lengths := make([]float64, len(g.rules))
	for i := range lengths {
		lengths[i] = math.Inf(1)
	}
	for changed := true; changed; {
		changed = false
		for i := len(g.rules) - 1; i >= 0; i-- {
			if n := g.length(g.rules[i].body, lengths); n < lengths[i] {
				lengths[i], changed = n, true
			}
		}
	}
	return lengths
}

func (g *Grammar) length(e expr, rules []float64) float64 {
	switch n := &g.nodes[e]; n.op {
	case opLiteral:
		return float64(len(n.text))
	case opClass:
		return 1
	case opSeq:
		sum := 0.0
		for _, e := range n.list {
			sum += g.length(e, rules)
		}
		return sum
	case opAlt:
		least := math.Inf(1)
		for _, e := range n.list {
			least = min(least, g.length(e, rules))
		}
		return least
	case opRepeat:
		return float64(n.min) * g.length(n.list[0], rules)
	case opRef:
		return rules[n.rule] + 0.001
	}
	return 0
}
