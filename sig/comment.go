package sig

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A comment describes one parameter: its limits in a short notation, then its
// descriptions. A budget drops whole descriptions, never limits.

// comment writes the comment on a parameter. A type shared by several parameters is
// described once, unless that is short. needs are facts about the parameter; also is its
// entry in the tool's description.
func (w *writer) comment(dst []byte, needs []fact, t *Type, also string) []byte {
	all := annotation{w: w, said: make(map[string]bool), left: maxAnnotationTypes}
	for _, f := range needs {
		all.addFact(f, "", "")
	}
	if t != nil && !w.commented[t] {
		all.add(t, "", "", w.path)
	}
	all.addProse(also, "", "", w.path)
	if w.o.Parameters == Off {
		w.omit(all.described...)
		return dst
	}
	prose := strings.Join(all.prose, "; ")
	number := len(w.lengths)
	w.lengths = append(w.lengths, utf8.RuneCountInString(prose))
	if w.dropped[number] {
		w.omit(all.described...)
		prose = ""
	}
	text := strings.Join(all.facts, "; ")
	if text != "" && prose != "" {
		text += "; "
	}
	text += prose
	if len(text) > maxInline && t != nil {
		w.commented[t] = true
	}
	if text == "" {
		return dst
	}
	dst = append(dst, ' ')
	text = "(" + balanced(text) + ")" // with the parentheses: some tags begin with one
	return append(dst, w.guard.Neutralize(text)...)
}

// tooLong returns which comments lose their descriptions so that all of them fit the
// budget: the longest first.
func tooLong(budget int, lengths []int) map[int]bool {
	total := 0
	order := make([]int, len(lengths))
	for i, n := range lengths {
		total += n
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return lengths[b] - lengths[a] })
	dropped := make(map[int]bool)
	for _, i := range order {
		if total <= budget {
			break
		}
		total -= lengths[i]
		dropped[i] = true
	}
	return dropped
}

// annotation is the content of a comment.
type annotation struct {
	w         *writer
	facts     []string
	prose     []string
	described []Omission      // what is lost without the prose
	said      map[string]bool // texts already there; true if they apply to all alternatives
	left      int             // how many more types may be visited
}

// maxAnnotationTypes bounds the elements and alternatives in one comment.
const maxAnnotationTypes = 64

// add adds the limits and descriptions of t at a path, and of the elements and alternatives
// without a comment of their own. The label names the alternative that t is, the prefix
// the element.
func (a *annotation) add(t *Type, label, prefix string, path []string) {
	if a.left--; t == nil || a.left < 0 {
		return
	}
	for _, f := range t.facts() {
		f.path = path
		a.addFact(f, label, prefix)
	}
	if prefix != "" && t.hasDefault() {
		f := fact{path: path, of: []Keyword{{"default", t.Default}}}
		if !a.w.o.HideDefaults {
			f.text = "default " + string(a.w.value(nil, t.Default))
		}
		a.addFact(f, label, prefix)
	}
	for _, d := range t.descriptions() {
		a.addProse(d, label, prefix, path)
	}
	if len(t.Alts) == 0 {
		elements := append(path[:len(path):len(path)], "[]")
		a.add(t.Items, label, prefix+"each ", elements)
		for i, e := range t.Prefix {
			a.add(e, label, fmt.Sprintf("%selement %d ", prefix, i+1), elements)
		}
		return
	}
	single := t.singleAlternative()
	for _, alt := range t.Alts {
		name := label
		if alt != single {
			name += alt.label() + ": "
		}
		a.add(alt, name, prefix, path)
	}
}

// addFact adds a fact, or reports it as omitted if a comment cannot contain its text.
func (a *annotation) addFact(f fact, label, prefix string) {
	w := a.w
	switch key := prefix + f.text; {
	case w.o.Parameters == Off || !showsInComment(f.text) || w.guard.In(f.text):
		for _, k := range f.of {
			w.omit(Omission{pathText(f.path), k.Name, string(k.Value)})
		}
	case !a.said[key]:
		a.said[key] = label == ""
		a.facts = append(a.facts, label+key)
	}
}

// addProse adds a description, unless it is already there. In parentheses it needs
// no final period.
func (a *annotation) addProse(description, label, prefix string, path []string) {
	text := oneLine(description)
	if !strings.HasSuffix(text, "..") {
		text = strings.TrimSuffix(text, ".")
	}
	if text == "" || a.said[prefix+text] {
		return
	}
	a.said[prefix+text] = label == ""
	a.prose = append(a.prose, label+prefix+text)
	if a.w.omitted != nil {
		a.described = append(a.described, describedAt(path, description))
	}
}

// descriptions returns all descriptions of the place.
func (t *Type) descriptions() []string {
	if t.Description == "" {
		return nil
	}
	return append([]string{t.Description}, t.further...)
}

// singleAlternative returns the only alternative that is not null, or nil.
func (t *Type) singleAlternative() *Type {
	var some []*Type
	for _, alt := range t.Alts {
		if alt.Kinds != Null {
			some = append(some, alt)
		}
	}
	if len(some) != 1 {
		return nil
	}
	return some[0]
}

// label returns the name of an alternative in a comment: its literal, or its kinds.
func (t *Type) label() string {
	if len(t.Enum) == 1 && t.Free == 0 {
		return oneLine(t.Enum[0].Text)
	}
	return strings.NewReplacer("integer", "int", "boolean", "bool").Replace(t.Kinds.String())
}

// needs returns, by property, which others it requires.
func (w *writer) needs(object *Type) map[string][]fact {
	if object.Limits == nil {
		return nil
	}
	all := make(map[string][]fact)
	for _, n := range object.Limits.Needs {
		value, _ := json.Marshal(map[string][]string{n.Name: n.Others}) // strings can be encoded
		all[n.Name] = append(all[n.Name], fact{
			text: "needs " + strings.Join(n.Others, ", "),
			of:   []Keyword{{"dependentRequired", value}},
			path: append(slices.Clone(w.path), n.Name),
		})
	}
	return all
}

// balanced returns text with unmatched parentheses replaced by brackets.
func balanced(text string) string {
	if !strings.ContainsAny(text, "()") {
		return text
	}
	b := []byte(text)
	var open []int
	for i, c := range b {
		switch {
		case c == '(':
			open = append(open, i)
		case c == ')' && len(open) > 0:
			open = open[:len(open)-1]
		case c == ')':
			b[i] = ']'
		}
	}
	for _, i := range open {
		b[i] = '['
	}
	return string(b)
}

// showsInComment reports whether a comment can contain the exact text: nothing in it
// would be read as the end of the comment, or changed by oneLine.
func showsInComment(text string) bool {
	return text != "" && oneLine(text) == text && balanced(text) == text
}
