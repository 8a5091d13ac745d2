package constrain

import (
	"encoding/binary"
	"errors"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// automaton is a deterministic automaton over characters: the texts that some patterns
// match and another does not. The first state is the start.
type automaton []state

type state struct {
	accepts bool
	splits  bool // non-ASCII characters lead to different states
	moves   []move
}

// move leads to a state on any character of set or, if char is not 0, on char alone,
// a non-ASCII character.
type move struct {
	set  charset
	char rune
	to   int
}

// The bounds of an automaton. A larger one is not worth its rules.
const (
	maxStates       = 150
	maxInstructions = 2000
	maxSingles      = 200 // non-ASCII characters
)

var (
	errLookAround = errors.New("it has word boundaries or line anchors")
	errUnicode    = errors.New("it distinguishes non-ASCII characters")
	errStates     = errors.New("it has too many states")
)

// intersect returns the automaton of the texts that all patterns match and that not does
// not match. Patterns match as in regexp; an empty not matches nothing.
func intersect(patterns []string, not string) (automaton, error) {
	d := determinizer{positive: len(patterns), index: make(map[string]int)}
	if not != "" {
		patterns = append(slices.Clip(patterns), not)
	}
	for i, p := range patterns {
		if err := d.add(p, i); err != nil {
			return nil, err
		}
	}
	singles, err := d.singles()
	if err != nil {
		return nil, err
	}
	classes := d.classes()
	start := d.closure(d.starts, syntax.EmptyBeginText)
	d.find(start)
	if !slices.Equal(d.matched(start, true), d.matched(start, false)) {
		clear(d.index) // only the empty text is in the first state
	}
	var a automaton
	for i := 0; i < len(d.sets); i++ {
		if i >= maxStates {
			return nil, errStates
		}
		a = append(a, d.state(i, classes, singles))
	}
	return a, a.trim()
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

// determinizer builds an automaton. A state is a set of instructions.
type determinizer struct {
	program  []syntax.Inst // of all patterns, one after the other
	pattern  []int         // to which each instruction belongs
	starts   []uint32      // the first instruction of each pattern
	positive int           // how many of the patterns must match; the others must not
	sets     [][]uint32
	index    map[string]int // of each set
}

// add adds the instructions of a pattern, which may match anywhere in a text.
func (d *determinizer) add(pattern string, i int) error {
	re, err := syntax.Parse(translated(pattern), syntax.Perl)
	if err != nil {
		return err
	}
	around := func() *syntax.Regexp {
		return &syntax.Regexp{Op: syntax.OpStar, Sub: []*syntax.Regexp{{Op: syntax.OpAnyChar}}}
	}
	re = &syntax.Regexp{Op: syntax.OpConcat, Sub: []*syntax.Regexp{around(), re, around()}}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return err
	}
	if len(prog.Inst) > maxInstructions {
		return errStates
	}
	shift := uint32(len(d.program))
	d.starts = append(d.starts, uint32(prog.Start)+shift)
	for _, inst := range prog.Inst {
		const known = syntax.EmptyBeginText | syntax.EmptyEndText
		switch inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			inst.Arg += shift
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^known != 0 {
				return errLookAround
			}
		}
		inst.Out += shift
		d.program = append(d.program, inst)
		d.pattern = append(d.pattern, i)
	}
	return nil
}

// singles returns the non-ASCII characters that a pattern mentions. It fails if
// a pattern has a class with some of the other non-ASCII characters but not all.
func (d *determinizer) singles() (singles []rune, err error) {
	for _, inst := range d.program {
		switch {
		case inst.Op != syntax.InstRune && inst.Op != syntax.InstRune1:
		case len(inst.Rune) == 1:
			only := inst.Rune[0]
			singles = append(singles, only)
			for r := unicode.SimpleFold(only); r != only; r = unicode.SimpleFold(r) {
				if syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
					singles = append(singles, r)
				}
			}
		default:
			for i := 0; i+1 < len(inst.Rune); i += 2 {
				from, to := max(inst.Rune[i], others), inst.Rune[i+1]
				isAll := from == others && to == unicode.MaxRune
				switch {
				case from == to:
					singles = append(singles, from)
				case from < to && !isAll:
					return nil, errUnicode
				}
			}
		}
	}
	slices.Sort(singles)
	singles = slices.Compact(singles)
	singles = slices.DeleteFunc(singles, func(r rune) bool { return r < others })
	if len(singles) > maxSingles {
		return nil, errUnicode
	}
	return singles, nil
}

// classes returns sets of ASCII characters that no pattern distinguishes.
func (d *determinizer) classes() (classes []charset) {
	index := make(map[string]int)
	for c := rune(0); c < others; c++ {
		var key []byte
		for pc := range d.program {
			if d.reads(uint32(pc), c) {
				key = binary.AppendUvarint(key, uint64(pc))
			}
		}
		i, known := index[string(key)]
		if !known {
			i = len(classes)
			index[string(key)] = i
			classes = append(classes, charset{})
		}
		classes[i].add(c)
	}
	return classes
}

// find returns the index of a set, which it adds if it is new; -1 if the set accepts no
// text, since a pattern that must match cannot.
func (d *determinizer) find(set []uint32) int {
	var key []byte
	alive := make([]bool, len(d.starts))
	for _, pc := range set {
		key = binary.AppendUvarint(key, uint64(pc))
		alive[d.pattern[pc]] = true
	}
	if slices.Contains(alive[:d.positive], false) {
		return -1
	}
	i, known := d.index[string(key)]
	if !known {
		i = len(d.sets)
		d.index[string(key)] = i
		d.sets = append(d.sets, set)
	}
	return i
}

// step returns the index of the set after the character r.
func (d *determinizer) step(from int, r rune) int {
	var next []uint32
	for _, pc := range d.sets[from] {
		if d.reads(pc, r) {
			next = append(next, d.program[pc].Out)
		}
	}
	return d.find(d.closure(next, 0))
}

// state returns the state of a set.
func (d *determinizer) state(i int, classes []charset, singles []rune) state {
	s := state{accepts: true}
	for p, matched := range d.matched(d.sets[i], i == 0) {
		s.accepts = s.accepts && matched == (p < d.positive)
	}
	for _, class := range classes {
		s.move(d.step(i, class.ascii()[0]), class)
	}
	rest := d.step(i, unicode.MaxRune) // which represents those that no pattern mentions
	s.move(rest, charset{2: 1})
	for _, r := range singles {
		to := d.step(i, r)
		s.splits = s.splits || to != rest
		if to != rest && to >= 0 {
			s.moves = append(s.moves, move{char: r, to: to})
		}
	}
	return s
}

// move adds a move on a set of characters, if it leads anywhere.
func (s *state) move(to int, set charset) {
	i := slices.IndexFunc(s.moves, func(m move) bool { return m.to == to })
	switch {
	case to < 0:
	case i < 0:
		s.moves = append(s.moves, move{set: set, to: to})
	default:
		s.moves[i].set = s.moves[i].set.union(set)
	}
}

// reads reports whether the instruction reads the character.
func (d *determinizer) reads(pc uint32, r rune) bool {
	switch inst := &d.program[pc]; inst.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return inst.MatchRune(r)
	}
	return false
}

// closure returns the instructions that are reached from some without reading a
// character. It does not go past those that need the end of the text, unless the
// flags have it.
func (d *determinizer) closure(from []uint32, flags syntax.EmptyOp) (list []uint32) {
	seen := make([]bool, len(d.program))
	for todo := slices.Clone(from); len(todo) > 0; {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch inst := &d.program[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			todo = append(todo, inst.Arg, inst.Out)
		case syntax.InstCapture, syntax.InstNop:
			todo = append(todo, inst.Out)
		case syntax.InstEmptyWidth:
			switch syntax.EmptyOp(inst.Arg) &^ flags {
			case 0:
				todo = append(todo, inst.Out)
			case syntax.EmptyEndText:
				list = append(list, pc)
			}
		case syntax.InstFail:
		default:
			list = append(list, pc)
		}
	}
	slices.Sort(list)
	return list
}

// matched returns which patterns match a text that ends in the set.
func (d *determinizer) matched(list []uint32, atStart bool) []bool {
	flags := syntax.EmptyEndText
	if atStart {
		flags |= syntax.EmptyBeginText
	}
	matched := make([]bool, len(d.starts))
	for _, pc := range d.closure(list, flags) {
		if d.program[pc].Op == syntax.InstMatch {
			matched[d.pattern[pc]] = true
		}
	}
	return matched
}

// trim removes the moves to states that cannot reach an accepting state. It fails if a
// remaining move would need a class of all characters except a non-ASCII one.
func (a automaton) trim() error {
	lives := make([]bool, len(a))
	for changed := true; changed; {
		changed = false
		for i, s := range slices.Backward(a) {
			leads := slices.ContainsFunc(s.moves, func(m move) bool { return lives[m.to] })
			if !lives[i] && (s.accepts || leads) {
				lives[i], changed = true, true
			}
		}
	}
	for i := range a {
		s := &a[i]
		s.moves = slices.DeleteFunc(s.moves, func(m move) bool { return !lives[m.to] })
		high := func(m move) bool { return m.set.has(others) }
		if s.splits && slices.ContainsFunc(s.moves, high) {
			return errUnicode
		}
	}
	return nil
}

// node returns the expression of the texts, followed by then; written returns how the
// characters of a set, or one non-ASCII character if it is not 0, are written.
func (a automaton) node(
	b *builder, hint string, written func(charset, rune) *node, then *node,
) *node {
	m := &machine{hint: hint, states: make([][]edge, len(a))}
	for i, s := range a {
		for _, e := range s.moves {
			m.states[i] = append(m.states[i], edge{written(e.set, e.char), e.to})
		}
		if s.accepts {
			m.states[i] = append(m.states[i], edge{then, end})
		}
	}
	return b.run(m)
}
