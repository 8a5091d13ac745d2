package sig

import (
	"encoding/json"
	"fmt"
	"strings"
)

// This file puts constraints into words, for the comment on a parameter.

// remark is what some constraints of a place say, in words.
type remark struct {
	text string
	of   []*Constraint
}

// remarks returns the constraints of t in words, each once, in the order of
// constraintKeywords. Those that have no words in one line are not among them.
func (t *Type) remarks() []remark {
	if len(t.Constraints) == 0 {
		return nil
	}
	r := remarker{single: make(map[string]*Constraint)}
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

type remarker struct {
	single map[string]*Constraint // by keyword; nil where there are several
	all    []remark
}

func (r *remarker) say(text string, of ...*Constraint) {
	r.all = append(r.all, remark{text, of})
}

// add says a constraint, unless another one says it too.
func (r *remarker) add(c *Constraint) {
	value := string(c.Value)
	switch c.Keyword {
	case "format", "contentEncoding", "contentMediaType":
		if text := textIn(c.Value); showsInComment(text) {
			r.say(text, c)
		}
	case "pattern":
		if text := textIn(c.Value); showsInComment(text) {
			r.say("pattern "+text, c)
		}
	case "minLength", "maxLength":
		r.bounds(c, "minLength", "maxLength", " characters")
	case "minItems", "maxItems":
		r.bounds(c, "minItems", "maxItems", " items")
	case "minProperties", "maxProperties":
		r.bounds(c, "minProperties", "maxProperties", " properties")
	case "minimum":
		if exclusive := r.single["exclusiveMinimum"]; exclusive != nil && string(exclusive.Value) == "true" {
			r.say("over "+value, c, exclusive) // as before 2016
			return
		}
		r.bounds(c, "minimum", "maximum", "")
	case "maximum":
		if exclusive := r.single["exclusiveMaximum"]; exclusive != nil && string(exclusive.Value) == "true" {
			r.say("under "+value, c, exclusive)
			return
		}
		r.bounds(c, "minimum", "maximum", "")
	case "exclusiveMinimum", "exclusiveMaximum":
		switch word := "over "; {
		case value == "true":
		case value == "false":
			r.say("", c)
		default:
			if c.Keyword == "exclusiveMaximum" {
				word = "under "
			}
			r.say(word+value, c)
		}
	case "multipleOf":
		r.say("multiple of "+value, c)
	case "uniqueItems":
		if value == "true" {
			r.say("unique items", c)
		} else {
			r.say("", c)
		}
	case "propertyNames":
		r.names(c)
	}
}

// bounds says a lower or upper bound, and both as a range.
func (r *remarker) bounds(c *Constraint, lower, upper, unit string) {
	low, high := r.single[lower], r.single[upper]
	if c == high && low != nil && !r.excludes(low) {
		return // said with the other
	}
	value := string(c.Value)
	count := unit != ""
	switch {
	case count && c.Keyword == lower && value == "0" && (high == nil || c != low):
		r.say("", c)
	case c == low && high != nil && !r.excludes(high):
		switch to := string(high.Value); {
		case value == to:
			r.say("exactly "+counted(value, unit), low, high)
		case count && value == "0":
			r.say("at most "+counted(to, unit), low, high)
		default:
			r.say(value+" to "+counted(to, unit), low, high)
		}
	case c.Keyword == lower && count && value == "1":
		r.say("not empty", c)
	case c.Keyword == lower:
		r.say("at least "+counted(value, unit), c)
	default:
		r.say("at most "+counted(value, unit), c)
	}
}

// excludes reports whether a bound is not in its range, as it was said before
// 2016.
func (r *remarker) excludes(c *Constraint) bool {
	exclusive := r.single["exclusive"+strings.ToUpper(c.Keyword[:1])+c.Keyword[1:]]
	return exclusive != nil && string(exclusive.Value) == "true"
}

// counted returns a number and what it counts.
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

// names says what the names of properties must be: a pattern, or one of a list.
func (r *remarker) names(c *Constraint) {
	var s map[string]json.RawMessage
	if string(c.Value) == "true" || json.Unmarshal(c.Value, &s) != nil {
		if string(c.Value) == "true" {
			r.say("", c)
		}
		return
	}
	if string(s["type"]) == `"string"` { // all are
		delete(s, "type")
	}
	var list []string
	switch pattern := textIn(s["pattern"]); {
	case len(s) == 0:
		r.say("", c)
	case len(s) > 1:
	case pattern != "" && showsInComment(pattern):
		r.say("names match "+pattern, c)
	case s["enum"] != nil && json.Unmarshal(s["enum"], &list) == nil && showsInComment(strings.Join(list, ", ")):
		r.say("names "+strings.Join(list, ", "), c)
	}
}

// eachDependency calls f for each property that needs others, in the order of the
// source. Of dependencies those that are schemas are no constraints.
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

// showsInComment reports whether a text that is exact stands in a comment as it
// is: nothing in it would be taken for the end of the comment, or made prose.
func showsInComment(text string) bool {
	return text != "" && oneLine(text) == text && balanced(text) == text
}

// told is what there is to say of a place besides its type: facts, which are
// exact, and prose.
type told struct {
	facts []remark
	prose []string
	whole []string        // descriptions of which all is in prose
	said  map[string]bool // of the place itself, which alternatives repeat
	left  int             // how many more types are looked at
}

// The bounds of what is told of one place.
const (
	maxToldDepth = 3  // elements of elements
	maxTold      = 64 // types
)

// tell returns what there is to say of t, and of the elements and alternatives
// that have no comment of their own.
func (w *signer) tell(t *Type) told {
	all := told{said: make(map[string]bool), left: maxTold}
	w.tellInto(&all, t, "", "", 0)
	return all
}

// tellInto adds what there is to say of t. A label says which alternative t is, a
// prefix which element.
func (w *signer) tellInto(all *told, t *Type, label, prefix string, depth int) {
	if all.left--; t == nil || depth > maxToldDepth || all.left < 0 {
		return
	}
	for _, r := range t.remarks() {
		switch key := prefix + r.text; {
		case w.guard.In(r.text):
			continue // it would not be exact any more
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
			all.facts = append(all.facts, remark{text: label + prefix + "default " + text})
		}
	}
	for _, d := range append([]string{t.Description}, t.further...) {
		if all.addProse(w, label, prefix, d) && w.o.Parameters == Short {
			break
		}
	}
	if len(t.Alts) == 0 {
		w.tellInto(all, t.Items, label, prefix+"each ", depth+1)
		for i, e := range t.Prefix {
			w.tellInto(all, e, label, fmt.Sprintf("%selement %d ", prefix, i+1), depth+1)
		}
		return
	}
	single := t.singleAlternative()
	for _, alt := range t.Alts {
		name := label
		if alt != single {
			name += alt.label() + ": "
		}
		w.tellInto(all, alt, name, prefix, depth+1)
	}
}

// addProse adds a description and reports whether it was not there yet.
func (all *told) addProse(w *signer, label, prefix, description string) bool {
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

// singleAlternative returns the alternative that is not null, if there is one.
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

// label returns what an alternative is called in a comment: its literal, or the
// kinds of its values.
func (t *Type) label() string {
	if len(t.Enum) == 1 && t.Free == 0 {
		return oneLine(t.Enum[0].Text)
	}
	return strings.NewReplacer("integer", "int", "boolean", "bool").Replace(t.Kinds.String())
}
