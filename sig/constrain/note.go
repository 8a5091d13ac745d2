package constrain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/sig"
)

// Note is a difference between a grammar and a schema.
type Note struct {
	Tool    string // name of the tool
	Path    string // names of properties joined by dots; [] means elements
	Keyword string // of JSON Schema, or "name" for the name of the tool
	Kind    Kind
	Message string // for people
}

// Kind is how a grammar differs from a schema.
type Kind string

// The kinds of notes.
const (
	// Widened means that the grammar allows values that the schema does not: validate them.
	Widened  Kind = "widened"
	Narrowed Kind = "narrowed" // the schema allows values that the grammar does not
	LeftOut  Kind = "left-out" // the tool cannot be called under this grammar
)

// note adds a difference at the current place, once.
func (m *mapper) note(kind Kind, keyword, message string) {
	path := strings.ReplaceAll(strings.Join(m.path, "."), ".[]", "[]")
	known := m.notes[m.first:]
	isKnown := slices.ContainsFunc(known, func(n Note) bool {
		return n.Path == path && n.Keyword == keyword
	})
	if m.untyped == 0 && len(known) < maxNotes && !isKnown {
		m.notes = append(m.notes, Note{m.tool, path, keyword, kind, message})
	}
}

// noteUnsupported notes the keywords of the current tool that sig does not follow,
// such as not and if.
func (m *mapper) noteUnsupported(problems []sig.Problem) {
	for _, p := range problems {
		var keyword string
		keyword, m.path = keywordAt(p.Path)
		m.note(Widened, keyword, notEnforced)
	}
	m.path = nil
}

// keywordAt returns the keyword that a JSON pointer into a schema ends in, and the path of
// the value to which it applies. Within a definition, the path begins there.
func keywordAt(pointer string) (keyword string, path []string) {
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	segments := strings.Split(pointer, "/")[1:]
	for i := 0; i < len(segments); i++ {
		switch segments[i] {
		case "properties":
			if i++; i < len(segments) {
				path = append(path, unescape.Replace(segments[i]))
			}
		case "items", "prefixItems", "additionalItems", "unevaluatedItems":
			path = append(path, "[]")
		case "$defs", "definitions":
			path = nil
			i++
		case "patternProperties":
			path = append(path, "*")
			i++
		case "dependentSchemas", "dependencies":
			keyword = segments[i]
			i++ // the name that it depends on
		case "allOf", "anyOf", "oneOf":
			i++ // an index
		default:
			keyword = segments[i]
		}
	}
	return keyword, path
}

// noteFree notes the limit on free names in t, and those on its properties.
func (m *mapper) noteFree(t *sig.Type) {
	m.noteProperties(t)
	message := "an object can have one free name: no grammar can make several differ"
	if m.o.FreeKeys > 1 {
		message = fmt.Sprintf("an object can have up to %d free names: no grammar can make them "+
			"differ, and a repeated one makes the call malformed", m.o.FreeKeys)
	}
	m.note(Narrowed, "additionalProperties", message)
}
