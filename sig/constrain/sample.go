package constrain

import (
	"cmp"
	"slices"
	"strings"
)

// Sample returns a random text that the grammar derives, of about size bytes, or more
// if the grammar has no shorter one. The source can be a *rand.Rand of math/rand/v2.
func (g *Grammar) Sample(source interface{ IntN(n int) int }, size int) string {
	g = g.orProse()
	p := sampler{intn: source.IntN, size: size}
	p.write(g.root.body)
	return p.out.String()
}

// sampler writes a derivation from left to right. Once the text is long enough, it
// takes the shortest path to the end.
type sampler struct {
	intn  func(n int) int
	size  int
	out   strings.Builder
	depth int  // of rules within rules
	ahead bool // it takes the shortest path to the end of a machine
}

// write writes a text of e.
func (p *sampler) write(e *node) {
	switch e.op {
	case opLiteral:
		p.out.WriteString(e.text)
	case opClass:
		p.out.WriteRune(p.char(charset(e.text)))
	case opSeq:
		for _, part := range e.list {
			p.write(part)
		}
	case opAlt:
		p.write(p.choose(e.list))
	case opRepeat:
		times := e.min
		for times < e.max && p.more() && p.intn(4) > 0 && !e.list[0].isDead() {
			times++
		}
		for range times {
			p.write(e.list[0])
		}
	case opMachine:
		p.write(e.list[0])
		p.ahead = false
	case opRef:
		// Without this, samples would have much prose, and few openers.
		p.ahead = p.ahead || e.rule.state && p.intn(8) == 0
		if !e.rule.state {
			p.depth++
			defer func() { p.depth-- }()
		}
		p.write(e.rule.body)
	}
}

// maxSampleDepth bounds recursion, since a reader refuses values that nest too deep.
const maxSampleDepth = 40

// more reports whether the text may still grow.
func (p *sampler) more() bool { return p.out.Len() < p.size && p.depth < maxSampleDepth }

// choose returns one of the alternatives, the shortest if the text is long enough.
func (p *sampler) choose(list []*node) *node {
	list = slices.DeleteFunc(slices.Clone(list), (*node).isDead)
	if p.more() && !p.ahead {
		return list[p.intn(len(list))]
	}
	return slices.MinFunc(list, func(a, b *node) int {
		return cmp.Compare(a.shortest(), b.shortest())
	})
}

// char returns a character of the set.
func (p *sampler) char(set charset) rune {
	list := []rune(string(set.without(charset(others))))
	if set.has(others) && (len(list) == 0 || p.intn(8) == 0) {
		list = []rune("éß日本\u2028\u202e\ufeff\ufffd😀\U0010ffff")
	}
	return list[p.intn(len(list))]
}
