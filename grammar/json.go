package grammar

import (
	"fmt"
	"regexp"
)

// literal matches the bare values that are not strings in JSON.
var literal = regexp.MustCompile(
	`^(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)$`)

// JSON returns the arguments as one JSON object, read without a schema: a bare value
// that is a JSON number, true, false or null is read as that, with its digits as
// written; any other bare value, and everything in quotes, is a string. Keys are in
// order of first appearance.
//
// Rule: typing.untyped, value.number
func (c *Call) JSON() []byte {
	if c.Object != nil {
		return c.Object.json(nil)
	}
	arguments := &group{}
	for _, argument := range c.Arguments {
		arguments.put(argument.Path.Keys, argument.value())
	}
	return arguments.json(nil)
}

// read implements tree.
func (c *Call) read(Limits) (name string, input []byte, issues []Issue) {
	return c.Name.Token.Value, c.JSON(), c.Issues()
}

// A group is an object given by paths, member by member. Later paths may add to it
// after others.
type group struct {
	keys    []string
	members map[string]*groupMember
}

// A groupMember is either a value or a group.
type groupMember struct {
	value Value
	group group
}

func (g *group) put(path []*Key, value Value) {
	for i, key := range path {
		m := g.member(key.Token.Value)
		if i == len(path)-1 {
			m.value = value
		}
		g = &m.group
	}
}

func (g *group) member(key string) *groupMember {
	if m, ok := g.members[key]; ok {
		return m
	}
	if g.members == nil {
		g.members = map[string]*groupMember{}
	}
	m := &groupMember{}
	g.keys = append(g.keys, key)
	g.members[key] = m
	return m
}

func (g *group) json(b []byte) []byte {
	b = append(b, '{')
	for i, key := range g.keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(Quote(b, key), ':')
		if m := g.members[key]; m.value != nil {
			b = m.value.json(b)
		} else {
			b = m.group.json(b)
		}
	}
	return append(b, '}')
}

func (s *String) json(b []byte) []byte {
	return Quote(b, s.Text())
}

func (v *Bare) json(b []byte) []byte {
	if text := v.Text(); literal.MatchString(text) {
		return append(b, text...)
	}
	return Quote(b, v.Text())
}

func (a *Array) json(b []byte) []byte {
	b = append(b, '[')
	for i, item := range a.Items {
		if i > 0 {
			b = append(b, ',')
		}
		b = item.json(b)
	}
	return append(b, ']')
}

func (o *Object) json(b []byte) []byte {
	b = append(b, '{')
	for i, member := range o.Members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(Quote(b, member.Text()), ':')
		b = member.Value.json(b)
	}
	return append(b, '}')
}

// Quote appends s to b as a JSON string with only the necessary escapes.
func Quote(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"', c == '\\':
			b = append(b, '\\', c)
		case c == '\b':
			b = append(b, `\b`...)
		case c == '\f':
			b = append(b, `\f`...)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c < ' ':
			b = fmt.Appendf(b, `\u%04x`, c)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
