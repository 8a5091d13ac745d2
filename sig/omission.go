package sig

import (
	"slices"
	"strings"

	"github.com/callwire/callwire/lexer/lexeme"
)

// Omission is a part of a schema that a signature leaves out.
type Omission struct {
	Path    string // names of properties joined by dots; [] stands for elements
	Keyword string // of JSON Schema
	Value   string // as in the schema; a description as a JSON string
}

// maxOmissions bounds the omissions reported for one tool.
const maxOmissions = 1000

// Omitted returns what the signature of the planned tool leaves out under these
// options: descriptions that are not there in full (the tool's own has an empty
// path), constraints that are in no comment, and the defaults of elements. Types,
// properties, literals and what is required are in every signature. What several
// places share is reported at the first. There are at most 1000 omissions.
//
// It takes about as long as the signature.
func (o SignatureOptions) Omitted(p Plan) []Omission {
	w := o.writer(p, o.guard())
	w.signature(nil, p)
	f := omissionFinder{w: &w, seen: make(map[*Type]bool), known: make(map[Omission]bool)}
	prose, sections := readSections(p.tool().Description, func(name string) bool { return hasField(w.written, name) })
	f.describe(prose)
	for _, root := range w.written {
		for name := range root.names() {
			f.below(name, func() { f.describe(sections[name]) })
		}
	}
	f.find(p.tool().Args)
	return f.found
}

// omissionFinder walks through the types of a tool.
type omissionFinder struct {
	w     *writer
	seen  map[*Type]bool
	path  []string
	found []Omission
	known map[Omission]bool
}

func (f *omissionFinder) find(t *Type) {
	if t == nil || f.seen[t] || len(f.path) > maxSignatureDepth || len(f.found) >= maxOmissions {
		return
	}
	f.seen[t] = true
	for i := range t.Constraints {
		if c := &t.Constraints[i]; f.w.shown[c] < c.parts() {
			f.omit(c.Keyword, string(c.Value))
		}
	}
	for _, d := range append([]string{t.Description}, t.further...) {
		f.describe(d)
	}
	for i := range t.Fields {
		f.below(t.Fields[i].Name, func() { f.find(t.Fields[i].Type) })
	}
	for _, p := range t.patterns {
		f.below("*", func() { f.find(p.typ) })
	}
	f.below("*", func() { f.find(t.Extra) })
	for _, e := range slices.Concat(t.Prefix, []*Type{t.Items}) {
		f.below("[]", func() {
			if e.hasDefault() && !f.seen[e] && f.w.o.Parameters == Off {
				f.omit("default", string(e.Default))
			}
			f.find(e)
		})
	}
	for _, alt := range t.Alts {
		f.find(alt)
	}
}

// below runs look for the place with that name, one level down.
func (f *omissionFinder) below(name string, look func()) {
	f.path = append(f.path, name)
	look()
	f.path = f.path[:len(f.path)-1]
}

// describe adds a description that was not written whole.
func (f *omissionFinder) describe(text string) {
	if oneLine(text) != "" && !f.w.whole[text] {
		f.omit("description", string(lexeme.AppendQuoted(nil, strings.ToValidUTF8(text, "\ufffd"))))
	}
}

// omit adds an omission, unless it is already there, as from another alternative
// at the same place.
func (f *omissionFinder) omit(keyword, value string) {
	o := Omission{strings.ReplaceAll(strings.Join(f.path, "."), ".[]", "[]"), keyword, value}
	if !f.known[o] && len(f.found) < maxOmissions {
		f.known[o] = true
		f.found = append(f.found, o)
	}
}

// parts returns how often a constraint must be written to be complete: once, or
// once for each property that requires others.
func (c *Constraint) parts() (n int) {
	switch c.Keyword {
	case "dependentRequired", "dependencies":
		eachDependency(c, func(string, []string) { n++ })
		return n
	}
	return 1
}
