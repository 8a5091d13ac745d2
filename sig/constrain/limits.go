package constrain

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/limits"
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
	length   limits.Range // in characters, unless patterns enforce it
	patterns []string     // those that are enforced
}

// anyString is the set of all strings.
var anyString = stringSet{length: anyCount}

// stringsOf returns the strings of t, as far as its limits are enforced.
func (m *mapper) stringsOf(t *sig.Type) stringSet {
	l := limitsOf(t)
	patterns := slices.Clone(l.Patterns)
	for _, f := range l.Formats {
		if formats[f] != "" {
			patterns = append(patterns, formats[f])
		} else {
			m.note(widened, "format", fmt.Sprintf("the format %.40s is not enforced", f))
		}
	}
	s := stringSet{length: m.counts(l.Length, "Length", longestBound, 0)}
	for _, p := range patterns {
		m.enforce(&s, p)
	}
	if len(s.patterns) > 0 && s.length != anyCount {
		m.enforce(&s, lengthPattern(s.length))
	}
	return s
}

// lengthPattern matches texts of that many characters.
func lengthPattern(r limits.Range) string {
	bounds := strconv.Itoa(r.Min) + ","
	if r.Max != limits.Unbounded {
		bounds += strconv.Itoa(r.Max)
	}
	return `^(?s:.{` + bounds + `})$`
}

// enforce restricts the set by a pattern, or notes that the pattern is not enforced.
func (m *mapper) enforce(s *stringSet, pattern string) {
	all := append(slices.Clip(s.patterns), pattern)
	if _, err := m.intersection(all, ""); err != nil {
		m.note(widened, "pattern", "it is not enforced: "+err.Error())
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
		found.texts, found.err = intersect(patterns, not)
		if found.err == nil {
			m.states -= len(found.texts)
		} else {
			m.states -= maxStates / 10 // a failure costs work, too
		}
		m.patterns[key] = found
	}
	return found.texts, found.err
}

type compiled struct {
	texts automaton
	err   error
}

// longestBound is the greatest length that is enforced: in some engines every
// character takes a rule.
const longestBound = 1000

// counts returns a range as far as it is enforced. A minimum greater than bound becomes beyond,
// and such a maximum none.
func (m *mapper) counts(r limits.Range, noun string, bound, beyond int) limits.Range {
	tooLarge := "bounds over " + strconv.Itoa(bound) + " are not enforced"
	if r.Min > bound {
		m.note(widened, "min"+noun, tooLarge)
		r.Min = beyond
	}
	switch {
	case r.Max == limits.Unbounded:
	case r.Max > bound:
		m.note(widened, "max"+noun, tooLarge)
		r.Max = limits.Unbounded
	case r.Max < r.Min:
		m.note(widened, "max"+noun, "max"+noun+" is less than min"+noun+": neither is enforced")
		return anyCount
	}
	return r
}

var anyCount = limits.Range{Max: limits.Unbounded}

// mostItems is the greatest bound on an array that engines accept.
const mostItems = 2000

// items returns the number of items of an array. With several alternatives, the loosest
// bounds apply.
func (m *mapper) items(t *sig.Type) limits.Range {
	m.noteMixed(t, sig.Array, "items", "items and limits")
	loosest := limits.Range{Min: limits.Unbounded}
	for _, alt := range altsOf(t, sig.Array) {
		r := m.counts(limitsOf(alt).Items, "Items", mostItems, mostItems)
		loosest.Min, loosest.Max = min(loosest.Min, r.Min), max(loosest.Max, r.Max)
	}
	return loosest
}

// altsOf returns the types whose limits apply to the values of t that have one of the
// kinds: the alternatives that allow such values, or t itself if it has no alternatives. An
// alternative without limits that allows all of the values is the only one.
func altsOf(t *sig.Type, kinds sig.Kinds) (all []*sig.Type) {
	if len(t.Alts) == 0 {
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
		return limitsOf(alt).Value != limits.Interval{}
	})
}

// limitsOf returns the limits of t.
func limitsOf(t *sig.Type) *limits.Limits { return cmp.Or(t.Limits, &limits.None) }
