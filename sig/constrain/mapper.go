package constrain

import (
	"slices"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/sig"
)

// mapper maps the tools of a catalog to rules of a grammar.
type mapper struct {
	*builder
	o        Options // complete
	tags     lexeme.Tags
	tagFirst charset // the first bytes of the tags

	marks     string // a pattern of what could be a mark in a tagged value; "" if there is none
	markFirst charset

	done     map[any]*node // what was mapped before, see once
	patterns map[string]compiled
	states   int // how many more states the patterns may have in total

	notes []Note
	first int // of the notes on the tool

	// The place in the tool.
	tool    string
	path    []string
	entered []*sig.Type // the objects on the path
	leaves  int         // how many more arguments the tool may have
	inJSON  bool        // the writer may write the tool's arguments as JSON
}

// The bounds of a tool. They are within the default limits of a reader.
const (
	maxLeaves        = 1024 // arguments
	maxNesting       = 60   // objects and arrays
	maxMember        = 1 << 16
	maxNotes         = 100
	maxPatternStates = 3000 // of a catalog
)

// place is where a value is written.
type place uint8

const (
	inWire  place = iota // after an equals sign
	inJSON               // in JSON
	inMarks              // between marks
)

func newMapper(o Options) *mapper {
	m := &mapper{
		builder:  newBuilder(),
		o:        o,
		tags:     lexeme.NewTags(o.Tags.Open, o.Tags.Close),
		tagFirst: chars(o.Tags.Open[:1] + o.Tags.Close[:1]),
		done:     make(map[any]*node),
		patterns: make(map[string]compiled),
		states:   maxPatternStates,
	}
	m.marks, m.markFirst = markPattern(o.Format)
	return m
}

// wire reports whether calls are in the wire format.
func (m *mapper) wire() bool { return m.o.Format.Body == format.Arguments }

// begin starts the tool with that name.
func (m *mapper) begin(tool string) {
	m.tool, m.path, m.first = tool, nil, len(m.notes)
	m.entered, m.leaves, m.inJSON = nil, maxLeaves, false
}

// at returns what f returns one level down, at the property with that name or at "[]" for
// elements.
func (m *mapper) at(name string, f func() *node) *node {
	m.path = append(m.path, name)
	defer func() { m.path = m.path[:len(m.path)-1] }()
	return f()
}

// once returns what build returned when it was first called for the key.
func (m *mapper) once(key any, build func() *node) *node {
	e, known := m.done[key]
	if !known {
		e = build()
		m.done[key] = e
	}
	return e
}

// ruleOf identifies what a type was mapped to.
type ruleOf struct {
	hint string
	typ  *sig.Type
	at   place
}

// rule returns a rule for what body returns, made once for a type. Within body it is the rule
// itself. Too deep, it derives nothing.
func (m *mapper) rule(of ruleOf, body func() *node) *node {
	e, known := m.done[of]
	switch {
	case known && e == nil: // it is being made
		m.done[of] = m.declare(of.hint)
		return m.done[of]
	case known:
		return e
	case len(m.path) > maxNesting:
		return never
	}
	m.done[of] = nil
	notes := len(m.notes)
	made := body()
	if of.typ == untyped {
		m.notes = m.notes[:notes] // they would be the same everywhere
	}
	if recursive := m.done[of]; recursive != nil {
		recursive.rule.body = made
		m.named[made] = recursive
	} else {
		m.done[of] = m.define(of.hint, made)
	}
	return m.done[of]
}

// untyped is the type of what no schema restricts.
var untyped = &sig.Type{Kinds: sig.Any, Free: sig.Any}

// typeOf returns t, which may be nil.
func typeOf(t *sig.Type) *sig.Type {
	if t == nil {
		return untyped
	}
	return t
}

// isMap reports whether t has no declared properties and allows any others.
func isMap(t *sig.Type) bool {
	return len(t.Fields) == 0 && !t.Closed && typeOf(t.Extra).Kinds != 0 && !t.Patterned()
}

// requiredIn returns how many properties of t are required.
func requiredIn(t *sig.Type) (n int) {
	for i := range t.Fields {
		if t.Fields[i].Required {
			n++
		}
	}
	return n
}

// fields returns what write returns for the properties of t, required and optional ones,
// each in schema order. Optional ones are left out if no value fits, and if there is no room.
func (m *mapper) fields(
	t *sig.Type, write func(name string, t *sig.Type) *node,
) (required, optional []*node) {
	m.noteObject(t)
	for i := range t.Fields {
		f := &t.Fields[i]
		if !f.Required && m.leaves <= 0 {
			m.note(narrowed, "properties", "a call has no more arguments")
			continue
		}
		e := m.at(f.Name, func() *node {
			e := write(f.Name, typeOf(f.Type))
			if e == never && !f.Required {
				m.note(narrowed, "properties",
					"the property has no possible value: it is left out")
			}
			return e
		})
		switch {
		case f.Required:
			required = append(required, e)
		case e != never:
			optional = append(optional, e)
		}
	}
	return required, optional
}

// inOrder returns the required expressions and any of the optional ones, in order, with
// separator between them.
func (m *mapper) inOrder(required, optional []*node, separator *node) *node {
	if len(required) == 0 && separator != empty {
		return m.opt(m.some(optional, separator))
	}
	var all []*node
	for i, e := range required {
		if i > 0 {
			all = append(all, separator)
		}
		all = append(all, e)
	}
	for _, e := range optional {
		all = append(all, m.opt(m.seq(separator, e)))
	}
	return m.seq(all...)
}

// some returns at least one of the expressions, in order, with separator between them.
func (m *mapper) some(list []*node, separator *node) *node {
	first, rest := never, empty
	for i, e := range slices.Backward(list) {
		first = m.alt(m.seq(e, rest), first)
		if i > 0 && i < len(list)-1 {
			first = m.define("some", first)
		}
		if i > 0 {
			rest = m.define("more", m.seq(m.opt(m.seq(separator, e)), rest))
		}
	}
	return first
}
