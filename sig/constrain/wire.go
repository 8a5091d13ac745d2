package constrain

import (
	"slices"
	"strings"

	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/sig/constrain/internal/bnf"
)

// wireArguments returns the arguments of a call in the wire format, as key=value, as a JSON
// object, or both where the writer may write either.
func (m *mapper) wireArguments(p sig.Plan) *bnf.Node {
	args := p.Tool.Args
	// Objects that several places share are written out at each, so the room
	// bounds the arguments to a few times the size of the schema.
	room := min(maxLeaves, 64+4*properties(args, make(map[*sig.Type]bool)))
	m.leaves = room
	wire := bnf.Never
	if p.Syntax == sig.Wire {
		wire = m.arguments(args)
		if room-m.leaves > maxLeaves {
			wire = bnf.Never // more than a call can have
		}
	}
	if wire == bnf.Never || m.inJSON {
		wire = m.b.Alt(wire, m.body(args))
	}
	return wire
}

// properties returns the number of properties of all objects that paths can reach,
// each object once.
func properties(t *sig.Type, seen map[*sig.Type]bool) int {
	if t == nil || seen[t] || len(seen) > maxLeaves {
		return 0
	}
	seen[t] = true
	n := len(t.Fields)
	for i := range t.Fields {
		n += properties(t.Fields[i].Type, seen)
	}
	return n
}

// body returns the arguments as a JSON object, optional if no argument is required.
func (m *mapper) body(t *sig.Type) *bnf.Node {
	object := m.b.Seq(m.b.Literal(" "), m.object(t))
	if t == nil || requiredIn(t) == 0 {
		return m.b.Opt(object)
	}
	return object
}

// arguments returns the arguments as key=value, each after a space.
func (m *mapper) arguments(t *sig.Type) *bnf.Node {
	if isMap(t) {
		m.inJSON = true
		return m.b.Repeat(m.free(t, " "), 0, m.o.FreeKeys)
	}
	list, optional := m.members(t, "")
	for _, e := range optional {
		list = append(list, m.b.Opt(e))
	}
	return m.b.Seq(list...)
}

// members returns the arguments for the properties of t below the path prefix.
func (m *mapper) members(t *sig.Type, prefix string) (required, optional []*bnf.Node) {
	return m.fields(t, func() bool { return m.leaves > 0 }, func(f *sig.Field) *bnf.Node {
		if strings.ContainsFunc(f.Name, m.tagFirst.Contains) {
			m.inJSON = true // a path cannot contain the name with these tags
			return bnf.Never
		}
		return m.argument(f.Type, prefix+f.Name)
	})
}

// argument returns what a call has for the property of type t at a path: one
// argument, or for an object one for each of its properties.
func (m *mapper) argument(t *sig.Type, path string) *bnf.Node {
	b := m.b
	if m.nesting > maxNesting {
		return bnf.Never
	}
	m.leaves--
	assign := func(value *bnf.Node) *bnf.Node { return b.Seq(b.Literal(" "+path+"="), value) }
	plain := assign(m.within(t, func() *bnf.Node { return m.value(t, false) }))
	if t != nil && t.Free&sig.Object == 0 {
		return plain
	}
	switch {
	case isMap(t):
		m.inJSON = true
		object := assign(m.object(t))
		return b.Alt(plain, object, b.Repeat(m.free(t, " "+path+"."), 1, m.o.FreeKeys))
	case slices.Contains(m.entered, t) || m.leaves < len(t.Fields):
		// Paths into a recursive object have no end, and a rule cannot repeat
		// their prefix; JSON nests by reference.
		m.note(Narrowed, "$ref", "the object is written as JSON, not as paths")
		return b.Alt(plain, assign(m.object(t)))
	}
	m.entered = append(m.entered, t)
	required, optional := m.members(t, path+".")
	m.entered = m.entered[:len(m.entered)-1]
	if len(required) > 0 {
		return b.Alt(plain, m.inOrder(required, optional, bnf.Empty))
	}
	m.inJSON = true // the writer writes an empty object as JSON
	return b.Alt(plain, m.some(optional, bnf.Empty), b.Literal(" "+path+"={}"))
}

// free returns one argument of the map t, after prefix.
func (m *mapper) free(t *sig.Type, prefix string) *bnf.Node {
	return m.b.Seq(m.b.Literal(prefix), m.freePath(t))
}

// freePath returns a path into the map t, and its value. A map in it goes on with the
// path; other objects are JSON, since no grammar can repeat a free name.
func (m *mapper) freePath(t *sig.Type) *bnf.Node {
	if m.nesting > maxNesting {
		return bnf.Never
	}
	m.noteFree()
	return m.rule(ruleOf{"path", t, false}, false, func() *bnf.Node {
		b, extra := m.b, extraOf(t)
		var rest *bnf.Node
		m.at("*", func() {
			rest = m.within(extra, func() *bnf.Node {
				value, onward := m.value(extra, false), bnf.Never
				switch {
				case extra != nil && extra.Free&sig.Object == 0:
					return b.Seq(b.Literal("="), value)
				case isMap(extra):
					onward = b.Seq(b.Literal("."), m.freePath(extra))
				default:
					m.note(Narrowed, "additionalProperties",
						"objects below free names are written as JSON, not as paths")
				}
				return b.Alt(b.Seq(b.Literal("="), b.Alt(value, m.object(extra))), onward)
			})
		})
		key := b.Repeat(b.Class(bnf.Anything.Without(noKey).Without(m.tagFirst)), 1, -1)
		return b.Seq(key, rest)
	})
}
