package constrain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/limits"
	"github.com/callwire/callwire/sig"
)

// call returns what follows the opener of a call: its name, and the rest with its rule. ok is
// false if no call can have its name or all of its required arguments.
func (m *mapper) call(p sig.Plan) (head string, rest *node, ok bool) {
	head, ok = m.head(p)
	if !ok {
		m.note(leftOut, "name", "no call can have this name")
		return "", nil, false
	}
	args := p.Tool.Args
	if args != nil && requiredIn(args) > maxLeaves {
		m.note(leftOut, "required", "a call has no more than "+strconv.Itoa(maxLeaves)+" arguments")
		return "", nil, false
	}
	switch m.o.Format.Body {
	case format.Arguments:
		rest = m.wireArguments(p)
	case format.Parameters:
		rest = m.parameters(args)
	default:
		rest = m.seq(m.index(), m.object(args), m.literal(m.tail()))
	}
	return head, m.define("call-"+p.Tool.Name, rest), true
}

// head returns what follows the opener of a call up to the arguments, without the index of
// an ID. ok is false if no call can have the name.
func (m *mapper) head(p sig.Plan) (head string, ok bool) {
	f, name := m.o.Format, p.Tool.Name
	key := func(name string) string { return m.quoteText(name, asJSON) + ": " }
	switch {
	case f.Body == format.Arguments:
		whole := name + m.o.Tags.Close
		ok = strings.Index(whole, m.o.Tags.Close) == len(name)
		return name, ok && !strings.Contains(whole, m.o.Tags.Open) && p.Tool.Callable()
	case len(f.NameKeys) > 0:
		head = key(f.NameKeys[0]) + m.quoteText(name, asJSON) + ", " + key(f.ArgumentKeys[0])
		return f.Layout.Lead + "{" + head, true
	case f.NameIsID:
		head = "functions." + name + ":"
	default:
		head = name + f.Function.End + f.Layout.Line
	}
	return f.Layout.Lead + f.Function.Open + head, betweenMarks(name, f.Function)
}

// index returns the index in an ID, and what follows it.
func (m *mapper) index() *node {
	if !m.o.Format.NameIsID {
		return empty
	}
	return m.seq(m.digits(1, 4), m.literal(m.o.Format.Function.End+m.o.Format.Layout.Line))
}

// tail returns what follows the arguments of an envelope, up to the closer.
func (m *mapper) tail() string {
	f := m.o.Format
	if len(f.NameKeys) > 0 {
		return "}" + f.Layout.Line
	}
	return f.Function.Close + f.Layout.Line
}

// wireArguments returns the arguments of a call in the wire format, as key=value, as a JSON
// object, or both where the writer may write either.
func (m *mapper) wireArguments(p sig.Plan) *node {
	args := p.Tool.Args
	// Objects that several places share are written out at each, so the room
	// bounds the arguments to a few times the size of the schema.
	room := min(maxLeaves, 64+4*properties(args, make(map[*sig.Type]bool)))
	m.leaves = room
	wire := never
	if !p.JSON {
		wire = m.arguments(args)
		if room-m.leaves > maxLeaves {
			wire = never // more than a call can have
		}
	}
	if wire != never && !m.inJSON {
		return wire
	}
	object := m.seq(m.literal(" "), m.object(args))
	if args == nil || requiredIn(args) == 0 {
		object = m.opt(object)
	}
	return m.alt(wire, object)
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

// arguments returns the arguments as key=value, each after a space.
func (m *mapper) arguments(t *sig.Type) *node {
	if isMap(t) {
		m.inJSON = true
		return m.repeat(m.free(t, " "), 0, m.o.FreeKeys)
	}
	list, optional := m.members(t, "")
	for _, e := range optional {
		list = append(list, m.opt(e))
	}
	return m.seq(list...)
}

// members returns the arguments for the properties of t below the path prefix.
func (m *mapper) members(t *sig.Type, prefix string) (required, optional []*node) {
	return m.fields(t, func() bool { return m.leaves > 0 }, func(f *sig.Field) *node {
		if strings.ContainsFunc(f.Name, m.tagFirst.has) {
			m.inJSON = true // a path cannot contain the name with these tags
			return never
		}
		return m.argument(f.Type, prefix+f.Name)
	})
}

// argument returns what a call has for the property of type t at a path: one
// argument, or for an object one for each of its properties.
func (m *mapper) argument(t *sig.Type, path string) *node {
	if m.nesting > maxNesting {
		return never
	}
	m.leaves--
	assign := func(value *node) *node { return m.seq(m.literal(" "+path+"="), value) }
	plain := assign(m.within(t, func() *node { return m.value(t, inWire) }))
	if t != nil && t.Free&sig.Object == 0 {
		return plain
	}
	switch {
	case isMap(t):
		m.inJSON = true
		object := assign(m.object(t))
		return m.alt(plain, object, m.repeat(m.free(t, " "+path+"."), 1, m.o.FreeKeys))
	case slices.Contains(m.entered, t) || m.leaves < len(t.Fields):
		// Paths into a recursive object have no end, and a rule cannot repeat
		// their prefix; JSON nests by reference.
		m.note(narrowed, "$ref", "the object is written as JSON, not as paths")
		return m.alt(plain, assign(m.object(t)))
	}
	m.entered = append(m.entered, t)
	required, optional := m.members(t, path+".")
	m.entered = m.entered[:len(m.entered)-1]
	if len(required) > 0 {
		return m.alt(plain, m.inOrder(required, optional, empty))
	}
	m.inJSON = true // the writer writes an empty object as JSON
	return m.alt(plain, m.some(optional, empty), m.literal(" "+path+"={}"))
}

// free returns one argument of the map t, after prefix.
func (m *mapper) free(t *sig.Type, prefix string) *node {
	return m.seq(m.literal(prefix), m.freePath(t))
}

// freePath returns a path into the map t, and its value. A map in it goes on with the
// path; other objects are JSON, since no grammar can repeat a free name.
func (m *mapper) freePath(t *sig.Type) *node {
	if m.nesting > maxNesting {
		return never
	}
	m.noteFree(t)
	return m.rule(ruleOf{"path", t, inWire}, func() *node {
		extra := extraOf(t)
		var rest *node
		m.at("*", func() {
			rest = m.within(extra, func() *node {
				value, equals := m.value(extra, inWire), m.literal("=")
				if freeOf(extra)&sig.Object == 0 {
					return m.seq(equals, value)
				}
				value = m.seq(equals, m.alt(value, m.object(extra)))
				if isMap(extra) {
					return m.alt(value, m.seq(m.literal("."), m.freePath(extra)))
				}
				m.note(narrowed, "additionalProperties",
					"objects below free names are written as JSON, not as paths")
				return value
			})
		})
		key := m.repeat(m.class(anything.without(noKey).without(m.tagFirst)), 1, limits.Unbounded)
		return m.seq(key, rest)
	})
}
