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
// described once, unless that is short. needs are limits of the parameter; also is its
// entry in the tool's description.
func (w *writer) comment(dst []byte, needs []fact, t *Type, also string) []byte {
	all := annotation{w: w, said: make(map[string]bool), left: maxAnnotationTypes}
	for _, f := range needs {
		all.addFact(f, "", "", w.path)
	}
	if t != nil && !w.commented[t] {
		all.add(t, "", "", w.path)
	}
	all.addProse(also, "", "", w.path)
	number, prose := len(w.lengths), strings.Join(all.prose, "; ")
	if w.o.Parameters != Off {
		w.lengths = append(w.lengths, utf8.RuneCountInString(prose))
	}
	if w.o.Parameters == Off || w.dropped[number] {
		w.omit(all.described...)
		all.prose = nil
	}
	text := strings.Join(append(all.facts, all.prose...), "; ")
	if text == "" {
		return dst
	}
	if len(text) > maxInline && t != nil {
		w.commented[t] = true
	}
	text = "(" + balanced(text) + ")" // with the parentheses: some tags begin with one
	return append(append(dst, ' '), w.guard.Neutralize(text)...)
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
	said      map[string]bool // texts already there that apply to all alternatives
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
		a.addFact(f, label, prefix, path)
	}
	if prefix != "" && t.hasDefault() {
		f := fact{of: []Keyword{{"default", t.Default}}}
		if !a.w.o.HideDefaults {
			f.text = "default " + string(a.w.value(nil, t.Default))
		}
		a.addFact(f, label, prefix, path)
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
	others := 0 // than null
	for _, alt := range t.Alts {
		if alt.Kinds != Null {
			others++
		}
	}
	for _, alt := range t.Alts {
		name := label
		if others != 1 || alt.Kinds == Null {
			name += alt.label() + ": "
		}
		a.add(alt, name, prefix, path)
	}
}

// addFact adds a fact, or reports it as omitted if a comment cannot contain its text.
func (a *annotation) addFact(f fact, label, prefix string, path []string) {
	key := prefix + f.text
	if a.w.o.Parameters == Off || !showsInComment(f.text) || a.w.guard.In(f.text) {
		a.w.omitFact(f, path)
	} else if !a.said[key] {
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

// label returns the name of an alternative in a comment: its literal, or its kinds.
func (t *Type) label() string {
	if len(t.Enum) == 1 && t.Free == 0 {
		return oneLine(t.Enum[0].Text)
	}
	return strings.NewReplacer("integer", "int", "boolean", "bool").Replace(t.Kinds.String())
}

// needs returns, by property, which others it requires.
func (t *Type) needs() map[string][]fact {
	if t.Limits == nil {
		return nil
	}
	all := make(map[string][]fact)
	for _, n := range t.Limits.Needs {
		value, _ := json.Marshal(map[string][]string{n.Name: n.Others}) // strings can be encoded
		f := newFact("needs "+strings.Join(n.Others, ", "), "dependentRequired", value)
		all[n.Name] = append(all[n.Name], f)
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
