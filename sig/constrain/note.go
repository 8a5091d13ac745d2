package constrain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/limits"
	"github.com/callwire/callwire/sig"
)

// Note is a difference between a grammar and a schema. Its kinds are widened (the grammar allows
// values that the schema does not: validate them), narrowed (the schema allows values that the
// grammar does not) and left-out (the tool cannot be called under this grammar).
type Note struct {
	Tool    string // name of the tool
	Path    string // names joined by dots, [] for elements; a JSON pointer to what sig ignores
	Keyword string // of JSON Schema, or "name" for the name of the tool
	Kind    string
	Message string // for people
}

// The kinds of notes.
const (
	widened  = "widened"
	narrowed = "narrowed"
	leftOut  = "left-out"
)

// note adds a difference at the current place, once.
func (m *mapper) note(kind, keyword, message string) {
	path := strings.ReplaceAll(strings.Join(m.path, "."), ".[]", "[]")
	known := m.notes[m.first:]
	isKnown := slices.ContainsFunc(known, func(n Note) bool {
		return n.Path == path && n.Keyword == keyword
	})
	if len(known) < maxNotes && !isKnown {
		m.notes = append(m.notes, Note{m.tool, path, keyword, kind, message})
	}
}

// noteUnsupported notes the keywords of the current tool that sig does not follow,
// such as not and if.
func (m *mapper) noteUnsupported(problems []sig.Problem) {
	for _, p := range problems {
		keyword, message, _ := strings.Cut(p.Message, ": ")
		m.path = []string{p.Path}
		m.note(widened, keyword, message)
	}
	m.path = nil
}

const notEnforced = "it is not enforced"

// noteType notes what the grammar of t leaves out of its schema, or adds, wherever t is.
func (m *mapper) noteType(t *sig.Type) {
	widen := func(isWider bool, keyword, message string) {
		if isWider {
			m.note(widened, keyword, message)
		}
	}
	for _, kinds := range [...]sig.Kinds{numeric, sig.String, sig.Array, sig.Object} {
		for _, alt := range altsOf(t, kinds) {
			l := limitsOf(alt)
			widen(len(l.MultipleOf) > 0, "multipleOf", notEnforced)
			widen(l.Unique, "uniqueItems", notEnforced)
			for _, k := range l.Other {
				widen(true, k.Name, notEnforced)
			}
			widen(l.Properties.Min > 0, "minProperties", notEnforced)
			widen(l.Properties.Max < limits.Unbounded, "maxProperties", notEnforced)
			widen(len(l.Needs) > 0, "dependentRequired", notEnforced)
		}
	}
	widen(several(t, sig.Array), "items",
		"items and limits of different alternatives can be combined")
	widen(several(t, sig.Object), "anyOf",
		"properties of different alternatives can be combined")
	for _, alt := range t.Alts {
		for i := range alt.Fields {
			f := t.Field([]byte(alt.Fields[i].Name))
			widen(alt.Fields[i].Required && (f == nil || !f.Required), "required",
				"a property that only some alternatives of anyOf or oneOf require may be missing")
		}
	}
	switch n := len(m.path); {
	case t.Free&sig.Object == 0:
	case t == untyped && n > 0 && m.path[n-1] == "*": // so is what it is in
	case isMap(t):
		m.note(narrowed, "additionalProperties", fmt.Sprintf(
			"free names in an object: at most %d, since no grammar can make several differ",
			m.o.FreeKeys))
	case t.Closed && t.Patterned():
		m.note(narrowed, "patternProperties", "only declared properties are allowed")
	case !t.Closed:
		m.note(narrowed, "additionalProperties", "only declared properties are allowed")
	}
}

// several reports whether several alternatives of t allow values of a kind, and any value in one.
func several(t *sig.Type, kind sig.Kinds) bool {
	n := 0
	for _, alt := range t.Alts {
		if alt.Kinds&kind != 0 {
			n++
		}
	}
	return n > 1 && t.Free&kind != 0
}
