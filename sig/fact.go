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
	text string
	of   []Keyword // the same as keywords of JSON Schema
}

func newFact(text, keyword string, value json.RawMessage) fact {
	return fact{text: text, of: []Keyword{{keyword, value}}}
}

// facts returns the limits of t, in a fixed order: date-time, /^a/, 1..10 chars, 0..1,
// multiple of 5, 1..3 items, unique. A fact without a text cannot be shown.
func (t *Type) facts() []fact {
	l := t.Limits
	if l == nil {
		return nil
	}
	var all []fact
	text := func(text, keyword, value string) {
		all = append(all, newFact(text, keyword, lexeme.AppendQuoted(nil, value)))
	}
	for _, f := range l.Formats {
		text(f, "format", f)
	}
	for _, e := range l.Encodings {
		text(e, "contentEncoding", e)
	}
	for _, p := range l.Patterns {
		if p != "" {
			text("/"+p+"/", "pattern", p)
		}
	}
	all = l.Length.appendFact(all, "Length", "char", "chars")
	all = l.Value.appendFact(all)
	for _, m := range l.MultipleOf {
		all = append(all, newFact("multiple of "+string(m), "multipleOf", []byte(m)))
	}
	all = l.Items.appendFact(all, "Items", "item", "items")
	if l.Unique {
		all = append(all, newFact("unique", "uniqueItems", []byte("true")))
	}
	all = l.Properties.appendFact(all, "Properties", "property", "properties")
	for _, k := range l.Other {
		if k.Name == "propertyNames" {
			all = appendNames(all, k)
		} else {
			all = append(all, fact{of: []Keyword{k}})
		}
	}
	return all
}

// appendFact appends the range of a count, if it restricts anything.
func (r Range) appendFact(all []fact, noun, one, many string) []fact {
	low, high := strconv.Itoa(r.Min), strconv.Itoa(r.Max)
	var of []Keyword
	if r.Min > 0 {
		of = append(of, Keyword{"min" + noun, json.RawMessage(low)})
	}
	if r.Max < Unbounded {
		of = append(of, Keyword{"max" + noun, json.RawMessage(high)})
	}
	unit, text := " "+many, ""
	if r.Max == 1 {
		unit = " " + one
	}
	switch {
	case of == nil:
		return all
	case r.Min == r.Max:
		text = high + unit
	case r.Min == 0:
		text = "<=" + high + unit
	case r.Max == Unbounded && r.Min == 1:
		text = "not empty"
	case r.Max == Unbounded:
		text = ">=" + low + unit
	default:
		text = low + ".." + high + unit
	}
	return append(all, fact{text: text, of: of})
}

// appendFact appends the interval, if it has bounds.
func (i Interval) appendFact(all []fact) []fact {
	var of []Keyword
	var texts []string
	bound := func(b *Bound, keyword, exclusive, sign string) {
		if b == nil {
			return
		}
		if b.Exclusive {
			keyword, sign = exclusive, strings.TrimSuffix(sign, "=")
		}
		of = append(of, Keyword{keyword, json.RawMessage(b.Number)})
		texts = append(texts, sign+string(b.Number))
	}
	bound(i.Min, "minimum", "exclusiveMinimum", ">=")
	bound(i.Max, "maximum", "exclusiveMaximum", "<=")
	switch {
	case of == nil:
		return all
	case len(of) < 2 || i.Min.Exclusive || i.Max.Exclusive:
	case i.Min.Number == i.Max.Number:
		texts = []string{"=" + string(i.Min.Number)}
	default:
		texts = []string{string(i.Min.Number) + ".." + string(i.Max.Number)}
	}
	return append(all, fact{text: strings.Join(texts, " "), of: of})
}

// appendNames appends what the names of properties must be, if it is a pattern or a list.
func appendNames(all []fact, k Keyword) []fact {
	f := fact{of: []Keyword{k}}
	doc, err := decode(k.Value)
	if err != nil {
		return append(all, f) // not reached: k was decoded before
	}
	var keywords []member
	for _, m := range doc.root.members {
		if m.key != "type" || m.value.str() != "string" { // all names are strings
			keywords = append(keywords, m)
		}
	}
	if len(keywords) == 0 && doc.root.kind == Object {
		return all
	}
	if len(keywords) == 1 {
		switch m := keywords[0]; m.key {
		case "pattern":
			f.text = "names /" + m.value.str() + "/"
		case "enum":
			var names []string
			for _, e := range m.value.elements {
				names = append(names, e.str())
			}
			if !slices.Contains(names, "") {
				f.text = "names " + strings.Join(names, ", ")
			}
		}
	}
	return append(all, f)
}
