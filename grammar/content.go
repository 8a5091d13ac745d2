package grammar

import (
	"fmt"
	"strings"
)

// A content is what is in the tree of a call, apart from its syntax. Reading a tree writes
// the arguments as JSON and checks what a grammar cannot express well: the name, and the
// number and the places of the arguments. The tree may lack what follows a fault. So every
// rule applies once the token after a name, a path or a key shows that it is complete.
type content struct {
	g         *Grammar
	limits    Limits
	known     func(name string) bool
	arguments int     // so far
	issues    []Issue // of the wire format, in order of offset

	fault *fault // the first, which does not end the reading
	until int    // that fault counts if reading gets this far
	stop  *fault // one that does
}

// fail reports a fault that counts if reading gets to the offset until.
func (c *content) fail(code Code, at, until int) {
	if c.fault == nil {
		c.fault, c.until = &fault{code, at}, until
	}
}

// name checks the name of the tool, which was written at an offset.
func (c *content) name(name string, at, until int) string {
	if c.known != nil && !c.known(name) {
		c.fail(UnknownTool, at, until)
	}
	return name
}

// argument counts an argument.
func (c *content) argument(at, until int) {
	if c.arguments++; c.arguments > c.limits.Arguments {
		c.fail(TooManyArguments, at, until)
	}
}

// literal matches the bare values that are not strings in JSON.
var literal = anchored(`(?:` + patScalar + `)$`)

// value appends a value as JSON, read without a schema: a bare value that is a JSON number,
// true, false or null is read as that, with its digits as written; any other bare value, and
// everything in quotes, is a string.
//
// Rule: typing.untyped, value.number
func (c *content) value(b []byte, v *Value) []byte {
	switch {
	case v == nil: // nothing is written
		return append(b, `""`...)
	case v.String != nil:
		return quote(b, c.text(v.String))
	case v.Object != nil:
		return c.object(b, v.Object, false)
	case v.Array != nil:
		b = append(b, '[')
		for _, item := range v.Array.Items {
			b = c.value(comma(b), item)
		}
		return append(b, ']')
	case v.Bare != nil && literal.MatchString(v.Bare.Token.Value):
		return append(b, v.Bare.Token.Value...)
	case v.Bare != nil:
		bare := v.Bare.Token
		if opensQuote(bare.Value) {
			c.issues = append(c.issues, Issue{OpenQuote, startOf(bare)})
		}
		return quote(b, bare.Value)
	}
	return b
}

// text returns the text of a string.
func (c *content) text(s *String) string {
	if c.g.wire && ambiguous(s.Token.Value) {
		c.issues = append(c.issues, Issue{AmbiguousEscape, startOf(s.Token)})
	}
	return s.Text()
}

// object appends an object. It may be the arguments. In the wire format the colon shows that
// a key is complete, in JSON its quote does.
//
// Rule: body.duplicate
func (c *content) object(b []byte, o *Object, arguments bool) []byte {
	keys := map[string]bool{}
	b = append(b, '{')
	for _, m := range o.Members {
		key, text := Token{}, ""
		if m.String != nil {
			key, text = m.String.Token, c.text(m.String)
		} else {
			key, text = m.Key.Token, m.Key.Token.Value
		}
		until := endOf(key)
		if c.g.wire {
			if m.Colon.Value == "" {
				break
			}
			until = endOf(m.Colon)
		}
		if arguments {
			c.argument(startOf(key), until)
		}
		if keys[text] {
			c.fail(DuplicateKey, startOf(key), until)
		}
		keys[text] = true
		b = append(quote(comma(b), text), ':')
		b = c.value(b, m.Value)
	}
	return append(b, '}')
}

// read implements tree. Keys are in order of first appearance.
func (c *Call) read(in *content) (name string, input []byte) {
	if c.Name == nil {
		return "", nil
	}
	t := c.Name.Token
	name = in.name(t.Value, startOf(t), endOf(t)+1)
	if c.Object != nil {
		return name, in.object(nil, c.Object, true)
	}
	all := &group{}
	for _, a := range c.Arguments {
		if a.Equals.Value == "" {
			break
		}
		at, until := startOf(a.Path.Keys[0].Token), endOf(a.Equals)
		in.argument(at, until)
		leaf, fault := all.put(a.Path)
		if fault != "" {
			in.fail(fault, at, until)
			leaf = &group{}
		}
		leaf.value = in.value(nil, a.Value)
	}
	return name, all.json(nil)
}

// A group is an object given by paths, key by key. Later paths may add to it after
// others.
type group struct {
	keys    []string
	members map[string]*group
	leaf    bool   // it has a value that is not a group
	value   []byte // of a leaf
}

// put adds a path without its value. It returns the code of the fault if an earlier path
// has the same place. Without a schema, which may declare a property with dots in its name,
// every dot nests.
//
// Rule: body.conflict
func (g *group) put(path *Path) (leaf *group, fault Code) {
	for _, k := range path.Keys {
		key := k.Token.Value
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
	if g.leaf {
		return append(b, g.value...)
	}
	b = append(b, '{')
	for _, key := range g.keys {
		b = append(quote(comma(b), key), ':')
		b = g.members[key].json(b)
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

// quote appends s to b as a JSON string with only the necessary escapes.
func quote(b []byte, s string) []byte {
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
