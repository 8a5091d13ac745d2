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
	all = append(all, l.Length.fact("Length", "char", "chars"), l.Value.fact("minimum", "maximum"))
	for _, m := range l.MultipleOf {
		add("multiple of "+string(m), "multipleOf", string(m))
	}
	all = append(all, l.Items.fact("Items", "item", "items"))
	if l.Unique {
		add("unique", "uniqueItems", "true")
	}
	all = append(all, l.Properties.fact("Properties", "property", "properties"))
	for _, k := range l.Other {
		text, isTrivial := "", false
		if k.Name == "propertyNames" {
			text, isTrivial = namesText(k.Value)
		}
		if !isTrivial {
			add(text, k.Name, string(k.Value))
		}
	}
	return slices.DeleteFunc(all, func(f fact) bool { return f.of == nil })
}

// fact returns the range of a count; one and many are the units.
func (r Range) fact(noun, one, many string) fact {
	var i Interval
	if r.Min > 0 {
		i.Min = &Bound{Number: json.Number(strconv.Itoa(r.Min))}
	}
	if r.Max < Unbounded {
		i.Max = &Bound{Number: json.Number(strconv.Itoa(r.Max))}
	}
	f := i.fact("min"+noun, "max"+noun)
	switch {
	case r.Min == 1 && i.Max == nil:
		f.text = "not empty"
	case r.Max == 0:
		f.text = "0 " + many
	case r.Max == 1:
		f.text = strings.TrimPrefix(f.text, "=") + " " + one
	default:
		f.text = strings.TrimPrefix(f.text, "=") + " " + many
	}
	return f
}

// fact returns the interval; lower and upper are the keywords of inclusive bounds.
func (i Interval) fact(lower, upper string) (f fact) {
	var texts []string
	isInclusive := true
	add := func(b *Bound, keyword, sign string) {
		if b == nil {
			return
		}
		if b.Exclusive {
			keyword, sign = "exclusive"+strings.ToUpper(keyword[:1])+keyword[1:], sign[:1]
			isInclusive = false
		}
		f.of = append(f.of, Keyword{keyword, json.RawMessage(b.Number)})
		texts = append(texts, sign+string(b.Number))
	}
	add(i.Min, lower, ">=")
	add(i.Max, upper, "<=")
	f.text = strings.Join(texts, " ")
	switch {
	case len(f.of) < 2 || !isInclusive:
	case i.Min.Number == i.Max.Number:
		f.text = "=" + string(i.Min.Number)
	default:
		f.text = string(i.Min.Number + ".." + i.Max.Number)
	}
	return f
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
