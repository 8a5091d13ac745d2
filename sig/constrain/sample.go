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
	p.write(g.root.body, g.root)
	return p.out.String()
}

// sampler writes a derivation from left to right. Once the text is long enough, it
// takes the shortest path to the end.
type sampler struct {
	intn func(n int) int
	size int
	out  strings.Builder
}

// write writes a text of e, which is the body of a rule or a part of one; in is nil then.
func (p *sampler) write(e *node, in *rule) {
	switch e.op {
	case opLiteral:
		p.out.WriteString(e.text)
	case opClass:
		p.out.WriteRune(p.char(charset(e.text)))
	case opSeq:
		for _, part := range e.list {
			p.write(part, nil)
		}
	case opAlt:
		p.write(p.choose(e.list, in), nil)
	case opRepeat:
		times := e.min
		for times < e.max && p.more() && p.intn(4) > 0 && !e.list[0].isDead() {
			times++
		}
		for range times {
			p.write(e.list[0], nil)
		}
	case opMachine:
		p.write(e.list[0], in)
	case opRef:
		p.write(e.rule.body, e.rule)
	}
}

// more reports whether the text may still grow.
func (p *sampler) more() bool { return p.out.Len() < p.size }

// choose returns one of the alternatives of a rule, or of a part of one, the shortest if the
// text is long enough.
func (p *sampler) choose(list []*node, in *rule) *node {
	list = slices.DeleteFunc(slices.Clone(list), (*node).isDead)
	switch {
	case !p.more():
		return slices.MinFunc(list, func(a, b *node) int {
			return cmp.Compare(a.shortest(), b.shortest())
		})
	case in != nil && p.intn(16) < in.likely:
		return list[0]
	}
	return list[p.intn(len(list))]
}

// char returns a character of the set.
func (p *sampler) char(set charset) rune {
	list := []rune(string(set.without(charset(others))))
	if set.has(others) && (len(list) == 0 || p.intn(8) == 0) {
		list = []rune("éß日本\u2028\u202e\ufeff\ufffd😀\U0010ffff")
	}
	return list[p.intn(len(list))]
}
