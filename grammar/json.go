package grammar

import (
	"fmt"
	"regexp"
	"strings"
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
		var path []string
		for _, key := range argument.Path.Keys {
			path = append(path, key.Token.Value)
		}
		leaf, _ := arguments.put(path) // the checker has refused conflicts
		leaf.value = argument.Value
	}
	return arguments.json(nil)
}

// read implements tree.
func (c *Call) read(tokens []token, _ Limits) (name string, input []byte, issues []Issue) {
	return c.Name.Token.Value, c.JSON(), issuesOf(tokens)
}

// A group is an object given by paths, key by key. Later paths may add to it after
// others.
type group struct {
	keys    []string
	members map[string]*group
	leaf    bool  // it has a value that is not a group
	value   Value // nil if nothing is written
}

// put adds a path without its value. It returns the code of the fault if an earlier path
// has the same place.
//
// Rule: body.conflict
func (g *group) put(path []string) (leaf *group, fault Code) {
	for _, key := range path {
		if g.leaf {
			return nil, PathConflict
		}
		below := g.members[key]
		if below == nil {
			below = &group{}
			if g.members == nil {
				g.members = map[string]*group{}
			}
			g.keys, g.members[key] = append(g.keys, key), below
		}
		g = below
	}
	switch {
	case g.leaf:
		return nil, DuplicateKey
	case len(g.keys) > 0:
		return nil, PathConflict
	}
	g.leaf = true
	return g, ""
}

func (g *group) json(b []byte) []byte {
	switch {
	case g.value != nil:
		return g.value.json(b)
	case g.leaf:
		return append(b, `""`...)
	}
	b = append(b, '{')
	for _, key := range g.keys {
		b = append(Quote(comma(b), key), ':')
		b = g.members[key].json(b)
	}
	return append(b, '}')
}

func (s *String) json(b []byte) []byte { return Quote(b, s.Text()) }

func (v *Bare) json(b []byte) []byte {
	if literal.MatchString(v.Token.Value) {
		return append(b, v.Token.Value...)
	}
	return Quote(b, v.Token.Value)
}

func (a *Array) json(b []byte) []byte {
	b = append(b, '[')
	for _, item := range a.Items {
		b = item.json(comma(b))
	}
	return append(b, ']')
}

func (o *Object) json(b []byte) []byte {
	b = append(b, '{')
	for _, member := range o.Members {
		b = append(Quote(comma(b), member.Text()), ':')
		b = member.Value.json(b)
	}
	return append(b, '}')
}

// comma appends a comma after an element or member.
func comma(b []byte) []byte {
	if last := b[len(b)-1]; last == '[' || last == '{' {
		return b
	}
	return append(b, ',')
}

// Quote appends s to b as a JSON string with only the necessary escapes.
func Quote(b []byte, s string) []byte {
	return append(append(append(b, '"'), quoter.Replace(s)...), '"')
}

var quoter = func() *strings.Replacer {
	pairs := []string{
		`"`, `\"`, `\`, `\\`, "\b", `\b`, "\f", `\f`, "\n", `\n`, "\r", `\r`, "\t", `\t`,
	}
	for c := range ' ' {
		pairs = append(pairs, string(c), fmt.Sprintf(`\u%04x`, c)) // the first pair counts
	}
	return strings.NewReplacer(pairs...)
}()
