package constrain

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/limits"
)

// A pattern is an expression. What is left of it to be matched after a character is its
// derivative, another expression. These are the states of a machine that matches the pattern,
// or several at once: the derivative of a conjunction is that of its parts.

// The bounds of the machine of a pattern. A larger one is not worth its rules.
const (
	maxStates  = 150
	maxNodes   = 50000
	maxSingles = 200 // non-ASCII characters
)

var (
	errLookAround = errors.New("it has word boundaries or line anchors")
	errUnicode    = errors.New("it distinguishes non-ASCII characters")
	errStates     = errors.New("it has too many states")
)

// intersect returns the machine of the texts that all patterns match and that not does not
// match. Patterns match as in regexp; an empty not matches nothing. A label is the characters
// of an edge: a class, or a single one.
func intersect(patterns []string, not string) (*machine, error) {
	d := deriver{builder: newBuilder(), letters: []charset{anything}, index: make(map[*node]int)}
	d.any = d.repeat(d.class(anything), 0, limits.Unbounded)
	all := []*node{d.any}
	for _, p := range patterns {
		all = append(all, d.contains(p))
	}
	if not != "" {
		all = append(all, d.not(d.contains(not)))
	}
	d.state(d.and(all))
	m := &machine{}
	for i := 0; i < len(d.states) && d.err == nil; i++ {
		if i >= maxStates || d.nodes > maxNodes || len(d.singles) > maxSingles {
			return nil, errStates
		}
		m.states = append(m.states, d.edges(d.states[i]))
	}
	return m, d.err
}

// escapes finds a backslash with what belongs to it: one character, or all of an
// escape with the number of a character as in ECMA-262, except for surrogates.
var escapes = regexp.MustCompile(`(?s)\\(?:u\{[0-9a-fA-F]{1,6}\}|` +
	`u[0-9a-cefA-CEF][0-9a-fA-F]{3}|u[dD][0-7][0-9a-fA-F]{2}|.)`)

// translated returns an ECMA-262 pattern in the syntax of regexp.
func translated(pattern string) string {
	return escapes.ReplaceAllStringFunc(pattern, func(e string) string {
		if e[1] != 'u' || len(e) == 2 {
			return e
		}
		return `\x{` + strings.Trim(e[2:], "{}") + "}"
	})
}

// deriver builds the machine of patterns.
type deriver struct {
	*builder
	any     *node     // all texts
	anchors [2]*node  // what ^ and $ match: empty or never
	letters []charset // characters that no pattern distinguishes; together they are all
	singles []charset // the non-ASCII characters that a pattern mentions
	states  []*node
	index   map[*node]int // of each state
	err     error
}

// contains returns the texts that contain a match of a pattern. The match is at the beginning,
// which ^ matches, or after some character, where it does not; likewise at the end.
func (d *deriver) contains(pattern string) *node {
	re, err := syntax.Parse(translated(pattern), syntax.Perl)
	if err != nil {
		d.err = err
		return never
	}
	match := func(begin, end *node) *node {
		d.anchors = [...]*node{begin, end}
		return d.pattern(re)
	}
	both, begin, ends := match(empty, empty), match(empty, never), match(never, empty)
	none, some := match(never, never), d.seq(d.class(anything), d.any)
	switch hasBegin, hasEnd := both != ends, both != begin; {
	case hasBegin && hasEnd:
		return d.union(both, d.seq(begin, some), d.seq(some, ends), d.seq(some, none, some))
	case hasBegin:
		return d.union(d.seq(begin, d.any), d.seq(some, none, d.any))
	case hasEnd:
		return d.union(d.seq(d.any, ends), d.seq(d.any, none, some))
	}
	return d.seq(d.any, none, d.any)
}

// pattern returns a regular expression as an expression.
func (d *deriver) pattern(re *syntax.Regexp) *node {
	var parts []*node
	for _, sub := range re.Sub {
		parts = append(parts, d.pattern(sub))
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			same := []rune{r, r}
			if re.Flags&syntax.FoldCase != 0 {
				for c := unicode.SimpleFold(r); c != r; c = unicode.SimpleFold(c) {
					same = append(same, c, c)
				}
			}
			parts = append(parts, d.oneOf(same))
		}
		return d.seq(parts...)
	case syntax.OpCharClass:
		return d.oneOf(re.Rune)
	case syntax.OpAnyCharNotNL:
		return d.oneOf([]rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune})
	case syntax.OpAnyChar:
		return d.class(anything)
	case syntax.OpAlternate:
		return d.alt(parts...)
	case syntax.OpStar:
		return d.repeat(parts[0], 0, limits.Unbounded)
	case syntax.OpPlus:
		return d.repeat(parts[0], 1, limits.Unbounded)
	case syntax.OpQuest:
		return d.opt(parts[0])
	case syntax.OpRepeat:
		if re.Max < 0 {
			return d.repeat(parts[0], re.Min, limits.Unbounded)
		}
		return d.repeat(parts[0], re.Min, re.Max)
	case syntax.OpBeginText:
		return d.anchors[0]
	case syntax.OpEndText:
		return d.anchors[1]
	case syntax.OpNoMatch:
		return never
	case syntax.OpEmptyMatch, syntax.OpCapture, syntax.OpConcat:
		return d.seq(parts...)
	}
	d.err = errLookAround
	return never
}

// expression returns a pattern without anchors as an expression.
func (b *builder) expression(pattern string) *node {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return never
	}
	d := deriver{builder: b}
	return d.pattern(re)
}

// oneOf returns the expression of one character in the ranges, pairs of their ends. It has all
// non-ASCII characters, or single ones.
func (d *deriver) oneOf(ranges []rune) *node {
	var set charset
	var alts []*node
	for i := 0; i+1 < len(ranges); i += 2 {
		from, to := ranges[i], ranges[i+1]
		set = set.union(span(from, min(to, 0x7f)))
		switch from = max(from, 0x80); {
		case from == 0x80 && to == unicode.MaxRune:
			set = set.union(charset(others))
		case from == to:
			alts = append(alts, d.literal(string(to)))
			if !slices.Contains(d.singles, charset(to)) {
				d.singles = append(d.singles, charset(to))
			}
		case from < to:
			d.err = errUnicode
		}
	}
	for i, l := range d.letters { // those inside of the set, and outside, are distinguished
		inside := set.intersect(l)
		if inside != "" && inside != l {
			d.letters[i] = inside
			d.letters = append(d.letters, l.without(inside))
		}
	}
	return d.alt(append(alts, d.class(set))...)
}

// edges returns the edges of a state.
func (d *deriver) edges(state *node) (edges []edge) {
	rest := never // what is left after non-ASCII characters that no pattern mentions
	for _, l := range d.letters {
		c, _ := utf8.DecodeRuneInString(string(l))
		left := d.derivative(state, c)
		if l.has(others) {
			rest = left
		}
		if left == never {
			continue
		}
		to := d.state(left)
		same := slices.IndexFunc(edges, func(e edge) bool { return e.to == to })
		if same < 0 {
			edges = append(edges, edge{d.class(l), to})
		} else {
			edges[same].label = d.class(l.union(charset(edges[same].label.text)))
		}
	}
	for _, l := range d.singles {
		c, _ := utf8.DecodeRuneInString(string(l))
		left := d.derivative(state, c)
		switch {
		case left == rest:
		case rest != never:
			d.err = errUnicode // it would need a class of all characters except that one
		default:
			edges = append(edges, edge{d.literal(string(l)), d.state(left)})
		}
	}
	if state.mayBeEmpty() {
		edges = append(edges, edge{empty, end})
	}
	return edges
}

// state returns the index of a state, which it adds if it is new.
func (d *deriver) state(e *node) int {
	i, known := d.index[e]
	if !known {
		i = len(d.states)
		d.index[e] = i
		d.states = append(d.states, e)
	}
	return i
}

// derivative returns what is left of e after the character c.
func (d *deriver) derivative(e *node, c rune) *node {
	var left []*node
	switch e.op {
	case opLiteral:
		if first, size := utf8.DecodeRuneInString(e.text); first == c {
			return d.literal(e.text[size:])
		}
	case opClass:
		if charset(e.text).has(c) {
			return empty
		}
	case opSeq:
		for i, part := range e.list {
			left = append(left, d.seq(d.derivative(part, c), d.seq(e.list[i+1:]...)))
			if !part.mayBeEmpty() {
				break
			}
		}
	case opRepeat:
		rest := d.repeat(e.list[0], less(e.min, 1), less(e.max, 1))
		return d.seq(d.derivative(e.list[0], c), rest)
	default:
		for _, part := range e.list {
			left = append(left, d.derivative(part, c))
		}
	}
	switch e.op {
	case opAnd:
		return d.and(left)
	case opNot:
		return d.not(left[0])
	}
	return d.union(left...)
}

// mayBeEmpty reports whether e derives the empty text, if there are no references in it.
func (e *node) mayBeEmpty() bool {
	isNot := func(e *node) bool { return !e.mayBeEmpty() }
	switch e.op {
	case opSeq, opAnd:
		return !slices.ContainsFunc(e.list, isNot)
	case opNot:
		return isNot(e.list[0])
	case opRepeat:
		return e.min == 0 || e.list[0].mayBeEmpty()
	}
	return slices.ContainsFunc(e.list, (*node).mayBeEmpty)
}

// union returns the alternatives of the expressions in one order, so that equal ones are found.
func (d *deriver) union(list ...*node) *node {
	e := d.alt(list...)
	switch {
	case e.op != opAlt:
		return e
	case slices.Contains(e.list, d.any):
		return d.any
	}
	sorted := slices.Clone(e.list)
	slices.SortFunc(sorted, func(a, b *node) int { return a.id - b.id })
	return d.alt(sorted...)
}

// and returns the texts that all of the expressions derive.
func (d *deriver) and(list []*node) *node {
	list = slices.DeleteFunc(list, func(e *node) bool { return e == d.any })
	switch {
	case slices.Contains(list, never):
		return never
	case len(list) == 0:
		return d.any
	case len(list) == 1:
		return list[0]
	}
	return d.intern(node{op: opAnd, list: list})
}

// not returns the texts that e does not derive.
func (d *deriver) not(e *node) *node {
	switch e {
	case never:
		return d.any
	case d.any:
		return never
	}
	return d.intern(node{op: opNot, list: []*node{e}})
}
