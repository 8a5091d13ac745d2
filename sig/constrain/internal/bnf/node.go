// Package bnf holds grammars, and writes them in the syntaxes of engines:
//
//	b := bnf.NewBuilder()
//	root := b.Declare("root")
//	root.Body = b.Seq(b.Literal("<call>"), b.Repeat(b.Class(bnf.Between('a', 'z')), 1, -1))
//	b.Grammar(root, nil).GBNF(nil) // root ::= "<call>" [a-z]+
//
// A grammar is a tree of expressions with named rules. What reads one character at a time,
// a string, a pattern, or prose up to a tag, is an expression of its own, a [Machine].
package bnf

import (
	"slices"
	"strconv"
	"strings"
)

// Node is an expression of a grammar. Equal expressions of one builder are identical.
type Node struct {
	id       int
	op       op
	text     string
	set      Charset
	list     []*Node
	min, max int
	rule     *Rule
	machine  *Machine
}

type op uint8

const (
	opLiteral op = iota // text
	opClass             // one character of set
	opSeq               // list, in order
	opAlt               // one of list
	opRepeat            // list[0], at least min times, at most max; max < 0 means no bound
	opRef               // a reference to rule
	opMachine           // machine; in a grammar, list[0] is the same by rules
)

// The two expressions that every grammar has.
var (
	Never = &Node{id: 0, op: opAlt} // derives nothing
	Empty = &Node{id: 1, op: opSeq} // derives the empty text
)

// Rule is a named expression.
type Rule struct {
	Body  *Node // Never, until it is set
	Nests bool  // derives an array or object

	name, hint string
	token      bool // a lexer can read it as one token
	prose      proseRule
	ref        *Node // the reference to it
}

// proseRule distinguishes the rules of prose. Their first alternative leads to a call.
type proseRule uint8

const (
	notProse proseRule = iota
	inProse
	inOpener // part of an opener has been read
)

// Machine is an expression that reads text by states. A state is left by one of its edges.
// The first state is the start.
type Machine struct {
	Hint   string // for the names of rules
	States []State
	Prose  bool // the text is prose: a state is how much of an opener has been read
}

// State is the edges by which it can be left.
type State []Edge

// Edge derives Label and goes on in state To.
type Edge struct {
	Label *Node
	To    int // End: the text ends
}

// End is where an Edge leads that ends the text of a Machine.
const End = -1

// Builder builds the expressions and rules of a grammar.
type Builder struct {
	rules []*Rule
	known map[string]*Node
	nodes int
	names map[string]int
	key   []byte
}

// NewBuilder returns a builder without rules.
func NewBuilder() *Builder {
	return &Builder{known: make(map[string]*Node), names: make(map[string]int), nodes: 2}
}

// intern returns the node equal to n.
func (b *Builder) intern(n Node) *Node {
	key := append(b.key[:0], byte(n.op))
	key = append(key, n.text...)
	key = n.set.appendKey(key)
	for _, e := range n.list {
		key = append(strconv.AppendInt(key, int64(e.id), 36), ',')
	}
	key = append(strconv.AppendInt(key, int64(n.min), 36), ';')
	key = strconv.AppendInt(key, int64(n.max), 36)
	b.key = key
	if known, ok := b.known[string(key)]; ok {
		return known
	}
	added := b.add(n)
	b.known[string(key)] = added
	return added
}

// add adds a node that is equal to no other.
func (b *Builder) add(n Node) *Node {
	n.id = b.nodes
	b.nodes++
	return &n
}

// Literal returns the expression that derives exactly text.
func (b *Builder) Literal(text string) *Node {
	if text == "" {
		return Empty
	}
	return b.intern(Node{op: opLiteral, text: text})
}

// Class returns the expression that derives any one character of set.
func (b *Builder) Class(set Charset) *Node {
	if c, ok := set.single(); ok {
		return b.Literal(string(rune(c)))
	}
	if set == (Charset{}) {
		return Never
	}
	return b.intern(Node{op: opClass, set: set})
}

// Seq returns the expressions in sequence.
func (b *Builder) Seq(list ...*Node) *Node {
	var flat []*Node
	for _, e := range list {
		switch {
		case e == Never:
			return Never
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
		return Empty
	case 1:
		return flat[0]
	}
	return b.intern(Node{op: opSeq, list: flat})
}

// follow appends e to list, joining adjacent literals.
func (b *Builder) follow(list []*Node, e *Node) []*Node {
	if n := len(list); n > 0 && list[n-1].op == opLiteral && e.op == opLiteral {
		list[n-1] = b.Literal(list[n-1].text + e.text)
		return list
	}
	return append(list, e)
}

// Alt returns the alternatives of the expressions.
func (b *Builder) Alt(list ...*Node) *Node {
	var flat []*Node
	seen := make(map[*Node]bool, len(list))
	var add func(list []*Node)
	add = func(list []*Node) {
		for _, e := range list {
			if e.op == opAlt {
				add(e.list)
			} else if !seen[e] {
				seen[e] = true
				flat = append(flat, e)
			}
		}
	}
	add(list)
	switch len(flat) {
	case 0:
		return Never
	case 1:
		return flat[0]
	}
	return b.intern(Node{op: opAlt, list: flat})
}

// Opt returns e or nothing.
func (b *Builder) Opt(e *Node) *Node { return b.Alt(e, Empty) }

// Repeat returns e at least min and at most max times; max < 0 means no bound. e must
// not derive the empty text, which would make the grammar ambiguous.
func (b *Builder) Repeat(e *Node, min, max int) *Node {
	switch {
	case max == 0 || e == Empty || e == Never && min == 0:
		return Empty
	case e == Never:
		return Never
	case min == 1 && max == 1:
		return e
	case min == 0 && max == 1:
		return b.Opt(e)
	}
	return b.intern(Node{op: opRepeat, list: []*Node{e}, min: min, max: max})
}

// Machine returns what the machine derives. It must not change any more.
func (b *Builder) Machine(m *Machine) *Node { return b.add(Node{op: opMachine, machine: m}) }

// Ref returns a reference to a rule.
func (b *Builder) Ref(r *Rule) *Node {
	if r.ref == nil {
		r.ref = b.add(Node{op: opRef, rule: r})
	}
	return r.ref
}

// Declare adds a rule without a body, so that a recursive definition can refer to it.
// Its name is unique and derived from hint.
func (b *Builder) Declare(hint string) *Rule {
	const longest = 40
	var name strings.Builder
	for i := 0; i < len(hint) && i < longest; i++ {
		if c := hint[i]; 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' {
			name.WriteByte(c)
		} else {
			name.WriteByte('-')
		}
	}
	base := strings.Trim(name.String(), "-")
	if base == "" || '0' <= base[0] && base[0] <= '9' {
		base = strings.TrimSuffix("r-"+base, "-")
	}
	unique := base
	for {
		// In some syntaxes, names that differ only in case would collide.
		n := b.names[strings.ToLower(unique)]
		b.names[strings.ToLower(unique)]++
		if n == 0 {
			break
		}
		unique = base + "-" + strconv.Itoa(b.names[strings.ToLower(base)])
	}
	r := &Rule{name: unique, hint: hint, Body: Never}
	b.rules = append(b.rules, r)
	return r
}

// Define adds a rule for e and returns a reference to it.
func (b *Builder) Define(hint string, e *Node) *Node {
	r := b.Declare(hint)
	r.Body = e
	return b.Ref(r)
}

// Token is like Define, for what a lexer can read as one token: a word, a string, a
// number.
func (b *Builder) Token(hint string, e *Node) *Node {
	ref := b.Define(hint, e)
	ref.rule.token = true
	return ref
}

// Word is a text and what follows it.
type Word struct {
	Text string
	Then *Node
}

// Words returns the alternatives of the words, with common prefixes written once: an
// engine then follows one path instead of all.
func (b *Builder) Words(list []Word) *Node {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, c Word) int { return strings.Compare(a.Text, c.Text) })
	return b.prefixes(sorted, 0)
}

// prefixes is Words for sorted words. It puts deeply nested parts in rules of their own,
// for engines that limit nesting.
func (b *Builder) prefixes(list []Word, depth int) *Node {
	var alts []*Node
	for len(list) > 0 {
		n := 1
		for first := list[0].Text; first != "" && n < len(list); n++ {
			if firstRune(list[n].Text) != firstRune(first) {
				break
			}
		}
		group := list[:n]
		list = list[n:]
		if n == 1 {
			alts = append(alts, b.Seq(b.Literal(group[0].Text), group[0].Then))
			continue
		}
		common := commonPrefix(group[0].Text, group[n-1].Text)
		rest := make([]Word, n)
		for i, c := range group {
			rest[i] = Word{c.Text[len(common):], c.Then}
		}
		tail := b.prefixes(rest, depth+1)
		if depth%16 == 15 {
			tail = b.Define("words", tail)
		}
		alts = append(alts, b.Seq(b.Literal(common), tail))
	}
	return b.Alt(alts...)
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return -1
}

// commonPrefix returns the longest common prefix of whole characters.
func commonPrefix(a, b string) string {
	for i, r := range a {
		if !strings.HasPrefix(b[min(i, len(b)):], string(r)) {
			return a[:i]
		}
	}
	return a
}
