package constrain

import (
	"encoding/json"
	"strconv"

	"github.com/callwire/callwire/sig"
)

// formats are the formats that are enforced: those that are cheap for engines and
// that models get wrong. Dates and times are as in RFC 3339.
var formats = map[string]string{
	"date":      `^` + datePattern + `$`,
	"time":      `^` + timePattern + `$`,
	"date-time": `^` + datePattern + `[Tt]` + timePattern + `$`,
	"uuid":      `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`,
}

const (
	datePattern = `[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])`
	timePattern = `([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])`
)

// stringSet is a set of strings, as constraints define it.
type stringSet struct {
	min, max  int        // characters; max < 0 means no bound
	patterns  []string   // those that the automaton enforces
	automaton *automaton // nil: any string of that length
}

// stringsOf returns the strings of t, as far as constraints are enforced.
func (m *mapper) stringsOf(t *sig.Type) stringSet {
	s := stringSet{max: -1}
	if t == nil {
		return s
	}
	var patterns []string
	for i := range t.Constraints {
		c := &t.Constraints[i]
		var text string
		if json.Unmarshal(c.Value, &text) == nil {
			switch {
			case c.Keyword == "pattern":
				patterns = append(patterns, text)
			case c.Keyword == "format" && formats[text] != "":
				patterns = append(patterns, formats[text])
			case c.Keyword == "format":
				m.note(Widened, c.Keyword, "the format "+excerpt(text)+" is not enforced")
			}
		}
	}
	s.min = max(0, m.length(t, "minLength", 0, longestBound, 0))
	s.max = m.length(t, "maxLength", -1, longestBound, -1)
	if s.max >= 0 && s.max < s.min {
		m.note(Widened, "maxLength", "maxLength is less than minLength: neither is enforced")
		s.min, s.max = 0, -1
	}
	for _, p := range patterns {
		m.enforce(&s, p)
	}
	if s.automaton == nil || s.min == 0 && s.max < 0 {
		return s
	}
	bounds := s
	if m.enforce(&bounds, lengthPattern(s.min, s.max)) {
		return bounds
	}
	return s
}

// lengthPattern matches texts of min to max characters.
func lengthPattern(min, max int) string {
	if max < 0 {
		return `^(?s:.{` + strconv.Itoa(min) + `,})$`
	}
	return `^(?s:.{` + strconv.Itoa(min) + `,` + strconv.Itoa(max) + `})$`
}

// enforce restricts the set by a pattern, or notes that the pattern is not enforced.
func (m *mapper) enforce(s *stringSet, pattern string) bool {
	all := append(s.patterns[:len(s.patterns):len(s.patterns)], pattern)
	a, err := m.intersection(all, "")
	if err != nil {
		m.note(Widened, "pattern", "it is not enforced: "+err.Error())
		return false
	}
	s.patterns, s.automaton = all, a
	return true
}

// intersection caches the function intersection and bounds its work for a catalog.
func (m *mapper) intersection(patterns []string, not string) (*automaton, error) {
	key := not
	for _, p := range patterns {
		key += "\x00" + p
	}
	if found, ok := m.patterns[key]; ok {
		return found.automaton, found.err
	}
	if m.states <= 0 {
		return nil, errPatterns
	}
	a, err := intersection(patterns, not)
	if err == nil {
		m.states -= len(a.states)
	} else {
		m.states -= maxStates / 10 // a failure costs work, too
	}
	m.patterns[key] = compiled{a, err}
	return a, err
}

type compiled struct {
	automaton *automaton
	err       error
}

// length returns the bound that t has under the keyword, or none if it has none. A
// bound greater than most becomes beyond.
func (m *mapper) length(t *sig.Type, keyword string, none, most, beyond int) int {
	for i := range t.Constraints {
		c := &t.Constraints[i]
		if c.Keyword != keyword {
			continue
		}
		v, err := strconv.ParseFloat(string(c.Value), 64)
		switch {
		case err != nil || v < 0:
			m.note(Widened, keyword, "it is not a length")
			return none
		case v > float64(most):
			m.note(Widened, keyword, "bounds over "+strconv.Itoa(most)+" are not enforced")
			return beyond
		}
		return int(v)
	}
	return none
}

// mostItems is the greatest bound on an array that engines accept.
const mostItems = 2000

// items returns the minimum and maximum number of items of an array; most < 0 means
// no bound.
func (m *mapper) items(t *sig.Type) (least, most int) {
	if t == nil {
		return 0, -1
	}
	least = max(0, m.length(t, "minItems", 0, mostItems, mostItems))
	most = m.length(t, "maxItems", -1, mostItems, -1)
	if most >= 0 && most < least {
		m.note(Widened, "maxItems", "maxItems is less than minItems: neither is enforced")
		return 0, -1
	}
	return least, most
}

// noteConstraints notes the constraints of t that no grammar enforces.
func (m *mapper) noteConstraints(t *sig.Type) {
	if t == nil {
		return
	}
	for i := range t.Constraints {
		switch c := &t.Constraints[i]; c.Keyword {
		case "format", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems":
		case "minProperties", "maxProperties", "propertyNames", "dependentRequired", "dependencies":
			// see noteObject
		default:
			m.note(Widened, c.Keyword, "it is not enforced")
		}
	}
}

// noteObject notes the constraints of the object t that no grammar enforces.
func (m *mapper) noteObject(t *sig.Type) {
	for i := range t.Constraints {
		switch c := &t.Constraints[i]; c.Keyword {
		case "minProperties", "maxProperties", "propertyNames", "dependentRequired", "dependencies":
			m.note(Widened, c.Keyword, "it is not enforced")
		}
	}
	objects, lost := 0, false
	for _, alt := range t.Alts {
		if alt.Kinds&sig.Object == 0 {
			continue
		}
		objects++
		for i := range alt.Fields {
			f := t.Field([]byte(alt.Fields[i].Name))
			lost = lost || alt.Fields[i].Required && (f == nil || !f.Required)
		}
	}
	if objects > 1 {
		m.note(Widened, "anyOf", "properties of different alternatives can be combined")
	}
	if lost {
		m.note(Widened, "required", "a property that only some alternatives of anyOf or oneOf require may be missing")
	}
	if !t.Closed {
		m.note(Narrowed, "additionalProperties", "only declared properties are allowed")
	}
}
