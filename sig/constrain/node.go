package constrain

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A grammar is a tree of expressions with named rules. What reads one character at a time,
// a string, a pattern, or prose up to a tag, is an expression of its own, a machine.

// node is an expression of a grammar. Equal expressions of one builder are identical.
type node struct {
	id       int
	op       op
	text     string
	list     []*node
	min, max int
	rule     *rule
	machine  machine

	length     float64 // see shortest
	isMeasured bool
}

type op uint8

const (
	opLiteral op = iota // text
	opClass             // one character of the set that is text
	opSeq               // list, in order
	opAlt               // one of list
	opRepeat            // list[0], at least min times, at most max; max is Unbounded
	opRef               // a reference to rule
	opMachine           // machine; list[0] is the same by rules
)

// The two expressions that every grammar has.
var (
	never = &node{id: 0, op: opAlt, length: math.Inf(1), isMeasured: true} // derives nothing
	empty = &node{id: 1, op: opSeq, isMeasured: true}                      // derives the empty text
)

// rule is a named expression.
type rule struct {
	hint     string // the name, apart from a number
	body     *node  // never, until it is set
	token    bool   // a lexer can read it as one token
	state    bool   // it is a state of a machine
	shortest float64
}

// builder builds the expressions and rules of a grammar.
type builder struct {
	rules []*rule
	known map[string]*node // nil: equal expressions are not found
	named map[*node]*node  // a reference to the rule of an expression
	nodes int
}

func newBuilder() *builder {
	return &builder{known: make(map[string]*node), named: make(map[*node]*node), nodes: 2}
}

// intern returns the node equal to n.
func (b *builder) intern(n node) *node {
	if b.known == nil {
		return b.add(n)
	}
	key := append([]byte{byte(n.op)}, n.text...)
	key = append(key, 0)
	for _, e := range n.list {
		key = append(strconv.AppendInt(key, int64(e.id), 36), ',')
	}
	key = append(strconv.AppendInt(key, int64(n.min), 36), ';')
	key = strconv.AppendInt(key, int64(n.max), 36)
	if known, ok := b.known[string(key)]; ok {
		return known
	}
	added := b.add(n)
	b.known[string(key)] = added
	return added
}

// add adds a node that is equal to no other.
func (b *builder) add(n node) *node {
	n.id = b.nodes
	b.nodes++
	return &n
}

// literal returns the expression that derives exactly text.
func (b *builder) literal(text string) *node {
	if text == "" {
		return empty
	}
	return b.intern(node{op: opLiteral, text: text})
}

// class returns the expression that derives any one character of set.
func (b *builder) class(set charset) *node {
	switch {
	case set == "":
		return never
	case len(set) == 1:
		return b.literal(string(set))
	}
	return b.intern(node{op: opClass, text: string(set)})
}

// parts returns the list of a sequence or of alternatives, or e itself.
func (e *node) parts(op op) []*node {
	if e.op == op {
		return e.list
	}
	return []*node{e}
}

// group returns a sequence, or alternatives.
func (b *builder) group(op op, list []*node) *node {
	switch {
	case len(list) == 1:
		return list[0]
	case len(list) > 1:
		return b.intern(node{op: op, list: list})
	case op == opSeq:
		return empty
	}
	return never
}

// seq returns the expressions in sequence.
func (b *builder) seq(list ...*node) *node {
	var flat []*node
	for _, e := range list {
		for _, e := range e.parts(opSeq) {
			n := len(flat)
			switch {
			case e == never:
				return never
			case n > 0 && flat[n-1].op == opLiteral && e.op == opLiteral:
				flat[n-1] = b.literal(flat[n-1].text + e.text)
			default:
				flat = append(flat, e)
			}
		}
	}
	return b.group(opSeq, flat)
}

// alt returns the alternatives of the expressions. An empty one makes the others optional.
func (b *builder) alt(list ...*node) *node {
	var flat []*node
	isOptional := false
	for _, e := range list {
		if e == empty {
			isOptional, e = true, never
		} else if e.op == opRepeat && e.min == 0 && e.max == 1 {
			isOptional, e = true, e.list[0]
		}
		for _, e := range e.parts(opAlt) {
			if !slices.Contains(flat, e) {
				flat = append(flat, e)
			}
		}
	}
	e := b.group(opAlt, flat)
	if isOptional {
		return b.opt(e)
	}
	return e
}

// opt returns e or nothing.
func (b *builder) opt(e *node) *node { return b.repeat(e, 0, 1) }

// repeat returns e at least min and at most max times; max is Unbounded. In a grammar, e must
// not derive the empty text, which would make it ambiguous.
func (b *builder) repeat(e *node, min, max int) *node {
	canBeEmpty := e.op == opRepeat && e.min == 0
	switch {
	case max == 0 || e == empty || e == never && min == 0:
		return empty
	case e == never:
		return never
	case max == 1 && (min == 1 || min == 0 && canBeEmpty):
		return e
	}
	return b.intern(node{op: opRepeat, list: []*node{e}, min: min, max: max})
}

// declare returns a reference to a new rule without a body, for recursive definitions.
// Its name is derived from hint.
func (b *builder) declare(hint string) *node {
	r := &rule{hint: hint, body: never, shortest: math.Inf(1)}
	b.rules = append(b.rules, r)
	return b.add(node{op: opRef, rule: r})
}

// define returns a reference to a rule for e. Equal expressions share one.
func (b *builder) define(hint string, e *node) *node {
	if e == never || e == empty || e.op == opRef {
		return e
	}
	if b.named[e] == nil {
		b.named[e] = b.declare(hint)
		b.named[e].rule.body = e
	}
	return b.named[e]
}

// token is like define, for what a lexer can read as one token: a word, a string, a
// number.
func (b *builder) token(hint string, e *node) *node {
	ref := b.define(hint, e)
	if ref.op == opRef {
		ref.rule.token = true
	}
	return ref
}

// measure sets the length of the shortest text of each rule. Chains of rules refer to later or to
// earlier ones, so it takes turns with the direction.
func (b *builder) measure() {
	order := slices.Clone(b.rules)
	for changed := true; changed; {
		changed = false
		slices.Reverse(order)
		for _, r := range order {
			if n := r.body.shortest(); n < r.shortest {
				r.shortest, changed = n, true
			}
		}
	}
}

// shortest returns the length of the shortest text of e, as far as those of rules are known;
// it is infinite if e derives none. Each reference counts a little, so that a rule that leads
// to itself is never the shortest path.
//
// Without references the length is known once and for all. It is kept, since the expressions of
// patterns share parts, and have very many paths.
func (e *node) shortest() float64 {
	if e.isMeasured {
		return e.length
	}
	n, isFinal := 0.0, e.op != opRef
	switch e.op {
	case opLiteral:
		n = float64(len(e.text))
	case opClass:
		n = 1
	case opRef:
		n = e.rule.shortest + 0.001
	case opAlt:
		n = math.Inf(1)
	}
	for _, part := range e.list {
		length := part.shortest()
		isFinal = isFinal && part.isMeasured
		switch {
		case e.op == opAlt:
			n = min(n, length)
		case e.op != opRepeat:
			n += length
		case e.min > 0:
			n = float64(e.min) * length
		}
	}
	e.length, e.isMeasured = n, isFinal
	return n
}

// isDead reports whether e derives nothing. The rules must be measured.
func (e *node) isDead() bool { return math.IsInf(e.shortest(), 1) }

// word is a text and what follows it.
type word struct {
	text string
	then *node
}

// words returns the alternatives of the words, with common prefixes written once: an
// engine then follows one path instead of all.
func (b *builder) words(list []word) *node {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, c word) int { return strings.Compare(a.text, c.text) })
	return b.prefixes(sorted, 0, 0)
}

// prefixes is words for sorted words without their first bytes, which are the same. It puts
// deeply nested parts in rules of their own, for engines that limit nesting.
func (b *builder) prefixes(list []word, from, depth int) *node {
	var alts []*node
	for n := 0; len(list) > 0; list = list[n:] {
		prefix, then := list[0].text[from:], list[0].then
		for n = 1; n < len(list) && common(prefix, list[n].text[from:]) > 0; n++ {
		}
		if n > 1 {
			prefix = prefix[:common(prefix, list[n-1].text[from:])]
			then = b.prefixes(list[:n], from+len(prefix), depth+1)
			if depth%16 == 15 {
				then = b.define("words", then)
			}
		}
		alts = append(alts, b.seq(b.literal(prefix), then))
	}
	return b.alt(alts...)
}

// common returns the length of the longest common prefix of whole characters.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n < len(a) && n > 0 && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}
