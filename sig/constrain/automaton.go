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
	for _, p := range patterns {
		prog, err := compilePattern(p)
		if err != nil {
			return nil, err
		}
		d.programs = append(d.programs, program{prog})
	}
	singles, err := d.singles()
	if err != nil {
		return nil, err
	}
	classes := d.classes()
	d.start()
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

// compilePattern compiles a pattern that may match anywhere in a text.
func compilePattern(pattern string) (*syntax.Prog, error) {
	re, err := syntax.Parse(translated(pattern), syntax.Perl)
	if err != nil {
		return nil, err
	}
	around := func() *syntax.Regexp {
		return &syntax.Regexp{Op: syntax.OpStar, Sub: []*syntax.Regexp{{Op: syntax.OpAnyChar}}}
	}
	re = &syntax.Regexp{Op: syntax.OpConcat, Sub: []*syntax.Regexp{around(), re, around()}}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, err
	}
	if len(prog.Inst) > maxInstructions {
		return nil, errStates
	}
	for _, inst := range prog.Inst {
		const known = syntax.EmptyBeginText | syntax.EmptyEndText
		if inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&^known != 0 {
			return nil, errLookAround
		}
	}
	return prog, nil
}

// determinizer builds an automaton. A state is a set of instructions of each program.
type determinizer struct {
	programs []program
	positive int // how many of the programs must match; the others must not
	sets     [][][]uint32
	index    map[string]int // of each set
}

// singles returns the non-ASCII characters that a program mentions. It fails if
// a program has a class with some of the other non-ASCII characters but not all.
func (d *determinizer) singles() (singles []rune, err error) {
	add := func(r rune) {
		if r >= others {
			singles = append(singles, r)
		}
	}
	for _, p := range d.programs {
		for _, inst := range p.Inst {
			if inst.Op != syntax.InstRune && inst.Op != syntax.InstRune1 {
				continue
			}
			if len(inst.Rune) == 1 {
				only := inst.Rune[0]
				add(only)
				if syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
					for r := unicode.SimpleFold(only); r != only; r = unicode.SimpleFold(r) {
						add(r)
					}
				}
				continue
			}
			for i := 0; i+1 < len(inst.Rune); i += 2 {
				switch from, to := max(inst.Rune[i], others), inst.Rune[i+1]; {
				case to < others || from == others && to == unicode.MaxRune:
				case from == to:
					add(from)
				default:
					return nil, errUnicode
				}
			}
		}
	}
	slices.Sort(singles)
	singles = slices.Compact(singles)
	if len(singles) > maxSingles {
		return nil, errUnicode
	}
	return singles, nil
}

// classes returns sets of ASCII characters that no program distinguishes.
func (d *determinizer) classes() (classes []charset) {
	index := make(map[string]int)
	for c := rune(0); c < others; c++ {
		var key []byte
		for _, p := range d.programs {
			for pc := range p.Inst {
				if p.reads(uint32(pc), c) {
					key = binary.AppendUvarint(key, uint64(pc))
				}
			}
			key = append(key, 0xff, 0xff)
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

// start adds the first set.
func (d *determinizer) start() {
	start := make([][]uint32, len(d.programs))
	for i, p := range d.programs {
		start[i] = p.closure([]uint32{uint32(p.Start)}, syntax.EmptyBeginText)
	}
	d.find(start)
	for i, p := range d.programs {
		if p.accepts(start[i], true) != p.accepts(start[i], false) {
			clear(d.index) // only the empty text is in the first state
		}
	}
}

// find returns the index of a set, which it adds if it is new; -1 if the set accepts no
// text.
func (d *determinizer) find(set [][]uint32) int {
	var key []byte
	for i, list := range set {
		if i < d.positive && len(list) == 0 {
			return -1
		}
		for _, pc := range list {
			key = binary.AppendUvarint(key, uint64(pc)+1)
		}
		key = append(key, 0)
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
	next := make([][]uint32, len(d.programs))
	for i, p := range d.programs {
		next[i] = p.step(d.sets[from][i], r)
	}
	return d.find(next)
}

// state returns the state of a set.
func (d *determinizer) state(i int, classes []charset, singles []rune) state {
	s := state{accepts: true}
	for j, p := range d.programs {
		s.accepts = s.accepts && p.accepts(d.sets[i][j], i == 0) == (j < d.positive)
	}
	for _, class := range classes {
		s.move(d.step(i, class.ascii()[0]), class)
	}
	rest := d.step(i, unicode.MaxRune) // which represents those that no program mentions
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

// program is a compiled pattern.
type program struct{ *syntax.Prog }

// reads reports whether the instruction reads the character.
func (p program) reads(pc uint32, r rune) bool {
	switch inst := &p.Inst[pc]; inst.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return inst.MatchRune(r)
	}
	return false
}

// closure returns the instructions that are reached from some without reading a
// character. It does not go past those that need the end of the text, unless the
// flags have it.
func (p program) closure(from []uint32, flags syntax.EmptyOp) (list []uint32) {
	seen := make([]bool, len(p.Inst))
	for todo := slices.Clone(from); len(todo) > 0; {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch inst := &p.Inst[pc]; inst.Op {
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

// step returns the set after the character r.
func (p program) step(list []uint32, r rune) []uint32 {
	var next []uint32
	for _, pc := range list {
		if p.reads(pc, r) {
			next = append(next, p.Inst[pc].Out)
		}
	}
	return p.closure(next, 0)
}

// accepts reports whether a text may end in the set.
func (p program) accepts(list []uint32, atStart bool) bool {
	flags := syntax.EmptyEndText
	if atStart {
		flags |= syntax.EmptyBeginText
	}
	isMatch := func(pc uint32) bool { return p.Inst[pc].Op == syntax.InstMatch }
	return slices.ContainsFunc(p.closure(list, flags), isMatch)
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
