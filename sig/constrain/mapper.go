package constrain

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/limits"
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
func typeOf(t *sig.Type) *sig.Type { return cmp.Or(t, untyped) }

// limitsOf returns the limits of t.
func limitsOf(t *sig.Type) *limits.Limits { return cmp.Or(t.Limits, &limits.None) }

// isMap reports whether t has no declared properties and allows any others.
func isMap(t *sig.Type) bool {
	return len(t.Fields) == 0 && !t.Closed && typeOf(t.Extra).Kinds != 0 && !t.Patterned()
}

// altsOf returns the types whose limits apply to the values of t that have one of the
// kinds: the alternatives that allow such values, or t itself if it has no alternatives. An
// alternative without limits that allows all of the values is the only one.
func altsOf(t *sig.Type, kinds sig.Kinds) (all []*sig.Type) {
	if len(t.Alts) == 0 {
		return []*sig.Type{t}
	}
	for _, alt := range t.Alts {
		free := alt.Free & kinds
		if free != 0 && free == t.Free&kinds && alt.Limits == nil {
			return []*sig.Type{alt}
		}
		if free != 0 {
			all = append(all, alt)
		}
	}
	return all
}

// counts returns a range as far as it is enforced: up to bound, and if it is not empty.
func (m *mapper) counts(r limits.Range, noun string, bound int) limits.Range {
	enforced := limits.Range{Min: min(r.Min, bound), Max: r.Max}
	if r.Max > bound {
		enforced.Max = limits.Unbounded
	}
	why := fmt.Sprintf("bounds over %d are not enforced", bound)
	if r.Max < r.Min {
		enforced, why = anyCount, "the range is empty: it is not enforced"
	}
	if enforced.Min != r.Min {
		m.note(widened, "min"+noun, why)
	}
	if enforced.Max != r.Max {
		m.note(widened, "max"+noun, why)
	}
	return enforced
}

var anyCount = limits.Range{Max: limits.Unbounded}

// freeName is the name of a property that may have any: no other has it, as it is not UTF-8.
const freeName = "\xff"

// members returns what member returns for the properties of t, required and optional ones,
// each in schema order. Those of a map are one optional expression.
func (m *mapper) members(
	t *sig.Type, separator *node, member func(name string, t *sig.Type) *node,
) (required, optional []*node) {
	if isMap(t) {
		one := m.at("*", func() *node { return member(freeName, typeOf(t.Extra)) })
		one = m.define("member", one)
		more := m.repeat(m.seq(separator, one), 0, m.o.FreeKeys-1)
		return nil, []*node{m.seq(one, more)}
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		e := m.at(f.Name, func() *node {
			e := member(f.Name, typeOf(f.Type))
			if e == never && !f.Required {
				m.note(narrowed, "properties", "no call can have the property: it is left out")
			}
			return e
		})
		if f.Required {
			required = append(required, e)
		} else {
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
