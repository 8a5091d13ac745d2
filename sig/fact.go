package sig

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
)

// fact is a limit in the notation of comments.
type fact struct {
	text string    // "" cannot be shown
	of   []Keyword // the same as keywords of JSON Schema
}

// facts returns the limits of t, in a fixed order: date-time, /^a/, 1..10 chars, 0..1,
// multiple of 5, 1..3 items, unique.
func (t *Type) facts() (all []fact) {
	l := t.Limits
	if l == nil {
		return nil
	}
	add := func(text, keyword, value string) {
		all = append(all, fact{text, []Keyword{{keyword, json.RawMessage(value)}}})
	}
	quoted := func(text string) string { return string(lexeme.AppendQuoted(nil, text)) }
	for _, f := range l.Formats {
		add(f, "format", quoted(f))
	}
	for _, e := range l.Encodings {
		add(e, "contentEncoding", quoted(e))
	}
	for _, p := range l.Patterns {
		if p != "" {
			add("/"+p+"/", "pattern", quoted(p))
		}
	}
	all = l.Length.appendFact(all, "Length", "char", "chars")
	all = l.Value.appendFact(all)
	for _, m := range l.MultipleOf {
		add("multiple of "+string(m), "multipleOf", string(m))
	}
	all = l.Items.appendFact(all, "Items", "item", "items")
	if l.Unique {
		add("unique", "uniqueItems", "true")
	}
	all = l.Properties.appendFact(all, "Properties", "property", "properties")
	for _, k := range l.Other {
		text, isTrivial := "", false
		if k.Name == "propertyNames" {
			text, isTrivial = namesText(k.Value)
		}
		if !isTrivial {
			add(text, k.Name, string(k.Value))
		}
	}
	return all
}

// appendFact appends the range of a count, if it restricts anything.
func (r Range) appendFact(all []fact, noun, one, many string) []fact {
	low, high := strconv.Itoa(r.Min), strconv.Itoa(r.Max)
	f := fact{text: low + ".." + high}
	if r.Min > 0 {
		f.of = append(f.of, Keyword{"min" + noun, json.RawMessage(low)})
	}
	if r.Max < Unbounded {
		f.of = append(f.of, Keyword{"max" + noun, json.RawMessage(high)})
	}
	unit := many
	if r.Max == 1 {
		unit = one
	}
	switch {
	case f.of == nil:
		return all
	case r.Max == Unbounded && r.Min == 1:
		f.text, unit = "not", "empty"
	case r.Max == Unbounded:
		f.text = ">=" + low
	case r.Min == r.Max:
		f.text = high
	case r.Min == 0:
		f.text = "<=" + high
	}
	f.text += " " + unit
	return append(all, f)
}

// appendFact appends the interval, if it has bounds.
func (i Interval) appendFact(all []fact) []fact {
	var f fact
	var texts []string
	add := func(b *Bound, keyword, exclusive, sign string) {
		if b == nil {
			return
		}
		if b.Exclusive {
			keyword, sign = exclusive, sign[:1]
		}
		f.of = append(f.of, Keyword{keyword, json.RawMessage(b.Number)})
		texts = append(texts, sign+string(b.Number))
	}
	add(i.Min, "minimum", "exclusiveMinimum", ">=")
	add(i.Max, "maximum", "exclusiveMaximum", "<=")
	f.text = strings.Join(texts, " ")
	switch {
	case f.of == nil:
		return all
	case len(f.of) < 2 || i.Min.Exclusive || i.Max.Exclusive:
	case i.Min.Number == i.Max.Number:
		f.text = "=" + string(i.Min.Number)
	default:
		f.text = string(i.Min.Number) + ".." + string(i.Max.Number)
	}
	return append(all, f)
}

// namesText returns what the names of properties must be, "" unless that is a pattern or a
// list. isTrivial is true if they need only be strings, which they are.
func namesText(schema []byte) (text string, isTrivial bool) {
	doc, err := decode(schema)
	if err != nil || doc.root.kind != Object {
		return "", false
	}
	keywords := slices.DeleteFunc(slices.Clone(doc.root.members), func(m member) bool {
		return m.key == "type" && m.value.str() == "string"
	})
	if len(keywords) != 1 {
		return "", len(keywords) == 0
	}
	switch m := keywords[0]; m.key {
	case "pattern":
		return "names /" + m.value.str() + "/", false
	case "enum":
		var names []string
		for _, e := range m.value.elements {
			names = append(names, e.str())
		}
		if !slices.Contains(names, "") {
			return "names " + strings.Join(names, ", "), false
		}
	}
	return "", false
}

// needs returns, by property, which others it requires.
func (t *Type) needs() map[string][]fact {
	if t.Limits == nil {
		return nil
	}
	all := make(map[string][]fact)
	for _, n := range t.Limits.Needs {
		value, _ := json.Marshal(map[string][]string{n.Name: n.Others}) // strings can be encoded
		f := fact{"needs " + strings.Join(n.Others, ", "), []Keyword{{"dependentRequired", value}}}
		all[n.Name] = append(all[n.Name], f)
	}
	return all
}
