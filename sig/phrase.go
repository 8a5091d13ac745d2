package sig

import (
	"encoding/json"
	"strings"
)

// phrase is one or more constraints in words, for the comment on a parameter. Its
// text is empty if the constraints restrict nothing.
type phrase struct {
	text string
	of   []*Constraint
}

// phrases returns the constraints of t in words, each once, in the order of
// constraintKeywords. It leaves out those that cannot be put in one line.
func (t *Type) phrases() []phrase {
	if len(t.Constraints) == 0 {
		return nil
	}
	r := phraser{single: make(map[string]*Constraint)}
	for i := range t.Constraints {
		c := &t.Constraints[i]
		if _, again := r.single[c.Keyword]; again {
			c = nil
		}
		r.single[t.Constraints[i].Keyword] = c
	}
	for i := range t.Constraints {
		r.add(&t.Constraints[i])
	}
	return r.all
}

// phraser puts the constraints of one type into words.
type phraser struct {
	single map[string]*Constraint // by keyword; nil if there are several
	all    []phrase
}

func (r *phraser) append(text string, of ...*Constraint) {
	r.all = append(r.all, phrase{text, of})
}

// add appends a constraint, unless it is part of another phrase.
func (r *phraser) add(c *Constraint) {
	value := string(c.Value)
	switch c.Keyword {
	case "format", "contentEncoding", "contentMediaType":
		if text := textIn(c.Value); showsInComment(text) {
			r.append(text, c)
		}
	case "pattern":
		if text := textIn(c.Value); showsInComment(text) {
			r.append("pattern "+text, c)
		}
	case "minLength", "maxLength":
		r.bounds(c, "minLength", "maxLength", " characters")
	case "minItems", "maxItems":
		r.bounds(c, "minItems", "maxItems", " items")
	case "minProperties", "maxProperties":
		r.bounds(c, "minProperties", "maxProperties", " properties")
	case "minimum", "maximum":
		r.bounds(c, "minimum", "maximum", "")
	case "exclusiveMinimum":
		r.append("over "+value, c)
	case "exclusiveMaximum":
		r.append("under "+value, c)
	case "multipleOf":
		r.append("multiple of "+value, c)
	case "uniqueItems":
		if value == "true" {
			r.append("unique items", c)
		} else {
			r.append("", c)
		}
	case "propertyNames":
		r.names(c)
	}
}

// bounds appends a lower or upper bound, or both as a range.
func (r *phraser) bounds(c *Constraint, lower, upper, unit string) {
	low, high := r.single[lower], r.single[upper]
	if c == high && low != nil {
		return // part of the phrase for the lower bound
	}
	value := string(c.Value)
	count := unit != ""
	switch {
	case count && c.Keyword == lower && value == "0" && (high == nil || c != low):
		r.append("", c)
	case c == low && high != nil:
		switch to := string(high.Value); {
		case value == to:
			r.append("exactly "+counted(value, unit), low, high)
		case count && value == "0":
			r.append("at most "+counted(to, unit), low, high)
		default:
			r.append(value+" to "+counted(to, unit), low, high)
		}
	case c.Keyword == lower && count && value == "1":
		r.append("not empty", c)
	case c.Keyword == lower:
		r.append("at least "+counted(value, unit), c)
	default:
		r.append("at most "+counted(value, unit), c)
	}
}

// counted returns a number with its unit, in the singular for 1.
func counted(n, unit string) string {
	if n == "1" {
		switch unit {
		case " characters", " items":
			unit = unit[:len(unit)-1]
		case " properties":
			unit = " property"
		}
	}
	return n + unit
}

// names appends what the names of properties must be: a pattern or a list.
func (r *phraser) names(c *Constraint) {
	var s map[string]json.RawMessage
	if string(c.Value) == "true" || json.Unmarshal(c.Value, &s) != nil {
		if string(c.Value) == "true" {
			r.append("", c)
		}
		return
	}
	if string(s["type"]) == `"string"` { // all names are
		delete(s, "type")
	}
	var list []string
	switch pattern := textIn(s["pattern"]); {
	case len(s) == 0:
		r.append("", c)
	case len(s) > 1:
	case pattern != "" && showsInComment(pattern):
		r.append("names match "+pattern, c)
	case s["enum"] != nil && json.Unmarshal(s["enum"], &list) == nil && showsInComment(strings.Join(list, ", ")):
		r.append("names "+strings.Join(list, ", "), c)
	}
}

// eachDependency calls f for each property that requires others, in source order.
// It skips dependencies that are schemas.
func eachDependency(c *Constraint, f func(name string, needed []string)) {
	doc, err := decode(c.Value)
	if err != nil {
		return // it was decoded before
	}
	for _, m := range doc.root.members {
		var needed []string
		for _, e := range m.value.elements {
			needed = append(needed, e.str())
		}
		if m.value.is(Array) && len(needed) > 0 {
			f(m.key, needed)
		}
	}
}

// textIn returns the text of a JSON string, "" for anything else.
func textIn(data []byte) (text string) {
	json.Unmarshal(data, &text)
	return text
}

// showsInComment reports whether a comment can contain the exact text: nothing in
// it would be read as the end of the comment, or changed by oneLine.
func showsInComment(text string) bool {
	return text != "" && oneLine(text) == text && balanced(text) == text
}
