package constrain

import (
	"slices"
	"strconv"
	"strings"
)

// expr is an expression of a grammar: an index into its nodes. Equal expressions
// have equal indexes, so each is stored once.
type expr int32

// The two expressions that every grammar begins with.
const (
	never expr = iota // derives nothing
	empty             // derives the empty text
)

type op uint8

const (
	opLiteral op = iota // text
	opClass             // one character of set
	opSeq               // list, in order
	opAlt               // one of list
	opRepeat            // list[0], at least min times, at most max; max < 0 means no bound
	opRef               // a reference to rule
)

type node struct {
	op       op
	text     string
	set      charset
	list     []expr
	min, max int
	rule     rule
}

// rule is a named expression: an index into the rules of a grammar.
type rule int32

type definition struct {
	name, hint string
	body       expr
	prose      proseRule
	token      bool // see builder.token
	nests      bool // derives an array or object
}

// proseRule says whether a rule derives prose. If so, its first alternative leads to
// a call.
type proseRule uint8

const (
	notProse proseRule = iota
	inProse
	inOpener // part of an opener has been read
)

// builder builds the expressions and rules of a grammar.
type builder struct {
	nodes []node
	known map[string]expr
	rules []definition
	names map[string]int
	key   []byte
}

func newBuilder() *builder {
	b := &builder{known: make(map[string]expr), names: make(map[string]int)}
	b.intern(node{op: opAlt})
	b.intern(node{op: opSeq})
	return b
}

func (b *builder) intern(n node) expr {
	key := append(b.key[:0], byte(n.op))
	key = append(key, n.text...)
	key = n.set.appendKey(key)
	for _, e := range n.list {
		key = append(strconv.AppendInt(key, int64(e), 36), ',')
	}
	for _, i := range [...]int{n.min, n.max, int(n.rule)} {
		key = append(strconv.AppendInt(key, int64(i), 36), ';')
	}
	b.key = key
	if e, ok := b.known[string(key)]; ok {
		return e
	}
	e := expr(len(b.nodes))
	b.nodes = append(b.nodes, n)
	b.known[string(key)] = e
	return e
}

// literal returns the expression that derives exactly text.
func (b *builder) literal(text string) expr {
	if text == "" {
		return empty
	}
	return b.intern(node{op: opLiteral, text: text})
}

// class returns the expression that derives any one character of set.
func (b *builder) class(set charset) expr {
	if c, ok := set.single(); ok {
		return b.literal(string(rune(c)))
	}
	if set == (charset{}) {
		return never
	}
	return b.intern(node{op: opClass, set: set})
}

// seq returns the expressions in sequence.
func (b *builder) seq(list ...expr) expr {
	var flat []expr
	for _, e := range list {
		switch n := &b.nodes[e]; {
		case e == never:
			return never
		case n.op == opSeq:
			for _, e := range n.list {
				flat = b.follow(flat, e)
			}
		default:
			flat = b.follow(flat, e)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return b.intern(node{op: opSeq, list: flat})
}

// follow appends e to list, joining adjacent literals.
func (b *builder) follow(list []expr, e expr) []expr {
	if n := len(list); n > 0 && b.nodes[list[n-1]].op == opLiteral && b.nodes[e].op == opLiteral {
		list[n-1] = b.literal(b.nodes[list[n-1]].text + b.nodes[e].text)
		return list
	}
	return append(list, e)
}

// alt returns the alternatives of the expressions.
func (b *builder) alt(list ...expr) expr {
	var flat []expr
	seen := make(map[expr]bool, len(list))
	var add func(list []expr)
	add = func(list []expr) {
		for _, e := range list {
			if n := &b.nodes[e]; n.op == opAlt {
				add(n.list)
			} else if !seen[e] {
				seen[e] = true
				flat = append(flat, e)
			}
		}
	}
	add(list)
	if len(flat) == 1 {
		return flat[0]
	}
	return b.intern(node{op: opAlt, list: flat})
}

// opt returns e or nothing.
func (b *builder) opt(e expr) expr { return b.alt(e, empty) }

// repeat returns e at least min and at most max times; max < 0 means no bound. e must
// not derive the empty text, which would make the grammar ambiguous.
func (b *builder) repeat(e expr, min, max int) expr {
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
	return b.intern(node{op: opRepeat, list: []expr{e}, min: min, max: max})
}

// ref returns a reference to a rule.
func (b *builder) ref(r rule) expr { return b.intern(node{op: opRef, rule: r}) }

// declare adds a rule without a body, so that a recursive definition can refer to it.
// Its name is unique and derived from hint.
func (b *builder) declare(hint string) rule {
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
		// In some formats, names that differ only in case would collide.
		n := b.names[strings.ToLower(unique)]
		b.names[strings.ToLower(unique)]++
		if n == 0 {
			break
		}
		unique = base + "-" + strconv.Itoa(b.names[strings.ToLower(base)])
	}
	b.rules = append(b.rules, definition{name: unique, hint: hint, body: never})
	return rule(len(b.rules) - 1)
}

// define adds a rule for e and returns a reference to it.
func (b *builder) define(hint string, e expr) expr {
	r := b.declare(hint)
	b.rules[r].body = e
	return b.ref(r)
}

// token is like define, for what a lexer can read as one token: a word, a string, a
// number.
func (b *builder) token(hint string, e expr) expr {
	ref := b.define(hint, e)
	b.rules[b.nodes[ref].rule].token = true
	return ref
}

// choice is a word and what follows it.
type choice struct {
	word string
	then expr
}

// words returns the alternatives of the choices, with common prefixes written once:
// an engine then follows one path instead of all.
func (b *builder) words(list []choice) expr {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, c choice) int { return strings.Compare(a.word, c.word) })
	return b.prefixes(sorted, 0)
}

// prefixes is words for sorted choices. It puts deeply nested parts in rules of their
// own, for engines that limit nesting.
func (b *builder) prefixes(list []choice, depth int) expr {
	var alts []expr
	for len(list) > 0 {
		n := 1
		if first := list[0].word; first != "" {
			for n < len(list) && list[n].word != "" && firstRune(list[n].word) == firstRune(first) {
				n++
			}
		}
		group := list[:n]
		list = list[n:]
		if group[0].word == "" || n == 1 {
			alts = append(alts, b.seq(b.literal(group[0].word), group[0].then))
			continue
		}
		common := commonPrefix(group[0].word, group[n-1].word)
		rest := make([]choice, n)
		for i, c := range group {
			rest[i] = choice{c.word[len(common):], c.then}
		}
		tail := b.prefixes(rest, depth+1)
		if depth%16 == 15 {
			tail = b.define("words", tail)
		}
		alts = append(alts, b.seq(b.literal(common), tail))
	}
	return b.alt(alts...)
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
