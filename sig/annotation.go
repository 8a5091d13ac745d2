package sig

import (
	"fmt"
	"strings"
)

// annotation is the content of a comment: facts, which are exact, and prose.
type annotation struct {
	facts []phrase
	prose []string
	whole []string        // descriptions that are in prose in full
	said  map[string]bool // texts already there; true if they apply to all alternatives
	left  int             // how many more types may be visited
}

// The bounds of one annotation.
const (
	maxAnnotationDepth = 3 // elements of elements
	maxAnnotationTypes = 64
)

// annotation returns the annotation of t, and of the elements and alternatives
// without a comment of their own.
func (w *writer) annotation(t *Type) annotation {
	all := annotation{said: make(map[string]bool), left: maxAnnotationTypes}
	w.annotate(&all, t, "", "", 0)
	return all
}

// annotate adds the constraints and descriptions of t. The label names the
// alternative that t is, the prefix the element.
func (w *writer) annotate(all *annotation, t *Type, label, prefix string, depth int) {
	if all.left--; t == nil || depth > maxAnnotationDepth || all.left < 0 {
		return
	}
	for _, r := range t.phrases() {
		switch key := prefix + r.text; {
		case w.guard.In(r.text):
			continue // escaping a tag would make it inexact
		case r.text == "" || all.said[key]:
			r.text = ""
		default:
			r.text = label + key
			all.said[key] = label == ""
		}
		all.facts = append(all.facts, r)
	}
	if prefix != "" && !w.o.HideDefaults && t.hasDefault() {
		if text := string(w.value(nil, t.Default)); showsInComment(text) {
			all.facts = append(all.facts, phrase{text: label + prefix + "default " + text})
		}
	}
	for _, d := range append([]string{t.Description}, t.further...) {
		if all.addProse(w, label, prefix, d) && w.o.Parameters == Short {
			break
		}
	}
	if len(t.Alts) == 0 {
		w.annotate(all, t.Items, label, prefix+"each ", depth+1)
		for i, e := range t.Prefix {
			w.annotate(all, e, label, fmt.Sprintf("%selement %d ", prefix, i+1), depth+1)
		}
		return
	}
	single := t.singleAlternative()
	for _, alt := range t.Alts {
		name := label
		if alt != single {
			name += alt.label() + ": "
		}
		w.annotate(all, alt, name, prefix, depth+1)
	}
}

// addProse adds a description and reports whether it is new.
func (all *annotation) addProse(w *writer, label, prefix, description string) bool {
	text := w.shortened(description)
	if whole := oneLine(description); text == whole || text+"." == whole {
		all.whole = append(all.whole, description)
	}
	if text == "" || all.said[prefix+text] {
		return false
	}
	if all.said == nil {
		all.said = make(map[string]bool)
	}
	all.said[prefix+text] = label == ""
	all.prose = append(all.prose, label+prefix+text)
	return true
}

// singleAlternative returns the only alternative that is not null, or nil.
func (t *Type) singleAlternative() (single *Type) {
	for _, alt := range t.Alts {
		switch {
		case alt.Kinds == Null:
		case single != nil:
			return nil
		default:
			single = alt
		}
	}
	return single
}

// label returns the name of an alternative in a comment: its literal, or its kinds.
func (t *Type) label() string {
	if len(t.Enum) == 1 && t.Free == 0 {
		return oneLine(t.Enum[0].Text)
	}
	return strings.NewReplacer("integer", "int", "boolean", "bool").Replace(t.Kinds.String())
}
