package constrain

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Note tells where a grammar and a schema differ.
type Note struct {
	Tool    string // its name
	Path    string // of the place, as the names on the way joined by dots; [] are elements
	Keyword string // of JSON Schema, or name for the tool's own
	Kind    Kind
	Message string // for people
}

// Kind says how a grammar differs from a schema.
type Kind uint8

// The kinds of notes.
const (
	Widened  Kind = iota // the grammar allows values that the schema does not: validate them
	Narrowed             // the schema allows values that the grammar does not
	LeftOut              // the tool cannot be called under this grammar
)

// String returns "widened", "narrowed" or "left-out".
func (k Kind) String() string { return [...]string{"widened", "narrowed", "left-out"}[k] }

type noteKey struct{ tool, path, keyword string }

// note notes a difference at the current place, once.
func (m *maker) note(kind Kind, keyword, message string) {
	path := strings.ReplaceAll(strings.Join(m.path, "."), ".[]", "[]")
	key := noteKey{m.tool, path, keyword}
	if m.silent > 0 || m.told >= maxNotes || m.noted[key] {
		return
	}
	m.noted[key] = true
	m.told++
	m.notes = append(m.notes, Note{m.tool, path, keyword, kind, message})
}

// noteFree notes that free names are few.
func (m *maker) noteFree() {
	if m.freeKeys == 1 {
		m.note(Narrowed, "additionalProperties", "of free names there is one in an object: no grammar can make several differ")
		return
	}
	m.note(Narrowed, "additionalProperties", fmt.Sprintf("of free names there are up to %d in an object; no grammar makes them differ, and a repeated one makes the call malformed", m.freeKeys))
}

// excerpt returns text, cut where it is long.
func excerpt(text string) string {
	const longest = 40
	if len(text) <= longest {
		return text
	}
	n := longest
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}
