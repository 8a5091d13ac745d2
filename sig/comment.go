package sig

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/limits"
)

// A comment describes one parameter: its limits in a short notation, then its
// descriptions. A budget drops whole descriptions, never limits.

// comment returns the comment on a parameter after a space, "" for none. A type shared by
// several parameters is described once, unless that is short. also is the parameter's entry in
// the tool's description.
func (w *writer) comment(f *Field, also []string) string {
	if w.counting {
		return ""
	}
	all := annotation{writer: w, said: make(set[string]), left: maxAnnotationTypes}
	all.dropsProse = w.o.HideParameters || w.dropped[len(w.lengths)]
	for _, others := range f.needs {
		value, _ := json.Marshal(map[string][]string{f.Name: others}) // strings can be encoded
		text := "needs " + strings.Join(others, ", ")
		all.say(remarkOf(text, "dependentRequired", value), spot{})
	}
	if !w.commented[f.Type] {
		all.add(f.Type, spot{})
	}
	all.say(proseOf(strings.Join(also, " ")), spot{})
	w.lengths = append(w.lengths, utf8.RuneCountInString(strings.Join(all.prose, "; ")))
	text := strings.Join(append(all.facts, all.prose...), "; ")
	if text == "" {
		return ""
	}
	if len(text) > maxInline && f.Type != nil {
		w.commented[f.Type] = true
	}
	// With the parentheses, since some tags begin with one.
	return " " + w.guard.Neutralize("("+balanced(text)+")")
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
	for i := 0; total > budget && i < len(order); i++ {
		total -= lengths[order[i]]
		dropped[order[i]] = true
	}
	return dropped
}

// annotation is the content of a comment.
type annotation struct {
	*writer
	facts, prose []string
	dropsProse   bool
	said         set[string] // texts already there that apply to all alternatives
	left         int         // how many more types may be visited
}

// spot is what a part of a comment is about, in words: an alternative, with its name, and an
// element.
type spot struct{ label, element string }

// maxAnnotationTypes bounds the elements and alternatives in one comment.
const maxAnnotationTypes = 64

// add adds the limits and descriptions of t, and of the elements and alternatives
// without a comment of their own.
func (a *annotation) add(t *Type, at spot) {
	if a.left--; t == nil || a.left < 0 {
		return
	}
	for _, r := range a.remarks(t, at.element != "") {
		a.say(r, at)
	}
	if len(t.Alts) == 0 {
		defer a.enter("[]")()
		a.add(t.Items, spot{at.label, at.element + "each "})
		for i, e := range t.Prefix {
			a.add(e, spot{at.label, fmt.Sprintf("%selement %d ", at.element, i+1)})
		}
		return
	}
	isNull := func(t *Type) bool { return t.Kinds == Null }
	isOption := len(slices.DeleteFunc(slices.Clone(t.Alts), isNull)) == 1
	for _, alt := range t.Alts {
		label := at.label
		if !isOption || isNull(alt) {
			label += alt.label() + ": "
		}
		a.add(alt, spot{label, at.element})
	}
}

// say adds a remark unless it is already there. It reports what it leaves out: descriptions
// beyond the budget, and limits that a comment cannot contain.
func (a *annotation) say(r remark, at spot) {
	key, list := at.element+r.text, &a.prose
	if r.prose == "" {
		if a.o.HideParameters || !showsInComment(r.text) || a.guard.In(r.text) {
			a.omit(r)
			return
		}
		list = &a.facts
	}
	if r.text == "" || a.said[key] {
		return
	}
	a.said[key] = at.label == ""
	if r.prose != "" && a.dropsProse {
		a.omit(r)
		return
	}
	*list = append(*list, at.label+key)
}

// label returns the name of an alternative in a comment: its literal, or its kinds.
func (t *Type) label() string {
	if len(t.Enum) == 1 && t.Free == 0 {
		return oneLine(t.Enum[0].Text)
	}
	return shortKinds.Replace(t.Kinds.String())
}

var shortKinds = strings.NewReplacer("integer", "int", "boolean", "bool")

// balanced returns text with brackets instead of parentheses, if those have no partners.
func balanced(text string) string {
	depth := 0
	for _, c := range []byte(text) {
		switch {
		case c == '(':
			depth++
		case c == ')' && depth == 0:
			return brackets.Replace(text)
		case c == ')':
			depth--
		}
	}
	if depth > 0 {
		return brackets.Replace(text)
	}
	return text
}

var brackets = strings.NewReplacer("(", "[", ")", "]")

// showsInComment reports whether a comment can contain the exact text: nothing in it
// would be read as the end of the comment, or changed by oneLine.
func showsInComment(text string) bool {
	return text != "" && oneLine(text) == text && balanced(text) == text
}

// omit reports that what a remark is about is left out at the place being written.
func (w *writer) omit(r remark) {
	path := strings.ReplaceAll(strings.Join(w.path, "."), ".[]", "[]")
	if r.prose != "" {
		text := strings.ToValidUTF8(r.prose, "\ufffd")
		r = remarkOf("", "description", lexeme.AppendQuoted(nil, text))
	}
	for _, k := range r.limits {
		o := Omission{path, k.Name, string(k.Value)}
		if len(w.omitted) < maxOmissions && !slices.Contains(w.omitted, o) {
			w.omitted = append(w.omitted, o)
		}
	}
}

// remark is a part of a comment: a limit in short notation, or a description.
type remark struct {
	text   string           // "" cannot be shown
	limits []limits.Keyword // the same in JSON Schema
	prose  string           // the whole description, if it is one
}

func remarkOf(text, keyword string, value []byte) remark {
	return remark{text: text, limits: []limits.Keyword{{Name: keyword, Value: value}}}
}

// proseOf returns the remark of a description. In parentheses it needs no final period.
func proseOf(description string) remark {
	text := oneLine(description)
	if !strings.HasSuffix(text, "..") {
		text = strings.TrimSuffix(text, ".")
	}
	return remark{text: text, prose: description}
}

// remarks returns the limits of t, the default of an element, and the descriptions.
func (w *writer) remarks(t *Type, isElement bool) (all []remark) {
	if t == nil {
		return nil
	}
	if t.Limits != nil {
		all = remarksOf(t.Limits)
	}
	if isElement && t.hasDefault() {
		r := remarkOf("", "default", t.Default)
		if !w.o.HideDefaults {
			r.text = "default " + w.value(t.Default)
		}
		all = append(all, r)
	}
	for _, d := range t.descriptions {
		all = append(all, proseOf(d))
	}
	return all
}

// remarksOf returns the limits in a fixed order: date-time, /^a/, 1..10 chars, 1..3 items,
// 0..1, multiple of 5, unique.
func remarksOf(l *limits.Limits) (all []remark) {
	add := func(r remark) {
		if r.limits != nil {
			all = append(all, r)
		}
	}
	for _, text := range l.Formats {
		add(remarkOf(text, "format", lexeme.AppendQuoted(nil, text)))
	}
	for _, text := range l.Patterns {
		add(remarkOf("/"+text+"/", "pattern", lexeme.AppendQuoted(nil, text)))
	}
	add(countRemark(l.Length, "Length", "char", "chars"))
	add(countRemark(l.Items, "Items", "item", "items"))
	add(countRemark(l.Properties, "Properties", "property", "properties"))
	add(boundsRemark(l.Value.Min, l.Value.Max, "minimum", "maximum"))
	for _, m := range l.MultipleOf {
		add(remarkOf("multiple of "+string(m), "multipleOf", []byte(m)))
	}
	if l.Unique {
		add(remarkOf("unique", "uniqueItems", []byte("true")))
	}
	for _, k := range l.Other {
		add(otherRemark(k))
	}
	return all
}

// countRemark returns the range of a count; one and many are the units.
func countRemark(r limits.Range, noun, one, many string) remark {
	var min, max *limits.Bound
	if r.Min > 0 {
		min = &limits.Bound{Number: json.Number(strconv.Itoa(r.Min))}
	}
	if r.Max < limits.Unbounded {
		max = &limits.Bound{Number: json.Number(strconv.Itoa(r.Max))}
	}
	bounds := boundsRemark(min, max, "min"+noun, "max"+noun)
	text := strings.TrimPrefix(bounds.text, "=")
	switch {
	case r.Max == 0:
		bounds.text = "0 " + many
	case r.Max == 1:
		bounds.text = text + " " + one
	case r.Min == 1 && max == nil:
		bounds.text = "not empty"
	default:
		bounds.text = text + " " + many
	}
	return bounds
}

// boundsRemark returns a range; lower and upper are the keywords of inclusive bounds.
func boundsRemark(min, max *limits.Bound, lower, upper string) (r remark) {
	var texts []string
	add := func(b *limits.Bound, keyword, sign string) {
		if b == nil {
			return
		}
		if b.Exclusive {
			keyword, sign = "exclusive"+strings.ToUpper(keyword[:1])+keyword[1:], sign[:1]
		}
		r.limits = append(r.limits, limits.Keyword{Name: keyword, Value: []byte(b.Number)})
		texts = append(texts, sign+string(b.Number))
	}
	add(min, lower, ">=")
	add(max, upper, "<=")
	switch {
	case len(texts) < 2 || min.Exclusive || max.Exclusive:
		r.text = strings.Join(texts, " ")
	case min.Number == max.Number:
		r.text = "=" + string(min.Number)
	default:
		r.text = string(min.Number + ".." + max.Number)
	}
	return r
}

// otherRemark returns a keyword that is not interpreted. It is empty for names of properties
// that need only be strings, which they are.
func otherRemark(k limits.Keyword) remark {
	text := ""
	v, _ := decode(k.Value, maxDepth)
	switch k.Name {
	case "contentEncoding", "contentMediaType":
		text = v.str()
	case "propertyNames":
		keywords := slices.DeleteFunc(v.members(), func(m *value) bool {
			return m.token == "type" && m.str() == "string"
		})
		if len(keywords) == 0 {
			return remark{}
		}
		if len(keywords) == 1 {
			text = namesText(keywords[0])
		}
	}
	return remarkOf(text, k.Name, k.Value)
}

// namesText returns what a pattern or a list demands of the names of properties.
func namesText(v *value) string {
	var names []string
	switch v.token {
	case "pattern":
		names = []string{"/" + v.str() + "/"}
	case "enum":
		for _, e := range v.elements() {
			names = append(names, e.str())
		}
	}
	if len(names) == 0 || slices.Contains(names, "") {
		return ""
	}
	return "names " + strings.Join(names, ", ")
}
