package sig

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
)

// Literals are equal if and only if their canonical texts are: numbers as AppendNumber writes them,
// strings with the fewest escapes, members sorted by key, no space. Values of calls are compared
// with literals without a tree, which would take kilobytes for each of them.

// canonicalizer appends the canonical text of what it reads to out.
type canonicalizer struct {
	lexeme.Scanner
	out []byte
}

// appendCanonical appends the canonical text of a JSON value. ok is false if text is not JSON, or
// nests deeper than depth.
func appendCanonical(dst, text []byte, depth int) (form []byte, ok bool) {
	scanner := lexeme.Scanner{Text: text, Depth: depth, Unpaired: true}
	c := canonicalizer{Scanner: scanner, out: dst}
	c.value(c.Next())
	fault, _ := c.Fault()
	return c.out, fault == lexeme.NoFault
}

// value reads the value that begins with t.
func (c *canonicalizer) value(t lexeme.JSONToken) {
	text := c.Text[t.Start:t.End]
	switch {
	case t.Kind == '[':
		c.out = append(c.out, '[')
		for t = c.Next(); t.Kind != ']' && t.Kind != 0; t = c.Next() {
			c.value(t)
			c.out = append(c.out, ',')
		}
		c.out = append(c.out, ']')
	case t.Kind == '{':
		c.out = append(c.out, '{')
		c.members()
		c.out = append(c.out, '}')
	case t.Escaped:
		content := lexeme.AppendJSONUnquoted(nil, c.Content(t), utf8.RuneError)
		c.out = lexeme.AppendQuoted(c.out, content)
	case t.Kind == 'l' && lexeme.IsNumber(text):
		c.out = lexeme.AppendNumber(c.out, text)
	default:
		c.out = append(c.out, text...)
	}
}

// members reads the members of an object and sorts them by key. Of repeated keys the last
// one counts.
func (c *canonicalizer) members() {
	type member struct{ start, key, end int } // of out
	var all []member
	first := len(c.out)
	for t := c.Next(); t.Kind == 'k'; t = c.Next() {
		m := member{start: len(c.out)}
		c.value(t)
		m.key = len(c.out)
		c.out = append(c.out, ':')
		c.value(c.Next())
		c.out = append(c.out, ',')
		m.end = len(c.out)
		all = append(all, m)
	}
	if len(all) < 2 {
		return
	}
	byKey := func(a, b member) int {
		return bytes.Compare(c.out[a.start:a.key], c.out[b.start:b.key])
	}
	slices.SortStableFunc(all, byKey)
	var sorted []byte
	for i, m := range all {
		if i+1 == len(all) || byKey(m, all[i+1]) != 0 {
			sorted = append(sorted, c.out[m.start:m.end]...)
		}
	}
	c.out = append(c.out[:first], sorted...)
}
