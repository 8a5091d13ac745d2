package constrain

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/sig"
)

var errPatterns = errors.New("the patterns of the catalog have too many states")

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
	hourPattern = `([01][0-9]|2[0-3]):[0-5][0-9]`
	timePattern = hourPattern + `:([0-5][0-9]|60)(\.[0-9]{1,9})?([Zz]|[+-]` + hourPattern + `)`
)

// stringSet is a set of strings, as constraints define it.
type stringSet struct {
	min, max int      // characters, unless patterns enforce them; max < 0 means no bound
	patterns []string // those that are enforced
}

// stringsOf returns the strings of t, as far as its limits are enforced.
func (m *mapper) stringsOf(t *sig.Type) stringSet {
	s := stringSet{max: -1}
	if t == nil || t.Limits == nil {
		return s
	}
	patterns := slices.Clone(t.Limits.Patterns)
	for _, f := range t.Limits.Formats {
		if formats[f] != "" {
			patterns = append(patterns, formats[f])
		} else {
			m.note(Widened, "format", fmt.Sprintf("the format %.40s is not enforced", f))
		}
	}
	s.min, s.max = m.counts(t.Limits.Length, "Length", longestBound, 0)
	for _, p := range patterns {
		m.enforce(&s, p)
	}
	if len(s.patterns) > 0 && (s.min > 0 || s.max >= 0) {
		m.enforce(&s, lengthPattern(s.min, s.max))
	}
	return s
}

// lengthPattern matches texts of min to max characters.
func lengthPattern(min, max int) string {
	bounds := strconv.Itoa(min) + ","
	if max >= 0 {
		bounds += strconv.Itoa(max)
	}
	return `^(?s:.{` + bounds + `})$`
}

// enforce restricts the set by a pattern, or notes that the pattern is not enforced.
func (m *mapper) enforce(s *stringSet, pattern string) {
	all := append(slices.Clip(s.patterns), pattern)
	if _, err := m.intersection(all, ""); err != nil {
		m.note(Widened, "pattern", "it is not enforced: "+err.Error())
	} else {
		s.patterns = all
	}
}

// intersection caches the function intersect and bounds its work for a catalog.
func (m *mapper) intersection(patterns []string, not string) (automaton, error) {
	key := not + "\x00" + strings.Join(patterns, "\x00")
	found, known := m.patterns[key]
	if !known && m.states <= 0 {
		return nil, errPatterns
	}
	if !known {
		found.automaton, found.err = intersect(patterns, not)
		m.states -= len(found.automaton)
		if found.err != nil {
			m.states -= maxStates / 10 // a failure costs work, too
		}
		m.patterns[key] = found
	}
	return found.automaton, found.err
}

type compiled struct {
	automaton automaton
	err       error
}

// longestBound is the greatest length that is enforced: in some engines every
// character takes a rule.
const longestBound = 1000

// counts returns the least and most of a range, most < 0 if there is no bound. A least
// greater than bound becomes beyond, and such a most none.
func (m *mapper) counts(r sig.Range, noun string, bound, beyond int) (least, most int) {
	least, most = r.Min, r.Max
	tooLarge := "bounds over " + strconv.Itoa(bound) + " are not enforced"
	if least > bound {
		m.note(Widened, "min"+noun, tooLarge)
		least = beyond
	}
	switch {
	case most == sig.Unbounded:
		most = -1
	case most > bound:
		m.note(Widened, "max"+noun, tooLarge)
		most = -1
	case most < least:
		m.note(Widened, "max"+noun, "max"+noun+" is less than min"+noun+": neither is enforced")
		return 0, -1
	}
	return least, most
}

// mostItems is the greatest bound on an array that engines accept.
const mostItems = 2000

// items returns the minimum and maximum number of items of an array; most < 0 means
// no bound. With several alternatives, the loosest bounds apply.
func (m *mapper) items(t *sig.Type) (least, most int) {
	m.noteArrays(t)
	for i, alt := range altsOf(t, sig.Array) {
		low, high := 0, -1
		if alt != nil && alt.Limits != nil {
			low, high = m.counts(alt.Limits.Items, "Items", mostItems, mostItems)
		}
		switch {
		case i == 0:
			least, most = low, high
		case most < 0 || high < 0:
			least, most = min(least, low), -1
		default:
			least, most = min(least, low), max(most, high)
		}
	}
	return least, most
}

// noteArrays notes that arrays of several alternatives are mixed.
func (m *mapper) noteArrays(t *sig.Type) {
	arrays := 0
	for i := 0; t != nil && i < len(t.Alts); i++ {
		if t.Alts[i].Free&sig.Array != 0 {
			arrays++
		}
	}
	if arrays > 1 {
		m.note(Widened, "items", "items and limits of different alternatives can be combined")
	}
}

// altsOf returns the types whose limits apply to the values of t that have one of the
// kinds: the alternatives that allow such values, or t itself if it has no alternatives. An
// alternative without limits that allows all of the values is the only one.
func altsOf(t *sig.Type, kinds sig.Kinds) (all []*sig.Type) {
	if t == nil || len(t.Alts) == 0 {
		return []*sig.Type{t}
	}
	for _, alt := range t.Alts {
		free := alt.Free & kinds
		if free != 0 && free == t.Free&kinds && alt.Limits == nil {
			return []*sig.Type{alt}
		}
		if free != 0 {
			all = append(all, alt)
		}
	}
	return all
}

const numeric = sig.Integer | sig.Number

// hasRange reports whether some numbers of t are out of range.
func hasRange(t *sig.Type) bool {
	return slices.ContainsFunc(altsOf(t, numeric), func(alt *sig.Type) bool {
		return alt != nil && alt.Limits != nil && alt.Limits.Value != sig.Interval{}
	})
}

// hasAnyString reports whether t allows all strings.
func hasAnyString(t *sig.Type) bool {
	isLimited := func(alt *sig.Type) bool { return alt != nil && alt.Limits != nil }
	return freeOf(t)&sig.String != 0 && !slices.ContainsFunc(altsOf(t, sig.String), isLimited)
}

// noteLimits notes the limits on scalars and arrays of t that no grammar enforces.
func (m *mapper) noteLimits(t *sig.Type) {
	for _, kinds := range [...]sig.Kinds{numeric, sig.String, sig.Array, sig.Object} {
		for _, alt := range altsOf(t, kinds) {
			if alt == nil || alt.Limits == nil {
				continue
			}
			l := alt.Limits
			m.noteIf(len(l.Encodings) > 0, "contentEncoding")
			m.noteIf(len(l.MultipleOf) > 0, "multipleOf")
			m.noteIf(l.Unique, "uniqueItems")
			for _, k := range l.Other {
				m.noteIf(true, k.Name)
			}
		}
	}
}

// noteProperties notes the limits on the properties of t, which no grammar enforces.
func (m *mapper) noteProperties(t *sig.Type) {
	m.noteLimits(t)
	for _, alt := range altsOf(t, sig.Object) {
		if alt != nil && alt.Limits != nil {
			l := alt.Limits
			m.noteIf(l.Properties.Min > 0, "minProperties")
			m.noteIf(l.Properties.Max < sig.Unbounded, "maxProperties")
			m.noteIf(len(l.Needs) > 0, "dependentRequired")
		}
	}
}

// noteIf notes a keyword that has no effect.
func (m *mapper) noteIf(stated bool, keyword string) {
	if stated {
		m.note(Widened, keyword, notEnforced)
	}
}

const notEnforced = "it is not enforced"

// noteObject notes what the object t demands and no grammar enforces.
func (m *mapper) noteObject(t *sig.Type) {
	m.noteProperties(t)
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
		m.note(Widened, "required",
			"a property that only some alternatives of anyOf or oneOf require may be missing")
	}
	if !t.Closed {
		m.note(Narrowed, "additionalProperties", "only declared properties are allowed")
	}
}
