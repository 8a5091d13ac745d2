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
	*reader
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

// halt reports a fault that ends the reading.
func (c *content) halt(code Code, at int) { c.stop = first(c.stop, &fault{code, at}) }

// name checks the name of the tool, which was written at an offset.
func (c *content) name(name, written string, at, until int) string {
	if len(written) > c.Limits.Name {
		c.halt(NameTooLong, at+c.Limits.Name)
	}
	if c.Known != nil && !c.Known(name) {
		c.fail(UnknownTool, at, until)
	}
	return name
}

// argument counts an argument.
func (c *content) argument(at, until int) {
	if c.arguments++; c.arguments > c.Limits.Arguments {
		c.fail(TooManyArguments, at, until)
	}
}

// literal matches the bare values that are not strings in JSON.
var literal = anchored(`(?:` + patScalar + `)$`)

// value returns a value as JSON, read without a schema: a bare value that is a JSON number,
// true, false or null is read as that, with its digits as written; any other bare value, and
// everything in quotes, is a string.
//
// Rule: typing.untyped, value.number
func (c *content) value(v *Value) string {
	switch {
	case v == nil: // nothing is written
		return `""`
	case v.String != nil:
		return quote(c.text(v.String))
	case v.Object != nil:
		return c.object(v.Object, false)
	case v.Array != nil:
		var elements []string
		for _, item := range v.Array.Items {
			elements = append(elements, c.value(item))
		}
		return array(elements)
	case v.Bare == nil: // a fault is in its place
		return ""
	}
	bare := v.Bare.Token
	if literal.MatchString(bare.Value) {
		return bare.Value
	}
	if opensQuote(bare.Value) {
		c.issues = append(c.issues, Issue{OpenQuote, startOf(bare)})
	}
	return quote(bare.Value)
}

// text returns the text of a string.
func (c *content) text(s *String) string {
	if c.wire && ambiguous(s.Token.Value) {
		c.issues = append(c.issues, Issue{AmbiguousEscape, startOf(s.Token)})
	}
	return s.Text()
}

// object returns an object as JSON. It may be the arguments. In the wire format the colon
// shows that a key is complete, in JSON its quote does.
//
// Rule: body.duplicate
func (c *content) object(o *Object, arguments bool) string {
	all := &group{}
	for _, m := range o.Members {
		key, text := Token{}, ""
		if m.String != nil {
			key, text = m.String.Token, c.text(m.String)
		} else {
			key, text = m.Key.Token, m.Key.Token.Value
		}
		until := endOf(key)
		if c.wire {
			if m.Colon.Value == "" {
				break
			}
			until = endOf(m.Colon)
		}
		if arguments {
			c.argument(startOf(key), until)
		}
		c.put(all, startOf(key), until, text).json = c.value(m.Value)
	}
	return all.String()
}

// read implements tree. Keys are in order of first appearance.
func (c *Call) read(in *content) (name, input string) {
	if c.Name == nil {
		return "", ""
	}
	t := c.Name.Token
	name = in.name(t.Value, t.Value, startOf(t), endOf(t)+1)
	if c.Object != nil {
		return name, in.object(c.Object, true)
	}
	all := &group{}
	for _, a := range c.Arguments {
		if a.Equals.Value == "" {
			break
		}
		var path []string
		for _, k := range a.Path.Keys {
			path = append(path, k.Token.Value)
		}
		at, until := startOf(a.Path.Keys[0].Token), endOf(a.Equals)
		in.argument(at, until)
		in.put(all, at, until, path...).json = in.value(a.Value)
	}
	return name, all.String()
}

// A group is an object that is given key by key, or by paths. Later paths may add to it
// after others.
type group struct {
	keys    []string
	members map[string]*group
	json    string // of a value that is not a group
}

// put returns the place of a path in a group. If an earlier path has it, that is a fault.
// Without a schema, which may declare a property with dots in its name, every dot nests.
//
// Rule: body.conflict
func (c *content) put(g *group, at, until int, path ...string) *group {
	for _, key := range path {
		if g.json != "" {
			c.fail(PathConflict, at, until)
			return &group{}
		}
		if g.members[key] == nil {
			if g.members == nil {
				g.members = map[string]*group{}
			}
			g.keys, g.members[key] = append(g.keys, key), &group{}
		}
		g = g.members[key]
	}
	switch {
	case g.json != "":
		c.fail(DuplicateKey, at, until)
		return &group{}
	case len(g.keys) > 0:
		c.fail(PathConflict, at, until)
		return &group{}
	}
	return g
}

// String returns the group as JSON.
func (g *group) String() string {
	if g.json != "" {
		return g.json
	}
	var members []string
	for _, key := range g.keys {
		members = append(members, quote(key)+":"+g.members[key].String())
	}
	return "{" + strings.Join(members, ",") + "}"
}

func array(elements []string) string { return "[" + strings.Join(elements, ",") + "]" }

// quote returns s as a JSON string with only the necessary escapes.
func quote(s string) string { return `"` + quoter.Replace(s) + `"` }

var quoter = func() *strings.Replacer {
	pairs := []string{
		`"`, `\"`, `\`, `\\`, "\b", `\b`, "\f", `\f`, "\n", `\n`, "\r", `\r`, "\t", `\t`,
	}
	for c := range ' ' {
		pairs = append(pairs, string(c), fmt.Sprintf(`\u%04x`, c)) // the first pair counts
	}
	return strings.NewReplacer(pairs...)
}()
