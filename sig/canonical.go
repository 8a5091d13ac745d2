package sig

import (
	"bytes"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
)

// Literals are equal if and only if their canonical texts are: numbers as AppendNumber
// writes them, strings with the fewest escapes, members sorted by key, no space.

// canonicalizer writes JSON text in its canonical form. It reads each byte once, and
// keeps its buffers.
type canonicalizer struct {
	scanner lexeme.Scanner
	out     []byte
	text    []byte // of a string with escapes
	open    []opened
	members []canonicalMember // of the open objects
}

// opened is an open array or object.
type opened struct {
	object  bool
	start   int // in out, after its bracket
	members int // index of its first member
}

// canonicalMember is out[start:end], whose key is out[start:key].
type canonicalMember struct{ start, key, end int }

var canonicalizers = sync.Pool{New: func() any { return new(canonicalizer) }}

// appendCanonical appends the canonical form of an array or object. ok is false if text
// is not JSON, or nests deeper than depth.
func appendCanonical(dst, text []byte, depth int) (canonical []byte, ok bool) {
	c := canonicalizers.Get().(*canonicalizer)
	defer canonicalizers.Put(c)
	ok = c.read(text, depth)
	return append(dst, c.out...), ok
}

// read sets c.out to the canonical form of text.
func (c *canonicalizer) read(text []byte, depth int) bool {
	c.scanner.Depth, c.scanner.Unpaired = depth, true
	c.scanner.Reset(text)
	defer func() { c.scanner.Text = nil }() // it must not keep the caller's memory
	c.out, c.open, c.members = c.out[:0], c.open[:0], c.members[:0]
	for t := c.scanner.Next(); t.Kind != 0; t = c.scanner.Next() {
		switch t.Kind {
		case '[', '{':
			c.out = append(c.out, t.Kind)
			c.open = append(c.open, opened{t.Kind == '{', len(c.out), len(c.members)})
			continue
		case ']', '}':
			c.close()
			c.out = append(c.out, t.Kind)
		case 'k':
			start := len(c.out)
			c.string(t)
			c.members = append(c.members, canonicalMember{start: start, key: len(c.out)})
			c.out = append(c.out, ':')
			continue
		case 's':
			c.string(t)
		case 'l':
			c.literal(text[t.Start:t.End])
		}
		c.endValue()
	}
	fault, _ := c.scanner.Fault()
	return fault == lexeme.NoFault
}

// endValue ends an element or member with a comma.
func (c *canonicalizer) endValue() {
	if len(c.open) == 0 {
		return
	}
	c.out = append(c.out, ',')
	if c.open[len(c.open)-1].object {
		c.members[len(c.members)-1].end = len(c.out)
	}
}

func (c *canonicalizer) string(t lexeme.JSONToken) {
	content := c.scanner.Content(t)
	if !t.Escaped {
		c.out = append(c.out, '"')
		c.out = append(c.out, content...)
		c.out = append(c.out, '"')
		return
	}
	c.text = lexeme.AppendJSONUnquoted(c.text[:0], content, utf8.RuneError)
	c.out = lexeme.AppendQuoted(c.out, string(c.text))
}

func (c *canonicalizer) literal(text []byte) {
	if LiteralKind(text) == Number {
		c.out = lexeme.AppendNumber(c.out, text)
	} else {
		c.out = append(c.out, text...)
	}
}

// close sorts the members of the innermost array or object by key. Of repeated keys the
// last one counts.
func (c *canonicalizer) close() {
	o := c.open[len(c.open)-1]
	c.open = c.open[:len(c.open)-1]
	members := c.members[o.members:]
	c.members = c.members[:o.members]
	byKey := func(a, b canonicalMember) int {
		return bytes.Compare(c.out[a.start:a.key], c.out[b.start:b.key])
	}
	if slices.IsSortedFunc(members, byKey) && !repeats(members, byKey) {
		return
	}
	slices.SortStableFunc(members, byKey)
	sorted := make([]byte, 0, len(c.out)-o.start)
	for i, m := range members {
		if i+1 == len(members) || byKey(m, members[i+1]) != 0 {
			sorted = append(sorted, c.out[m.start:m.end]...)
		}
	}
	c.out = append(c.out[:o.start], sorted...)
}

// repeats reports whether two adjacent members have the same key.
func repeats(members []canonicalMember, byKey func(a, b canonicalMember) int) bool {
	for i := 1; i < len(members); i++ {
		if byKey(members[i-1], members[i]) == 0 {
			return true
		}
	}
	return false
}
