package constrain

import (
	"encoding/binary"
	"errors"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/limits"
)

// automaton is a set of texts: a deterministic automaton. Texts begin in its first state.
type automaton []state

type state struct {
	steps   []step
	accepts bool // a text may end
}

// step reads a character of a class, or a single non-ASCII one.
type step struct {
	chars charset
	to    int
}

// The bounds of an automaton. A larger one is not worth its rules.
const (
	maxStates  = 150
	maxProgram = 10000 // instructions
	maxSingles = 200   // non-ASCII characters
	maxWork    = 1 << 22
)

var (
	errLookAround = errors.New("it has word boundaries or line anchors")
	errUnicode    = errors.New("it distinguishes non-ASCII characters")
	errStates     = errors.New("it has too many states")
)

// intersect returns the texts that all patterns match and that not does not match. Patterns
// match as in regexp; an empty not matches nothing.
func intersect(patterns []string, not string) (automaton, error) {
	c := construction{index: make(map[string]int)}
	if not != "" {
		c.excluded = 1
		patterns = append([]string{not}, patterns...)
	}
	for _, p := range patterns {
		re, err := syntax.Parse(limits.Translated(p, false), syntax.Perl)
		if err != nil {
			return nil, err
		}
		program, err := syntax.Compile(re.Simplify())
		switch {
		case err != nil:
			return nil, err
		case len(program.Inst) > maxProgram:
			return nil, errStates
		}
		c.programs = append(c.programs, program)
	}
	c.alphabet()
	var begin [][]uint32
	for _, p := range c.programs {
		begin = append(begin, c.follow(p, []uint32{uint32(p.Start)}, syntax.EmptyBeginText))
	}
	c.state(begin, syntax.EmptyBeginText)
	for i := 0; i < len(c.states) && c.err == nil; i++ {
		if i >= maxStates || c.work > maxWork || len(c.singles) > maxSingles {
			return nil, errStates
		}
		c.read(i)
	}
	return c.states, c.err
}

// construction runs the programs of several patterns at once. A state is where each of them
// is: the instructions that wait for a character or for the end of the text, or the one that
// reports a match.
type construction struct {
	programs []*syntax.Prog
	excluded int       // how many of them, the first ones, must not match
	letters  []charset // characters that no program distinguishes; together they are all
	singles  []charset // the non-ASCII characters that a program mentions
	states   automaton
	at       [][][]uint32 // of each state, by program
	index    map[string]int
	work     int
	err      error
}

// alphabet sets the letters and singles.
func (c *construction) alphabet() {
	c.letters = []charset{anything}
	known := make(map[string]bool)
	for _, p := range c.programs {
		for i := range p.Inst {
			in := &p.Inst[i]
			switch key := string(in.Rune) + string(rune(in.Arg)); {
			case in.Op == syntax.InstEmptyWidth:
				if syntax.EmptyOp(in.Arg)&^(syntax.EmptyBeginText|syntax.EmptyEndText) != 0 {
					c.err = errLookAround
				}
			case in.Rune != nil && !known[key]:
				known[key] = true
				c.distinguish(in)
			}
		}
	}
}

// distinguish splits the letters into those that an instruction reads and others. It reads
// all non-ASCII characters, or single ones.
func (c *construction) distinguish(in *syntax.Inst) {
	ranges := in.Rune
	if len(ranges) == 1 {
		ranges = []rune{ranges[0], ranges[0]}
		if syntax.Flags(in.Arg)&syntax.FoldCase != 0 {
			for r := unicode.SimpleFold(in.Rune[0]); r != in.Rune[0]; r = unicode.SimpleFold(r) {
				ranges = append(ranges, r, r)
			}
		}
	}
	for i := 0; i < len(ranges); i += 2 {
		switch from, to := max(ranges[i], utf8.RuneSelf), ranges[i+1]; {
		case from == utf8.RuneSelf && to == unicode.MaxRune:
		case from == to && !slices.Contains(c.singles, charset(to)):
			c.singles = append(c.singles, charset(to))
		case from < to:
			c.err = errUnicode
		}
	}
	read := anything.where(in.MatchRune)
	for i, l := range c.letters {
		inside := l.intersect(read)
		if inside != "" && inside != l {
			c.letters[i] = inside
			c.letters = append(c.letters, l.without(inside))
		}
	}
}

// follow returns where a program is that goes on with some instructions; empty are the empty
// matches at this place.
func (c *construction) follow(p *syntax.Prog, from []uint32, empty syntax.EmptyOp) []uint32 {
	c.work += len(p.Inst)
	seen := make([]bool, len(p.Inst))
	var at []uint32
	for len(from) > 0 {
		pc := from[len(from)-1]
		from = from[:len(from)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch in := &p.Inst[pc]; in.Op {
		case syntax.InstMatch:
			return []uint32{pc}
		case syntax.InstAlt, syntax.InstAltMatch:
			from = append(from, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop:
			from = append(from, in.Out)
		case syntax.InstEmptyWidth:
			if missing := syntax.EmptyOp(in.Arg) &^ empty; missing == 0 {
				from = append(from, in.Out)
			} else if missing == syntax.EmptyEndText {
				at = append(at, pc)
			}
		case syntax.InstFail:
		default:
			at = append(at, pc)
		}
	}
	slices.Sort(at)
	return at
}

// matches reports whether a program is at its end.
func matches(p *syntax.Prog, at []uint32) bool {
	return len(at) == 1 && p.Inst[at[0]].Op == syntax.InstMatch
}

// state returns the index of a state, which it adds if it is new. empty are the empty matches
// at this place. The index is negative for a state from which no text is accepted.
func (c *construction) state(at [][]uint32, empty syntax.EmptyOp) int {
	accepts := true
	var key []byte
	for i, p := range c.programs {
		isExcluded := i < c.excluded
		if isExcluded && matches(p, at[i]) || !isExcluded && len(at[i]) == 0 {
			return -1
		}
		ends := matches(p, c.follow(p, slices.Clone(at[i]), empty|syntax.EmptyEndText))
		accepts = accepts && ends != isExcluded
		for _, pc := range at[i] {
			key = binary.AppendUvarint(key, uint64(pc)+1)
		}
		key = append(key, 0)
	}
	if accepts {
		key = append(key, 1)
	}
	n, known := c.index[string(key)]
	if !known {
		n = len(c.states)
		c.index[string(key)] = n
		c.states = append(c.states, state{accepts: accepts})
		c.at = append(c.at, at)
	}
	return n
}

// next returns the state after a character.
func (c *construction) next(from int, r rune) int {
	var at [][]uint32
	for i, p := range c.programs {
		if matches(p, c.at[from][i]) {
			at = append(at, c.at[from][i])
			continue
		}
		next := []uint32{uint32(p.Start)} // a match may begin here
		for _, pc := range c.at[from][i] {
			if in := &p.Inst[pc]; in.Rune != nil && in.MatchRune(r) {
				next = append(next, in.Out)
			}
		}
		at = append(at, c.follow(p, next, 0))
	}
	return c.state(at, 0)
}

// read adds the steps of a state.
func (c *construction) read(from int) {
	var steps []step
	rest := c.next(from, others)
	for _, l := range slices.Concat(c.letters, c.singles) {
		r, _ := utf8.DecodeRuneInString(string(l))
		to, isSingle := c.next(from, r), r >= utf8.RuneSelf && r != others
		same := slices.IndexFunc(steps, func(s step) bool { return s.to == to })
		switch {
		case isSingle && to == rest:
		case isSingle && rest >= 0:
			c.err = errUnicode // it would need a class of all characters except that one
		case to < 0:
		case same >= 0 && !isSingle:
			steps[same].chars = l.union(steps[same].chars)
		default:
			steps = append(steps, step{l, to})
		}
	}
	c.states[from].steps = steps
}
