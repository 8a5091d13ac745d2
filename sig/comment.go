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
	"github.com/callwire/callwire/internal/rawjson"
)

// comment describes one parameter: facts, which are limits in a short notation, then
// descriptions. A budget drops whole descriptions, never limits.
type comment struct {
	*writer
	facts, prose   []string
	label, element string      // what is described, in words: an alternative, an element
	said           set[string] // texts already there; true if they apply to all alternatives
	left           int         // how many more types may be visited
	within         []*Type     // shapes of what is being described
	hidesFacts     bool
	hidesProse     bool
}

const (
	maxCommentTypes = 64   // elements and alternatives in one comment
	maxFact         = 1000 // bytes of a limit, or of a default value
)

// comment returns the comment on a parameter after a space, "" for none. A type shared by
// several parameters is described once, unless that is short. also is the parameter's entry in
// the tool's description.
func (w *writer) comment(f *Field, also []string) string {
	if w.counting {
		return ""
	}
	c := comment{writer: w, said: make(set[string]), left: maxCommentTypes}
	c.hidesFacts = w.o.HideParameters
	c.hidesProse = w.o.HideParameters || w.dropped[len(w.lengths)]
	if f.needs != nil {
		value, _ := json.Marshal(map[string][]string{f.Name: f.needs}) // strings can be encoded
		c.fact("needs "+strings.Join(f.needs, ", "), keyword("dependentRequired", value))
	}
	omitted := len(w.omitted)
	shape := f.Type.Shape()
	if !w.commented[shape] {
		c.add(f.Type)
	} else if f.Type != shape {
		c.addOwn(f.Type, shape)
	}
	isLong := func(k Keyword) bool { return len(k.Value) > maxFact }
	omitsLong := slices.ContainsFunc(w.omitted[omitted:], isLong)
	c.describe(strings.Join(also, " "))
	w.lengths = append(w.lengths, utf8.RuneCountInString(strings.Join(c.prose, "; ")))
	text := strings.Join(append(c.facts, c.prose...), "; ")
	if f.Type != nil && (len(text) > maxInline || omitsLong) {
		w.commented[shape] = true
	}
	if text == "" {
		return ""
	}
	// With the parentheses, since some tags begin with one.
	return " " + w.guard.Neutralize("("+balanced(text)+")")
}

// omitRemarks reports that the limits and descriptions of a type are left out.
func (w *writer) omitRemarks(t *Type) {
	c := comment{writer: w, said: make(set[string]), hidesFacts: true, hidesProse: true}
	c.remarks(t)
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

// add adds the limits and descriptions of t, and of the elements and alternatives
// without a comment of their own.
func (c *comment) add(t *Type) {
	if c.left--; t == nil || c.left < 0 {
		return
	}
	c.remarks(t)
	if slices.Contains(c.within, t.Shape()) {
		return // it contains itself
	}
	label, element, within := c.label, c.element, c.within
	defer func() { c.label, c.element, c.within = label, element, within }()
	c.within = append(within, t.Shape())
	if len(t.Alts) == 0 {
		defer c.enter("[]")()
		c.element = element + "each "
		c.add(t.Items)
		for i, e := range t.Prefix {
			c.element = fmt.Sprintf("%selement %d ", element, i+1)
			c.add(e)
		}
		return
	}
	isNull := func(t *Type) bool { return t.Kinds == Null }
	isOption := len(slices.DeleteFunc(slices.Clone(t.Alts), isNull)) == 1
	for _, alt := range t.Alts {
		c.label = label
		if !isOption || isNull(alt) {
			c.label += alt.label() + ": "
		}
		c.add(alt)
	}
}

// addOwn adds what t has and its shape, described elsewhere, may lack.
func (c *comment) addOwn(t, shape *Type) {
	if t.Limits != nil {
		c.ranges(t.Limits)
	}
	if !t.showsDefault() {
		c.fact("", keyword("default", t.Default))
	}
	for _, d := range t.descriptions {
		if !slices.Contains(shape.descriptions, d) {
			c.describe(d)
		}
	}
}

// label returns the name of an alternative in a comment: its literal, or its kinds.
func (t *Type) label() string {
	if len(t.Enum) == 1 && t.Free == 0 {
		return oneLine(t.Enum[0].Text)
	}
	return shortKinds.Replace(t.Kinds.String())
}

var shortKinds = strings.NewReplacer("integer", "int", "boolean", "bool")

// remarks adds the limits of t, the default of an element, and the descriptions.
func (c *comment) remarks(t *Type) {
	if t == nil {
		return
	}
	if t.Limits != nil && !t.isListed() {
		c.limits(t.Limits)
	}
	if t.hasDefault() && (c.element != "" || !t.showsDefault()) {
		text := ""
		if !c.o.HideDefaults && t.showsDefault() {
			text = "default " + c.value(t.Default)
		}
		c.fact(text, keyword("default", t.Default))
	}
	for _, d := range t.descriptions {
		c.describe(d)
	}
}

// isListed reports whether all values are literals, and within the limits, which then say nothing.
func (t *Type) isListed() bool {
	breaks := func(m Member) bool {
		v, err := decode(m.JSON, maxDepth)
		return err != nil || !v.within(t.Limits)
	}
	return t.Free == 0 && t.Limits.Checkable() && !slices.ContainsFunc(t.Enum, breaks)
}

func keyword(name string, value []byte) Keyword {
	return Keyword{Name: name, Value: string(value)}
}

// fact adds a text for some keywords, or reports that they are left out: a comment cannot
// contain every text.
func (c *comment) fact(text string, keywords ...Keyword) {
	if c.hidesFacts || len(text) > maxFact || !showsInComment(text) || c.guard.In(text) {
		for _, k := range keywords {
			c.omit(k)
		}
		return
	}
	c.say(&c.facts, text)
}

// describe adds a description, or reports that it is left out.
func (c *comment) describe(description string) {
	text := oneLine(description)
	if !strings.HasSuffix(text, "..") { // in parentheses it needs no final period
		text = strings.TrimSuffix(text, ".")
	}
	list := &c.prose
	if c.hidesProse {
		list = new([]string)
	}
	if c.say(list, text) && c.hidesProse {
		c.omitDescription(description)
	}
}

// say adds a text unless it is empty or already there.
func (c *comment) say(list *[]string, text string) bool {
	key := c.element + text
	if text == "" || c.said[key] {
		return false
	}
	c.said[key] = c.label == ""
	*list = append(*list, c.label+key)
	return true
}

// balanced returns text with unmatched parentheses replaced by brackets.
func balanced(text string) string {
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

func (w *writer) omitDescription(text string) {
	quoted := lexeme.AppendQuoted(nil, strings.ToValidUTF8(text, "\ufffd"))
	w.omit(keyword("description", quoted))
}

// omit reports that a keyword is left out at the place being written.
func (w *writer) omit(k Keyword) {
	k.Path = strings.ReplaceAll(strings.Join(w.path, "."), ".[]", "[]")
	if len(w.omitted) < maxOmissions && !slices.Contains(w.omitted, k) {
		w.omitted = append(w.omitted, k)
	}
}

// limits adds the limits in a fixed order: date-time, /^a/, 1..10 chars, 1..3 items, 0..1,
// multiple of 5, unique.
func (c *comment) limits(l *Limits) {
	for _, text := range l.Formats {
		c.fact(text, keyword("format", lexeme.AppendQuoted(nil, text)))
	}
	for _, text := range l.Patterns {
		shown := text
		if !showsInComment(text) {
			shown = asCodes.Replace(text)
		}
		c.fact("/"+shown+"/", keyword("pattern", lexeme.AppendQuoted(nil, text)))
	}
	c.ranges(l)
	for _, m := range l.MultipleOf {
		c.fact("multiple of "+string(m), keyword("multipleOf", []byte(m)))
	}
	if l.Unique {
		c.fact("unique", keyword("uniqueItems", []byte("true")))
	}
	for _, k := range l.Other {
		c.fact(otherText(k), k)
	}
}

// otherText returns a keyword that is not interpreted.
func otherText(k Keyword) string {
	v, _ := decode([]byte(k.Value), maxDepth)
	if k.Name == "propertyNames" && v.is(Object) {
		if strings.Contains(k.Value, `"$ref"`) {
			return "" // a model does not see the definition
		}
		return "names " + namesText(v)
	}
	return v.str() // of contentEncoding or contentMediaType
}

// namesText returns what a schema demands of the names of properties: a pattern, a list, or the
// schema itself.
func namesText(v *value) string {
	var names []string
	for _, m := range v.members() {
		switch {
		case m.token == "type" && m.str() == "string":
		case m.token == "pattern" && names == nil:
			names = []string{"/" + m.str() + "/"}
		case m.token == "enum" && names == nil:
			for _, e := range m.elements() {
				names = append(names, e.str())
			}
		default:
			return string(rawjson.Compact(v.raw))
		}
	}
	if len(names) == 0 || slices.Contains(names, "") {
		return string(rawjson.Compact(v.raw))
	}
	return strings.Join(names, ", ")
}

// asCodes writes parentheses that a pattern matches, and the second of two spaces, as codes, so
// that a comment can contain them.
var asCodes = strings.NewReplacer(`\\`, `\\`, `\[`, `\[`, `\(`, `\x28`, `\)`, `\x29`,
	`[(`, `[\x28`, `[)`, `[\x29`, `[^(`, `[^\x28`, `[^)`, `[^\x29`, "  ", ` \x20`)

func (c *comment) ranges(l *Limits) {
	c.count(l.Length, "Length", "char", "chars")
	c.count(l.Items, "Items", "item", "items")
	c.count(l.Properties, "Properties", "property", "properties")
	if text, keywords := bounds(l.Min, l.Max, "imum"); text != "" {
		c.fact(text, keywords...)
	}
}

// count adds the range of a count; one and many are the units.
func (c *comment) count(r limits.Range, noun, one, many string) {
	var least, most *limits.Bound
	if r.Min > 0 {
		least = &limits.Bound{Number: json.Number(strconv.Itoa(r.Min))}
	}
	if r.Max < limits.Unbounded {
		most = &limits.Bound{Number: json.Number(strconv.Itoa(r.Max))}
	}
	text, keywords := bounds(least, most, noun)
	text = strings.TrimPrefix(text, "=")
	switch {
	case text == "":
		return
	case r.Max == 0:
		text = "0 " + many
	case r.Max == 1:
		text += " " + one
	case r.Min == 1 && most == nil:
		text = "not empty"
	default:
		text += " " + many
	}
	c.fact(text, keywords...)
}

// bounds returns a range, and its keywords: min or max and the noun, or with exclusive.
func bounds(least, most *limits.Bound, noun string) (text string, keywords []Keyword) {
	add := func(b *limits.Bound, keyword, exclusive, sign string) string {
		if b == nil {
			return ""
		}
		if b.Exclusive {
			keyword, sign = exclusive, sign[:1]
		}
		keywords = append(keywords, Keyword{Name: keyword + noun, Value: string(b.Number)})
		return sign + string(b.Number)
	}
	lower := add(least, "min", "exclusiveMin", ">=")
	upper := add(most, "max", "exclusiveMax", "<=")
	switch {
	case len(keywords) < 2 || least.Exclusive || most.Exclusive:
		text = strings.TrimSpace(lower + " " + upper)
	case least.Number == most.Number:
		text = "=" + string(least.Number)
	default:
		text = string(least.Number + ".." + most.Number)
	}
	return text, keywords
}
