package sig

import (
	"slices"
	"strings"
)

// Omission is something in a schema that a signature does not say.
type Omission struct {
	Path    string // of the place, as the names on the way joined by dots; [] are elements
	Keyword string // of JSON Schema
	Value   string // as the schema has it
}

// maxOmissions is how many omissions are told of one tool.
const maxOmissions = 100

// Omitted returns what the signature of the planned tool leaves out under these
// options: constraints that no comment holds, and the defaults of elements. Types,
// properties, literals and what is required are in every signature; descriptions
// are left out because the options say so, and are not told here. What is shared
// by several places is told at the first. There are at most 100.
//
// It takes the time of the signature.
func (o SignatureOptions) Omitted(p Plan) []Omission {
	w := o.signer(p)
	w.signature(nil, p)
	f := omissionFinder{w: &w, seen: make(map[*Type]bool)}
	f.find(p.Tool.Args)
	return f.found
}

// omissionFinder walks through the types of a tool.
type omissionFinder struct {
	w     *signer
	seen  map[*Type]bool
	path  []string
	found []Omission
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
	below := func(name string, t *Type) {
		f.path = append(f.path, name)
		f.find(t)
		f.path = f.path[:len(f.path)-1]
	}
	for i := range t.Fields {
		below(t.Fields[i].Name, t.Fields[i].Type)
	}
	for _, p := range t.patterns {
		below("*", p.typ)
	}
	below("*", t.Extra)
	for _, e := range append(t.Prefix[:len(t.Prefix):len(t.Prefix)], t.Items) {
		f.path = append(f.path, "[]")
		if e != nil && len(e.Default) > 0 && !f.seen[e] && f.w.o.Parameters == Off {
			f.omit("default", string(e.Default))
		}
		f.path = f.path[:len(f.path)-1]
		below("[]", e)
	}
	for _, alt := range t.Alts {
		f.find(alt)
	}
}

// omit notes an omission, unless it was noted for the same place already, as of
// the other alternatives there.
func (f *omissionFinder) omit(keyword, value string) {
	o := Omission{strings.ReplaceAll(strings.Join(f.path, "."), ".[]", "[]"), keyword, value}
	if !slices.Contains(f.found, o) && len(f.found) < maxOmissions {
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
