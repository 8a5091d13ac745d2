package sig

import (
	"slices"
	"strings"

	"github.com/callwire/callwire/lexer/lexeme"
)

// Omission is something in a schema that a signature does not say.
type Omission struct {
	Path    string // of the place, as the names on the way joined by dots; [] are elements
	Keyword string // of JSON Schema
	Value   string // as the schema has it; of a description a JSON string
}

// maxOmissions is how many omissions are told of one tool.
const maxOmissions = 1000

// Omitted returns what the signature of the planned tool leaves out under these
// options: descriptions that it does not tell whole, that of the tool with an empty
// path, constraints that no comment holds, and the defaults of elements. Types,
// properties, literals and what is required are in every signature. What is shared
// by several places is told at the first. There are at most 1000.
//
// It takes the time of the signature.
func (o SignatureOptions) Omitted(p Plan) []Omission {
	w := o.signer(p)
	w.signature(nil, p)
	f := omissionFinder{w: &w, seen: make(map[*Type]bool), noted: make(map[Omission]bool)}
	prose, sections := readSections(p.Tool.Description, func(name string) bool { return hasField(w.written, name) })
	f.describe(prose)
	for _, root := range w.written {
		for name := range root.names() {
			f.below(name, func() { f.describe(sections[name]) })
		}
	}
	f.find(p.Tool.Args)
	return f.found
}

// omissionFinder walks through the types of a tool.
type omissionFinder struct {
	w     *signer
	seen  map[*Type]bool
	path  []string
	found []Omission
	noted map[Omission]bool
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

// below runs look for what lies under that name.
func (f *omissionFinder) below(name string, look func()) {
	f.path = append(f.path, name)
	look()
	f.path = f.path[:len(f.path)-1]
}

// describe notes a description that was not told whole.
func (f *omissionFinder) describe(text string) {
	if oneLine(text) != "" && !f.w.whole[text] {
		f.omit("description", string(lexeme.AppendQuoted(nil, strings.ToValidUTF8(text, "\ufffd"))))
	}
}

// omit notes an omission, unless it was noted for the same place already, as of
// the other alternatives there.
func (f *omissionFinder) omit(keyword, value string) {
	o := Omission{strings.ReplaceAll(strings.Join(f.path, "."), ".[]", "[]"), keyword, value}
	if !f.noted[o] && len(f.found) < maxOmissions {
		f.noted[o] = true
		f.found = append(f.found, o)
	}
}

// parts returns how often a constraint is told where it is told whole: once, but
// what properties need is told at each of them.
func (c *Constraint) parts() (n int) {
	switch c.Keyword {
	case "dependentRequired", "dependencies":
		eachDependency(c, func(string, []string) { n++ })
		return n
	}
	return 1
}
