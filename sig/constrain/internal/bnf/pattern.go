package bnf

import (
	"encoding/binary"
	"errors"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// Automaton is a deterministic automaton over characters: the texts that some patterns
// match and others do not.
type Automaton struct {
	states []state // the first is the start
	live   int     // states from which a text can end, and the start
}

type state struct {
	accepts bool
	splits  bool // non-ASCII characters lead to different states
	edges   []edge
}

// edge leads to a state on any character of set or, if char is not 0, on char alone,
// a non-ASCII character.
type edge struct {
	set  Charset
	char rune
	to   int
}

// The bounds of an automaton. A larger one is not worth its rules.
const (
	MaxStates       = 150
	maxInstructions = 2000
)

var (
	errLookAround = errors.New("it has word boundaries or line anchors")
	errUnicode    = errors.New("it distinguishes non-ASCII characters")
	errStates     = errors.New("it has too many states")
)

// Intersect returns the automaton of the texts that all patterns match and that not does
// not match. Patterns match as in regexp; an empty not matches nothing.
func Intersect(patterns []string, not string) (*Automaton, error) {
	var programs []*program
	for _, p := range patterns {
		prog, err := compileProgram(p)
		if err != nil {
			return nil, err
		}
		programs = append(programs, prog)
	}
	positive := len(programs)
	if not != "" {
		prog, err := compileProgram(not)
		if err != nil {
			return nil, err
		}
		programs = append(programs, prog)
	}
	singles, err := singleRunes(programs)
	if err != nil {
		return nil, err
	}
	return determine(programs, positive, singles)
}

// program is a compiled pattern.
type program struct {
	*syntax.Prog
	seen []uint32 // the last walk that reached each instruction
	walk uint32
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

// compileProgram compiles a pattern that may match anywhere in a text.
func compileProgram(pattern string) (*program, error) {
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
	for i := range prog.Inst {
		const known = syntax.EmptyBeginText | syntax.EmptyEndText
		inst := &prog.Inst[i]
		if inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&^known != 0 {
			return nil, errLookAround
		}
	}
	return &program{Prog: prog, seen: make([]uint32, len(prog.Inst))}, nil
}

// singleRunes returns the non-ASCII characters that a program mentions. It fails if
// a program has a class with some of the other non-ASCII characters but not all.
func singleRunes(programs []*program) ([]rune, error) {
	var singles []rune
	for _, p := range programs {
		for i := range p.Inst {
			inst := &p.Inst[i]
			if inst.Op != syntax.InstRune && inst.Op != syntax.InstRune1 {
				continue
			}
			if len(inst.Rune) == 1 {
				only := inst.Rune[0]
				singles = append(singles, only)
				if syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
					for r := unicode.SimpleFold(only); r != only; r = unicode.SimpleFold(r) {
						singles = append(singles, r)
					}
				}
				continue
			}
			for i := 0; i+1 < len(inst.Rune); i += 2 {
				switch from, to := max(inst.Rune[i], 0x80), inst.Rune[i+1]; {
				case to < 0x80 || from == 0x80 && to == unicode.MaxRune:
				case from == to:
					singles = append(singles, from)
				default:
					return nil, errUnicode
				}
			}
		}
	}
	slices.Sort(singles)
	singles = slices.Compact(singles)
	singles = slices.DeleteFunc(singles, func(r rune) bool { return r < 0x80 })
	const most = 200
	if len(singles) > most {
		return nil, errUnicode
	}
	return singles, nil
}

// alike is a set of ASCII characters that no program distinguishes.
type alike struct {
	set   Charset
	first byte
}

func classesOf(programs []*program) (classes []alike) {
	index := make(map[string]int)
	var key []byte
	for c := range byte(0x80) {
		key = key[:0]
		for _, p := range programs {
			for i := range p.Inst {
				if p.consumes(i, rune(c)) {
					key = binary.AppendUvarint(key, uint64(i))
				}
			}
			key = append(key, 0xff, 0xff)
		}
		i, known := index[string(key)]
		if !known {
			i = len(classes)
			index[string(key)] = i
			classes = append(classes, alike{first: c})
		}
		classes[i].set.add(c)
	}
	return classes
}

// consumes reports whether the instruction reads the character.
func (p *program) consumes(pc int, r rune) bool {
	switch inst := &p.Inst[pc]; inst.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return inst.MatchRune(r)
	}
	return false
}

// other represents the non-ASCII characters that no program mentions.
const other = unicode.MaxRune

// determinizer builds an automaton. A state is a set of instructions of each program.
type determinizer struct {
	programs []*program
	positive int // how many of the programs must match; the others must not
	sets     [][][]uint32
	index    map[string]int // of each set
}

// determine returns the automaton of the texts that the positive programs match and the
// others do not.
func determine(programs []*program, positive int, singles []rune) (*Automaton, error) {
	d := determinizer{programs: programs, positive: positive, index: make(map[string]int)}
	classes := classesOf(programs)
	d.start()
	var a Automaton
	for i := 0; i < len(d.sets); i++ {
		if i >= MaxStates {
			return nil, errStates
		}
		a.states = append(a.states, d.state(i, classes, singles))
	}
	return a.trim()
}

// start adds the first set.
func (d *determinizer) start() {
	start := make([][]uint32, len(d.programs))
	for i, p := range d.programs {
		p.walk++
		start[i] = p.closure(nil, uint32(p.Start), syntax.EmptyBeginText)
		slices.Sort(start[i])
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
func (d *determinizer) state(i int, classes []alike, singles []rune) state {
	s := state{accepts: true}
	for j, p := range d.programs {
		s.accepts = s.accepts && p.accepts(d.sets[i][j], i == 0) == (j < d.positive)
	}
	for _, c := range classes {
		if to := d.step(i, rune(c.first)); to >= 0 {
			e := s.edgeTo(to)
			e.set = e.set.Union(c.set)
		}
	}
	rest := d.step(i, other)
	if rest >= 0 {
		s.edgeTo(rest).set.high = true
	}
	for _, r := range singles {
		to := d.step(i, r)
		s.splits = s.splits || to != rest
		if to != rest && to >= 0 {
			s.edges = append(s.edges, edge{char: r, to: to})
		}
	}
	return s
}

// edgeTo returns the edge on a set of characters to a state.
func (s *state) edgeTo(to int) *edge {
	i := slices.IndexFunc(s.edges, func(e edge) bool { return e.to == to && e.char == 0 })
	if i < 0 {
		i = len(s.edges)
		s.edges = append(s.edges, edge{to: to})
	}
	return &s.edges[i]
}

// closure adds the instructions that are reached from pc without reading a
// character. It does not go past those that need the end of the text, unless the
// flags have it.
func (p *program) closure(list []uint32, pc uint32, flags syntax.EmptyOp) []uint32 {
	todo := []uint32{pc}
	for len(todo) > 0 {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.seen[pc] == p.walk {
			continue
		}
		p.seen[pc] = p.walk
		switch inst := &p.Inst[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			todo = append(todo, inst.Arg, inst.Out)
		case syntax.InstCapture, syntax.InstNop:
			todo = append(todo, inst.Out)
		case syntax.InstEmptyWidth:
			switch want := syntax.EmptyOp(inst.Arg); {
			case want&^flags == 0:
				todo = append(todo, inst.Out)
			case want&^flags == syntax.EmptyEndText:
				list = append(list, pc)
			}
		case syntax.InstFail:
		default:
			list = append(list, pc)
		}
	}
	return list
}

// step returns the set after the character r.
func (p *program) step(list []uint32, r rune) (next []uint32) {
	p.walk++
	for _, pc := range list {
		if p.consumes(int(pc), r) {
			next = p.closure(next, p.Inst[pc].Out, 0)
		}
	}
	slices.Sort(next)
	return next
}

// accepts reports whether a text may end in the set.
func (p *program) accepts(list []uint32, atStart bool) bool {
	flags := syntax.EmptyEndText
	if atStart {
		flags |= syntax.EmptyBeginText
	}
	p.walk++
	var end []uint32
	for _, pc := range list {
		end = p.closure(end, pc, flags)
	}
	return slices.ContainsFunc(end, func(pc uint32) bool {
		return p.Inst[pc].Op == syntax.InstMatch
	})
}

// trim removes the edges to states that cannot reach an accepting state. It fails if a
// remaining edge would need a class of all characters except a non-ASCII one.
func (a *Automaton) trim() (*Automaton, error) {
	lives := make([]bool, len(a.states))
	dead := func(e edge) bool { return !lives[e.to] }
	for changed := true; changed; {
		changed = false
		for i, s := range slices.Backward(a.states) {
			leads := slices.ContainsFunc(s.edges, func(e edge) bool { return lives[e.to] })
			if !lives[i] && (s.accepts || leads) {
				lives[i], changed = true, true
			}
		}
	}
	for i := range a.states {
		s := &a.states[i]
		s.edges = slices.DeleteFunc(s.edges, dead)
		split := s.splits && slices.ContainsFunc(s.edges, func(e edge) bool { return e.set.high })
		if split && lives[i] {
			return nil, errUnicode
		}
		if lives[i] || i == 0 {
			a.live++
		}
	}
	return a, nil
}

// Len returns the number of states on the way to the end of a text.
func (a *Automaton) Len() int { return a.live }

// Node returns the expression of the texts, followed by end; written returns how the
// characters of a set, or one non-ASCII character if it is not 0, are written.
func (a *Automaton) Node(
	b *Builder, hint string, written func(Charset, rune) *Node, end *Node,
) *Node {
	m := &Machine{Hint: hint, States: make([]State, len(a.states))}
	for i, s := range a.states {
		for _, e := range s.edges {
			m.States[i] = append(m.States[i], Edge{written(e.set, e.char), e.to})
		}
		if s.accepts {
			m.States[i] = append(m.States[i], Edge{end, End})
		}
	}
	return b.Machine(m)
}
