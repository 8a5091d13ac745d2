package sig

import (
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
)

// Omission is a part of a schema that a signature leaves out.
type Omission struct {
	Path    string // names of properties joined by dots; [] means elements
	Keyword string // of JSON Schema
	Value   string // JSON
}

// maxOmissions bounds the omissions reported for one tool.
const maxOmissions = 1000

// Omitted returns what the signature of the planned tool leaves out under these
// options: descriptions, the tool's own with an empty path, limits, and the defaults of
// elements. Types, properties, literals and what is required are in every signature. What
// several places share is reported at the first. There are at most 1000 omissions.
//
// It takes about as long as the signature.
func (o SignatureOptions) Omitted(p Plan) []Omission {
	w := o.writer(p, o.guard())
	w.omitted = &omissions{known: make(map[Omission]bool)}
	w.signature(nil, p)
	return w.omitted.list
}

// omissions are distinct omissions in the order in which they are found.
type omissions struct {
	list  []Omission
	known map[Omission]bool
}

// omit records omissions, if they are asked for.
func (w *writer) omit(list ...Omission) {
	if w.omitted == nil {
		return
	}
	for _, o := range list {
		if !w.omitted.known[o] && len(w.omitted.list) < maxOmissions {
			w.omitted.known[o] = true
			w.omitted.list = append(w.omitted.list, o)
		}
	}
}

// omitFact records what a fact is of.
func (w *writer) omitFact(f fact, path []string) {
	for _, k := range f.of {
		w.omit(Omission{pathText(path), k.Name, string(k.Value)})
	}
}

// describedAt returns the omission of a description.
func describedAt(path []string, text string) Omission {
	value := lexeme.AppendQuoted(nil, strings.ToValidUTF8(text, "\ufffd"))
	return Omission{pathText(path), "description", string(value)}
}

// pathText returns a path as text.
func pathText(path []string) string {
	return strings.ReplaceAll(strings.Join(path, "."), ".[]", "[]")
}
