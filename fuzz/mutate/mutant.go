package main

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"strings"
)

// mutant is one change: text in place of source[from:to].
type mutant struct {
	file     *source
	function string // "Lexer.readText", or the name of a constant or variable
	operator string
	from, to int
	text     string
	nth      int // number among the mutants of the function with the same text; 0 if it is the only one
}

// apply returns the mutated source.
func (m *mutant) apply() []byte {
	var b bytes.Buffer
	b.Write(m.file.text[:m.from])
	b.WriteString(m.text)
	b.Write(m.file.text[m.to:])
	return b.Bytes()
}

// line returns the number of the line where the mutant begins.
func (m *mutant) line() int { return 1 + bytes.Count(m.file.text[:m.from], []byte{'\n'}) }

// diff returns the lines that the mutant changes, before and after, without blanks around
// them. If there are several, it returns the first.
func (m *mutant) diff() (before, after string) {
	from := bytes.LastIndexByte(m.file.text[:m.from], '\n') + 1
	to := len(m.file.text)
	if n := bytes.IndexByte(m.file.text[m.to:], '\n'); n >= 0 {
		to = m.to + n
	}
	before = string(m.file.text[from:to])
	after = string(m.file.text[from:m.from]) + m.text + string(m.file.text[m.to:to])
	return first(before), first(after)
}

// first returns the first line of text, with a mark if there are more.
func first(text string) string {
	line, more, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.TrimSpace(line)
	if strings.TrimSpace(more) != "" {
		line += " …"
	}
	return line
}

// key identifies the mutant by its change, independent of its line.
func (m *mutant) key() string {
	before, after := m.diff()
	return keyOf(m.file.pkg, m.function+m.number(), before, after)
}

// alike is key without the number.
func (m *mutant) alike() string {
	before, after := m.diff()
	return keyOf(m.file.pkg, m.function, before, after)
}

// number returns " #2" for the second of the mutants with the same text, and "" for the
// only one.
func (m *mutant) number() string {
	if m.nth == 0 {
		return ""
	}
	return fmt.Sprintf(" #%d", m.nth)
}

// number numbers the mutants of a package with the same text, in source order.
func number(all []*mutant) {
	same := map[string][]*mutant{}
	for _, m := range all {
		same[m.alike()] = append(same[m.alike()], m)
	}
	for _, ms := range same {
		for i, m := range ms {
			if len(ms) > 1 {
				m.nth = i + 1
			}
		}
	}
}

func keyOf(pkg, function, before, after string) string {
	return pkg + " " + function + "\n- " + before + "\n+ " + after
}

// String describes the mutant in one line: -only matches it.
func (m *mutant) String() string {
	before, after := m.diff()
	return fmt.Sprintf("%s:%d: %s %s: %s => %s%s", m.file.name, m.line(), m.function, m.operator, before, after, m.number())
}

// rank orders mutants for a sample. It ignores numbers, so that one more mutant of a kind
// does not affect the rank of the others.
func (m *mutant) rank(seed uint64) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %s", seed, m.alike(), m.operator)
	x := h.Sum64() // neighbors differ in few bits: mix them
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	return x ^ x>>33
}
