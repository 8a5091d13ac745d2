package sig

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
)

// Literals are equal if and only if their canonical texts are: numbers as AppendNumber
// writes them, strings with the fewest escapes, members sorted by key, no space.

// canonicalizer appends the canonical form of arrays and objects to out.
type canonicalizer struct {
	scanner lexeme.Scanner
	out     []byte
	depth   int // of the deepest array or object
}

// canonical appends the canonical form of an array or object. ok is false if text is not
// JSON, or nests deeper than depth.
func canonical(dst, text []byte, depth int) (form []byte, nesting int, ok bool) {
	c := canonicalizer{out: dst}
	c.scanner = lexeme.Scanner{Text: text, Depth: depth, Unpaired: true}
	c.value(c.scanner.Next())
	fault, _ := c.scanner.Fault()
	return c.out, c.depth, fault == lexeme.NoFault
}

// value reads the value that begins with t.
func (c *canonicalizer) value(t lexeme.JSONToken) {
	text := c.scanner.Text[t.Start:t.End]
	switch t.Kind {
	case '[':
		c.open(t)
		for t = c.scanner.Next(); t.Kind != ']' && t.Kind != 0; t = c.scanner.Next() {
			c.value(t)
			c.out = append(c.out, ',')
		}
		c.out = append(c.out, ']')
	case '{':
		c.open(t)
		c.members()
		c.out = append(c.out, '}')
	case 's':
		if t.Escaped {
			content := lexeme.AppendJSONUnquoted(nil, c.scanner.Content(t), utf8.RuneError)
			c.out = lexeme.AppendQuoted(c.out, content)
		} else {
			c.out = append(c.out, text...)
		}
	case 'l':
		if LiteralKind(text) == Number {
			c.out = lexeme.AppendNumber(c.out, text)
		} else {
			c.out = append(c.out, text...)
		}
	}
}

func (c *canonicalizer) open(t lexeme.JSONToken) {
	c.out = append(c.out, t.Kind)
	c.depth = max(c.depth, c.scanner.Nesting())
}

// members reads the members of an object and sorts them by key. Of repeated keys the last
// one counts.
func (c *canonicalizer) members() {
	type member struct{ start, key, end int } // of out
	var all []member
	first := len(c.out)
	byKey := func(a, b member) int {
		return bytes.Compare(c.out[a.start:a.key], c.out[b.start:b.key])
	}
	sorted := true
	for t := c.scanner.Next(); t.Kind == 'k'; t = c.scanner.Next() {
		m := member{start: len(c.out)}
		t.Kind = 's'
		c.value(t)
		m.key = len(c.out)
		c.out = append(c.out, ':')
		c.value(c.scanner.Next())
		c.out = append(c.out, ',')
		m.end = len(c.out)
		sorted = sorted && (len(all) == 0 || byKey(all[len(all)-1], m) < 0)
		all = append(all, m)
	}
	if sorted {
		return
	}
	slices.SortStableFunc(all, byKey)
	var again []byte
	for i, m := range all {
		if i+1 == len(all) || byKey(m, all[i+1]) != 0 {
			again = append(again, c.out[m.start:m.end]...)
		}
	}
	c.out = append(c.out[:first], again...)
}
