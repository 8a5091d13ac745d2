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
	Path    string // names of properties joined by dots; [] means elements
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
		var keyword string
		keyword, m.path = keywordAt(p.Path)
		m.note(widened, keyword, notEnforced)
	}
	m.path = nil
}

// keywordAt returns the keyword that a JSON pointer into a schema ends in, and the path of
// the value to which it applies. Within a definition, the path begins there.
func keywordAt(pointer string) (keyword string, path []string) {
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	segments := strings.Split(pointer, "/")[1:]
	for i := 0; i < len(segments); i++ {
		keyword = segments[i]
		switch keyword {
		case "properties":
			i = min(i+1, len(segments)-1)
			path = append(path, unescape.Replace(segments[i]))
		case "patternProperties":
			path = append(path, "*")
			i++
		case "items", "prefixItems", "additionalItems", "unevaluatedItems":
			path = append(path, "[]")
		case "$defs", "definitions":
			path = nil
			i++
		case "dependentSchemas", "dependencies", "allOf", "anyOf", "oneOf":
			i++ // a name or an index
		}
	}
	return keyword, path
}

// noteLimits notes the limits of t that no grammar enforces.
func (m *mapper) noteLimits(t *sig.Type) {
	for _, kinds := range [...]sig.Kinds{numeric, sig.String, sig.Array, sig.Object} {
		for _, alt := range altsOf(t, kinds) {
			l := limitsOf(alt)
			m.noteIf(len(l.MultipleOf) > 0, "multipleOf")
			m.noteIf(l.Unique, "uniqueItems")
			for _, k := range l.Other {
				m.noteIf(true, k.Name)
			}
			m.noteIf(l.Properties.Min > 0, "minProperties")
			m.noteIf(l.Properties.Max < limits.Unbounded, "maxProperties")
			m.noteIf(len(l.Needs) > 0, "dependentRequired")
		}
	}
}

// noteIf notes a keyword that has no effect.
func (m *mapper) noteIf(stated bool, keyword string) {
	if stated {
		m.note(widened, keyword, notEnforced)
	}
}

const notEnforced = "it is not enforced"

// noteObject notes what the object t demands and no grammar enforces.
func (m *mapper) noteObject(t *sig.Type) {
	m.noteLimits(t)
	m.noteMixed(t, sig.Object, "anyOf", "properties")
	for _, alt := range t.Alts {
		for i := range alt.Fields {
			f := t.Field([]byte(alt.Fields[i].Name))
			if alt.Fields[i].Required && (f == nil || !f.Required) {
				m.note(widened, "required", "a property that only some alternatives of anyOf or "+
					"oneOf require may be missing")
			}
		}
	}
	if !t.Closed {
		m.note(narrowed, "additionalProperties", "only declared properties are allowed")
	}
}

// noteMixed notes that a value can have parts of several alternatives of t.
func (m *mapper) noteMixed(t *sig.Type, kind sig.Kinds, keyword, parts string) {
	n := 0
	for _, alt := range t.Alts {
		if alt.Free&kind != 0 {
			n++
		}
	}
	if n > 1 {
		m.note(widened, keyword, parts+" of different alternatives can be combined")
	}
}

// noteFree notes the limit on free names in t, and the limits of t. What is below free names and
// untyped has that limit as well.
func (m *mapper) noteFree(t *sig.Type) {
	if n := len(m.path); t == untyped && n > 0 && m.path[n-1] == "*" {
		return
	}
	m.noteLimits(t)
	message := "an object can have one free name: no grammar can make several differ"
	if m.o.FreeKeys > 1 {
		message = fmt.Sprintf("an object can have up to %d free names: no grammar can make them "+
			"differ, and a repeated one makes the call malformed", m.o.FreeKeys)
	}
	m.note(narrowed, "additionalProperties", message)
}
