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
	set      charset
	list     []*node
	min, max int
	rule     *rule
	machine  *machine
}

type op uint8

const (
	opLiteral op = iota // text
	opClass             // one character of set
	opSeq               // list, in order
	opAlt               // one of list
	opRepeat            // list[0], at least min times, at most max; max is Unbounded
	opRef               // a reference to rule
	opMachine           // machine; list[0] is the same by rules
)

// The two expressions that every grammar has.
var (
	never = &node{id: 0, op: opAlt} // derives nothing
	empty = &node{id: 1, op: opSeq} // derives the empty text
)

// rule is a named expression.
type rule struct {
	name, hint string
	body       *node // never, until it is set
	token      bool  // a lexer can read it as one token
	likely     int   // of 16 samples, how many take the first alternative at least
	ref        *node // the reference to it
	shortest   float64
}

// machine is an expression that reads text by states, from the first one on. A state is left
// by one of its edges.
type machine struct {
	hint   string // for the names of rules
	states [][]edge
	prose  bool // the text is prose: a state is how much of an opener has been read
}

// edge derives label and goes on in another state.
type edge struct {
	label *node
	to    int // end: the text ends
}

// end is where an edge leads that ends the text of a machine.
const end = -1

// builder builds the expressions and rules of a grammar.
type builder struct {
	rules []*rule
	known map[string]*node // nil: equal expressions are not found
	nodes int
}

func newBuilder() *builder {
	return &builder{known: make(map[string]*node), nodes: 2}
}

// intern returns the node equal to n.
func (b *builder) intern(n node) *node {
	if b.known == nil {
		return b.add(n)
	}
	key := append([]byte{byte(n.op)}, n.text...)
	key = n.set.appendKey(key)
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
	list := set.ascii()
	switch {
	case set == charset{}:
		return never
	case len(list) == 1 && !set.has(others):
		return b.literal(string(list))
	}
	return b.intern(node{op: opClass, set: set})
}

// seq returns the expressions in sequence.
func (b *builder) seq(list ...*node) *node {
	var flat []*node
	for _, e := range list {
		switch {
		case e == never:
			return never
		case e.op == opSeq:
			for _, e := range e.list {
				flat = b.follow(flat, e)
			}
		default:
			flat = b.follow(flat, e)
		}
	}
	switch len(flat) {
	case 0:
		return empty
	case 1:
		return flat[0]
	}
	return b.intern(node{op: opSeq, list: flat})
}

// follow appends e to list, joining adjacent literals.
func (b *builder) follow(list []*node, e *node) []*node {
	if n := len(list); n > 0 && list[n-1].op == opLiteral && e.op == opLiteral {
		list[n-1] = b.literal(list[n-1].text + e.text)
		return list
	}
	return append(list, e)
}

// alt returns the alternatives of the expressions.
func (b *builder) alt(list ...*node) *node {
	var flat []*node
	seen := make(map[*node]bool, len(list))
	for _, e := range list {
		parts := []*node{e}
		if e.op == opAlt {
			parts = e.list
		}
		for _, e := range parts {
			if !seen[e] {
				seen[e] = true
				flat = append(flat, e)
			}
		}
	}
	switch len(flat) {
	case 0:
		return never
	case 1:
		return flat[0]
	}
	return b.intern(node{op: opAlt, list: flat})
}

// opt returns e or nothing.
func (b *builder) opt(e *node) *node { return b.alt(e, empty) }

// repeat returns e at least min and at most max times; max is Unbounded. e must
// not derive the empty text, which would make the grammar ambiguous.
func (b *builder) repeat(e *node, min, max int) *node {
	switch {
	case max == 0 || e == empty || e == never && min == 0:
		return empty
	case e == never:
		return never
	case min == 1 && max == 1:
		return e
	case min == 0 && max == 1:
		return b.opt(e)
	}
	return b.intern(node{op: opRepeat, list: []*node{e}, min: min, max: max})
}

// run returns what the machine derives, and adds rules for it that read one character and go
// on with a rule, the shape that is cheapest for engines. A state with one incoming edge is
// written inside the state before it; other states, and all of prose, are rules.
func (b *builder) run(m *machine) *node {
	incoming := make([]int, len(m.states))
	for _, s := range m.states {
		for _, e := range s {
			if e.to != end {
				incoming[e.to]++
			}
		}
	}
	rules := make([]*rule, len(m.states))
	for i, n := range incoming {
		if n > 1 || n == 1 && (i == 0 || m.prose) {
			rules[i] = b.declare(m.hint)
			if m.prose && i > 0 {
				rules[i].likely = 15 // an opener that has begun goes on
			} else if m.prose {
				rules[i].likely = 3
			}
		}
	}
	var body func(i int) *node
	body = func(i int) *node {
		var alts []*node
		for _, e := range m.states[i] {
			rest := empty
			switch {
			case e.to == end:
			case rules[e.to] != nil:
				rest = b.ref(rules[e.to])
			default:
				rest = body(e.to)
			}
			alts = append(alts, b.seq(e.label, rest))
		}
		return b.alt(alts...)
	}
	for i, r := range rules {
		if r != nil && i > 0 {
			r.body = body(i)
		}
	}
	start := b.add(node{op: opMachine, machine: m, list: []*node{body(0)}})
	if rules[0] == nil {
		return start
	}
	rules[0].body = start
	return b.ref(rules[0])
}

// ref returns a reference to a rule.
func (b *builder) ref(r *rule) *node {
	if r.ref == nil {
		r.ref = b.add(node{op: opRef, rule: r})
	}
	return r.ref
}

// declare adds a rule without a body, so that a recursive definition can refer to it.
// Its name is derived from hint.
func (b *builder) declare(hint string) *rule {
	r := &rule{hint: hint, body: never, shortest: math.Inf(1)}
	b.rules = append(b.rules, r)
	return r
}

// define adds a rule for e and returns a reference to it.
func (b *builder) define(hint string, e *node) *node {
	r := b.declare(hint)
	r.body = e
	return b.ref(r)
}

// token is like define, for what a lexer can read as one token: a word, a string, a
// number.
func (b *builder) token(hint string, e *node) *node {
	ref := b.define(hint, e)
	ref.rule.token = true
	return ref
}

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
	return b.prefixes(sorted, 0)
}

// prefixes is words for sorted words. It puts deeply nested parts in rules of their own,
// for engines that limit nesting.
func (b *builder) prefixes(list []word, depth int) *node {
	var alts []*node
	for len(list) > 0 {
		prefix, n := list[0].text, 1
		for ; n < len(list); n++ {
			both := commonPrefix(prefix, list[n].text)
			if both == "" {
				break
			}
			prefix = both
		}
		then := list[0].then
		if n > 1 {
			rest := make([]word, n)
			for i, w := range list[:n] {
				rest[i] = word{w.text[len(prefix):], w.then}
			}
			then = b.prefixes(rest, depth+1)
			if depth%16 == 15 {
				then = b.define("words", then)
			}
		}
		alts = append(alts, b.seq(b.literal(prefix), then))
		list = list[n:]
	}
	return b.alt(alts...)
}

// commonPrefix returns the longest common prefix of whole characters.
func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n < len(a) && n > 0 && !utf8.RuneStart(a[n]) {
		n--
	}
	return a[:n]
}
