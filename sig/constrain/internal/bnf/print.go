package bnf

import (
	"errors"
	"strings"
)

// All syntaxes are written by one printer. A syntax is how literals, classes, repetitions
// and groups look; references to rules are names, or are written out in regular expressions.

// piece is a part of the output. The zero piece is nothing at all, not even the empty text.
type piece struct {
	text  string
	level level
}

// level is how tight the parts of a piece hold together.
type level uint8

const (
	nothing      level = iota
	optional           // text or the empty text; without text, the empty text
	alternatives       // an operator between alternatives
	sequence           // may have several parts
	atom               // can be repeated
)

// printer writes expressions in a syntax.
type printer struct {
	*notation
	ref     func(*Rule) piece // a reference to a rule
	inline  bool              // machines are written out, not by rules
	limit   int               // on the length of a piece; 0 means none
	tooLong bool              // the limit was exceeded
}

// held returns the text of p, in a group unless it holds together as tight as level.
func (p *printer) held(x piece, at level) string {
	switch {
	case x.level == optional && x.text == "":
		return p.empty
	case x.level == optional:
		x = piece{x.text + "?", sequence}
	}
	if x.level < at {
		return p.open + x.text + ")"
	}
	return x.text
}

// limited returns x, or reports that it is too long.
func (p *printer) limited(x piece) piece {
	if p.limit > 0 && len(x.text) > p.limit {
		p.tooLong = true
		return piece{level: x.level}
	}
	return x
}

func (p *printer) node(e *Node) piece {
	switch e.op {
	case opLiteral:
		if len(e.text) == len(string(firstRune(e.text))) {
			return piece{p.literal(e.text), atom}
		}
		return piece{p.literal(e.text), sequence}
	case opClass:
		return piece{p.class(e.set), atom}
	case opSeq:
		return p.sequence(p.nodes(e.list)...)
	case opAlt:
		return p.alternatives(p.nodes(e.list)...)
	case opRepeat:
		inner := p.held(p.node(e.list[0]), atom)
		return p.limited(piece{p.times(inner, e.min, e.max), sequence})
	case opMachine:
		if p.inline {
			return p.from(e.machine, 0, e.machine.cycles(), make(map[int]piece))
		}
		return p.node(e.list[0])
	}
	return p.ref(e.rule)
}

func (p *printer) nodes(list []*Node) []piece {
	pieces := make([]piece, len(list))
	for i, e := range list {
		pieces[i] = p.node(e)
	}
	return pieces
}

// sequence joins pieces. None of them is nothing.
func (p *printer) sequence(list ...piece) piece {
	var texts []string
	var last piece
	for _, x := range list {
		if x.level != optional || x.text != "" {
			texts, last = append(texts, p.held(x, sequence)), x
		}
	}
	switch len(texts) {
	case 0:
		return piece{level: optional}
	case 1:
		return last
	}
	return p.limited(piece{strings.Join(texts, p.between), sequence})
}

// alternatives returns one of the pieces, each written once.
func (p *printer) alternatives(list ...piece) piece {
	var texts []string
	var only piece
	seen := make(map[string]bool, len(list))
	isOptional := false
	for _, x := range list {
		if x.level == optional {
			isOptional = true
			x.level = atom // as it is held in an optional piece
		}
		if x.level == nothing || x.text == "" || seen[x.text] {
			continue
		}
		seen[x.text] = true
		texts, only = append(texts, x.text), x
	}
	if len(texts) > 1 {
		only = p.limited(piece{strings.Join(texts, p.or), alternatives})
	}
	if isOptional && only.level != nothing {
		only.text = p.held(only, atom)
	}
	if isOptional {
		only.level = optional
	}
	return only
}

// star returns x any number of times.
func (p *printer) star(x piece) piece {
	if x.text == "" {
		return piece{level: optional}
	}
	if x.level == optional {
		return piece{x.text + "*", sequence}
	}
	return piece{p.held(x, atom) + "*", sequence}
}

// from returns what a machine derives from a state on, by elimination: a state is replaced by
// what can follow it. Only states that lead back to each other are eliminated together: so a
// common beginning is written once, and the first alternative that matches is the longest.
func (p *printer) from(m *Machine, i int, cycles [][]int, known map[int]piece) piece {
	x, ok := known[i]
	if ok || p.tooLong {
		return x
	}
	states := []int{i}
	for _, j := range cycles[i] {
		if j != i {
			states = append(states, j)
		}
	}
	x = p.eliminate(m, states, func(to int) piece { return p.from(m, to, cycles, known) })
	known[i] = x
	return x
}

// cycles returns, for each state, the states that it leads to and that lead back to it.
func (m *Machine) cycles() [][]int {
	reach := make([][]bool, len(m.States))
	for i := range m.States {
		reach[i] = make([]bool, len(m.States))
		for todo := []int{i}; len(todo) > 0; {
			j := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, e := range m.States[j] {
				if e.To != End && !reach[i][e.To] {
					reach[i][e.To] = true
					todo = append(todo, e.To)
				}
			}
		}
	}
	cycles := make([][]int, len(m.States))
	for i := range cycles {
		for j := range reach {
			if reach[i][j] && reach[j][i] {
				cycles[i] = append(cycles[i], j)
			}
		}
	}
	return cycles
}

// eliminate returns what a machine derives from the first of the states on; rest returns
// what it derives from others.
func (p *printer) eliminate(m *Machine, states []int, rest func(int) piece) piece {
	index := map[int]int{End: End}
	for n, i := range states {
		index[i] = n
	}
	then := make([]map[int]piece, len(states)) // by where in states the text leads
	for n, i := range states {
		then[n] = make(map[int]piece)
		for _, e := range m.States[i] {
			x := p.node(e.Label)
			to, inside := index[e.To]
			if !inside {
				to, x = End, p.sequence(x, rest(e.To))
			}
			then[n][to] = p.alternatives(then[n][to], x)
		}
	}
	for i := len(states) - 1; i > 0 && !p.tooLong; i-- {
		loop := p.star(then[i][i])
		for j := range i {
			before, leads := then[j][i]
			if !leads {
				continue
			}
			for to, x := range then[i] {
				if to != i {
					through := p.sequence(before, loop, x)
					then[j][to] = p.limited(p.alternatives(then[j][to], through))
				}
			}
		}
	}
	return p.limited(p.sequence(p.star(then[0][0]), then[0][End]))
}

// ErrNotFlat is the error for a grammar without a regular expression.
var ErrNotFlat = errors.New(
	"the catalog is not flat: its grammar has no regular expression of moderate size")

// regexer writes rules as regular expressions.
type regexer struct {
	printer
	known map[*Rule]piece
	open  map[*Rule]bool // being written; reached again, they have no regular expression
	flat  bool
}

func newRegexer(limit int) *regexer {
	r := &regexer{known: make(map[*Rule]piece), open: make(map[*Rule]bool), flat: true}
	r.printer = printer{notation: &regexSyntax, ref: r.rule, inline: true, limit: limit}
	return r
}

func (r *regexer) rule(x *Rule) piece {
	if known, ok := r.known[x]; ok {
		return known
	}
	if r.open[x] || r.tooLong {
		r.flat = false
		return piece{level: optional}
	}
	r.open[x] = true
	text := r.node(x.Body)
	delete(r.open, x)
	r.known[x] = text
	return text
}

// regex returns the regular expression of an expression, if there is one.
func (r *regexer) regex(e *Node) (string, error) {
	x := r.node(e)
	if !r.flat || r.tooLong {
		return "", ErrNotFlat
	}
	return r.held(x, alternatives), nil
}
