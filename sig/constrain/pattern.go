package constrain

import (
	"encoding/binary"
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
// derivative, another expression. These are the states of an automaton that matches the
// pattern, or several at once.

// automaton is a deterministic automaton over characters: the texts that some patterns
// match and another does not. The first state is the start.
type automaton []state

type state struct {
	accepts bool
	moves   []move
}

// move leads to a state on any character of set, or on a single non-ASCII character.
type move struct {
	set charset
	to  int
}

// The bounds of an automaton. A larger one is not worth its rules.
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

// intersect returns the automaton of the texts that all patterns match and that not does
// not match. Patterns match as in regexp; an empty not matches nothing.
func intersect(patterns []string, not string) (automaton, error) {
	d := deriver{builder: newBuilder(), positive: len(patterns), index: make(map[string]int)}
	d.letters = []charset{anything}
	d.any = d.repeat(d.class(anything), 0, limits.Unbounded)
	if not != "" {
		patterns = append(slices.Clip(patterns), not)
	}
	var start []*node
	for _, p := range patterns {
		re, err := syntax.Parse(translated(p), syntax.Perl)
		if err != nil {
			return nil, err
		}
		start = append(start, d.around(re))
	}
	d.find(start)
	var a automaton
	for i := 0; i < len(d.states) && d.err == nil; i++ {
		if i >= maxStates || d.nodes > maxNodes || len(d.singles) > maxSingles {
			return nil, errStates
		}
		a = append(a, d.state(i))
	}
	return a, d.err
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

// deriver builds an automaton. A state is what is left of each pattern.
type deriver struct {
	*builder
	any      *node // all texts
	begin    *node // what matches the beginning of a text, and the end: empty or never
	end      *node
	letters  []charset // characters that no pattern distinguishes; together they are all
	singles  []charset // the non-ASCII characters that a pattern mentions
	positive int       // how many of the patterns must match; the others must not
	states   [][]*node
	index    map[string]int // of each state
	err      error
}

// around returns the texts that contain a match of a regular expression. The match is at the
// beginning, which ^ matches, or after some character, where it does not; likewise at the end.
func (d *deriver) around(re *syntax.Regexp) *node {
	match := func(begin, end *node) *node {
		d.begin, d.end = begin, end
		return d.pattern(re)
	}
	begins, before := d.edges(match(empty, empty) == match(never, empty))
	ends, after := d.edges(match(empty, empty) == match(empty, never))
	var matches []*node
	for _, begin := range begins {
		for _, end := range ends {
			e := match(begin, end)
			if begin == never {
				e = d.seq(before, e)
			}
			if end == never {
				e = d.seq(e, after)
			}
			matches = append(matches, e)
		}
	}
	return d.union(matches)
}

// edges returns what an anchor may match, and what comes between the edge of the text and a match
// where that is nothing.
func (d *deriver) edges(none bool) (matches []*node, between *node) {
	if none {
		return []*node{never}, d.any
	}
	return []*node{empty, never}, d.seq(d.class(anything), d.any)
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
		return d.begin
	case syntax.OpEndText:
		return d.end
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
		inside, outside := l.intersect(set), l.without(set)
		if inside != "" && outside != "" {
			d.letters[i] = inside
			d.letters = append(d.letters, outside)
		}
	}
	return d.alt(append(alts, d.class(set))...)
}

// state returns the state with that index.
func (d *deriver) state(i int) state {
	s := state{accepts: true}
	for p, e := range d.states[i] {
		s.accepts = s.accepts && e.mayBeEmpty() == (p < d.positive)
	}
	rest := -1 // where non-ASCII characters lead that no pattern mentions
	for _, l := range d.letters {
		to := d.step(i, l)
		if l.has(others) {
			rest = to
		}
		same := slices.IndexFunc(s.moves, func(m move) bool { return m.to == to })
		switch {
		case same >= 0:
			s.moves[same].set = s.moves[same].set.union(l)
		case to >= 0:
			s.moves = append(s.moves, move{l, to})
		}
	}
	for _, single := range d.singles {
		to := d.step(i, single)
		switch {
		case to == rest:
		case rest >= 0:
			d.err = errUnicode // it would need a class of all characters except that one
		default:
			s.moves = append(s.moves, move{single, to})
		}
	}
	return s
}

// step returns the index of the state after a letter; -1 if it accepts no text, since a pattern
// that must match cannot, or one that must not does.
func (d *deriver) step(from int, l charset) int {
	c, _ := utf8.DecodeRuneInString(string(l))
	var next []*node
	for p, e := range d.states[from] {
		left := d.derivative(e, c)
		if p < d.positive && left == never || p >= d.positive && left == d.any {
			return -1
		}
		next = append(next, left)
	}
	return d.find(next)
}

// find returns the index of a state, which it adds if it is new.
func (d *deriver) find(s []*node) int {
	var key []byte
	for _, e := range s {
		key = binary.AppendUvarint(key, uint64(e.id))
	}
	i, known := d.index[string(key)]
	if !known {
		i = len(d.states)
		d.index[string(key)] = i
		d.states = append(d.states, s)
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
	case opAlt:
		for _, part := range e.list {
			left = append(left, d.derivative(part, c))
		}
	case opRepeat:
		rest := d.repeat(e.list[0], less(e.min, 1), less(e.max, 1))
		return d.seq(d.derivative(e.list[0], c), rest)
	}
	return d.union(left)
}

// mayBeEmpty reports whether e derives the empty text, if there are no references in it.
func (e *node) mayBeEmpty() bool {
	isNot := func(e *node) bool { return !e.mayBeEmpty() }
	switch e.op {
	case opSeq:
		return !slices.ContainsFunc(e.list, isNot)
	case opRepeat:
		return e.min == 0 || e.list[0].mayBeEmpty()
	}
	return slices.ContainsFunc(e.list, (*node).mayBeEmpty)
}

// union returns the alternatives of the expressions in one order, so that equal ones are found.
func (d *deriver) union(list []*node) *node {
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

// node returns the expression of the texts, followed by then; written returns how the characters
// of a set are written.
func (a automaton) node(
	b *builder, hint string, written func(charset) *node, then *node,
) *node {
	m := &machine{hint: hint, states: make([][]edge, len(a))}
	for i, s := range a {
		for _, e := range s.moves {
			if label := written(e.set); label != never {
				m.states[i] = append(m.states[i], edge{label, e.to})
			}
		}
		if s.accepts {
			m.states[i] = append(m.states[i], edge{then, end})
		}
	}
	return b.run(m)
}
