// Package limits has what schemas demand of values beyond their types and enums.
package limits

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
)

// Limits are what a schema demands of values beyond their types and enums. They affect
// neither how a value is read nor which names are known. Where several schemas apply,
// the strictest bound counts.
type Limits struct {
	Length     Range         // of strings, in characters
	Items      Range         // of arrays
	Properties Range         // of objects
	Value      Interval      // of numbers
	MultipleOf []json.Number // a number is a multiple of each, and none is zero
	Patterns   []string      // regular expressions of ECMA-262; a string matches all
	Formats    []string      // of strings, such as date-time
	Unique     bool          // no two elements of an array are equal
	Needs      []Need        // what properties of an object require
	Other      []Keyword     // other keywords, which are not interpreted

	programs func() []*regexp.Regexp // of Patterns, see Compiled
}

// Range is a range of counts, inclusive. Max is [Unbounded] if there is no upper bound.
type Range struct{ Min, Max int }

// Unbounded is the Max of a Range without an upper bound.
const Unbounded = math.MaxInt

// Interval is a range of numbers; a nil bound is none.
type Interval struct{ Min, Max *Bound }

// Bound is an end of an Interval.
type Bound struct {
	Number    json.Number
	Exclusive bool // the bound itself is not allowed
}

// Need is the demand that an object with the property Name has the Others.
type Need struct {
	Name   string
	Others []string
}

// Keyword is a keyword of JSON Schema with its value, JSON as written.
type Keyword struct {
	Name  string
	Value json.RawMessage
}

// None allow everything.
var None = Limits{
	Length: Range{Max: Unbounded}, Items: Range{Max: Unbounded}, Properties: Range{Max: Unbounded},
}

// Number returns the value of a JSON number. An exponent beyond maxExponent counts as
// that, so that no number takes much memory.
func Number[T string | json.Number](text T) *big.Rat {
	const maxExponent = 1000
	digits, power, _ := strings.Cut(string(lexeme.AppendNumber(nil, []byte(text))), "e")
	exponent, _ := strconv.Atoi(power) // the nearest one if it is out of range
	exponent = min(max(exponent, -maxExponent), maxExponent)
	n, _ := new(big.Rat).SetString(digits + "e" + strconv.Itoa(exponent))
	return n
}

// Count returns the value of a whole number that is not negative, at most Unbounded.
func Count(text string) (n int, ok bool) {
	switch r := Number(text); {
	case !r.IsInt() || r.Sign() < 0:
		return 0, false
	case r.Num().IsInt64():
		return int(r.Num().Int64()), true
	}
	return Unbounded, true
}

// Tighter returns the stricter of two bounds, which may be nil: a if they are the same.
// inward is 1 for lower bounds and -1 for upper ones.
func Tighter(a, b *Bound, inward int) *Bound {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	order := Number(b.Number).Cmp(Number(a.Number)) * inward
	if order > 0 || order == 0 && b.Exclusive {
		return b
	}
	return a
}

// And returns the limits of both; nil has none.
func (l *Limits) And(m *Limits) *Limits {
	switch {
	case l == nil:
		return m
	case m == nil:
		return l
	}
	// The order of the schemas has no meaning.
	both := Limits{
		Length:     l.Length.and(m.Length),
		Items:      l.Items.and(m.Items),
		Properties: l.Properties.and(m.Properties),
		Value: Interval{
			Min: Tighter(l.Value.Min, m.Value.Min, 1),
			Max: Tighter(l.Value.Max, m.Value.Max, -1),
		},
		MultipleOf: either(l.MultipleOf, m.MultipleOf, cmp.Compare),
		Patterns:   either(l.Patterns, m.Patterns, cmp.Compare),
		Formats:    either(l.Formats, m.Formats, cmp.Compare),
		Unique:     l.Unique || m.Unique,
		Needs:      slices.Concat(l.Needs, m.Needs),
		Other: either(l.Other, m.Other, func(a, b Keyword) int {
			return cmp.Or(cmp.Compare(a.Name, b.Name), bytes.Compare(a.Value, b.Value))
		}),
	}
	return both.Compiled()
}

// either returns the elements of both lists, sorted, without repetitions.
func either[E any](a, b []E, compare func(a, b E) int) []E {
	list := slices.Concat(a, b)
	slices.SortStableFunc(list, compare)
	return slices.CompactFunc(list, func(a, b E) bool { return compare(a, b) == 0 })
}

// maxPattern bounds a pattern, in bytes.
const maxPattern = 512

// Compiled returns the limits with a function that compiles the patterns once, if there are any;
// nil for one that Go cannot run or that would be too large.
func (l Limits) Compiled() *Limits {
	if len(l.Patterns) == 0 {
		return &l
	}
	l.programs = sync.OnceValue(func() []*regexp.Regexp {
		list := make([]*regexp.Regexp, len(l.Patterns))
		for i, p := range l.Patterns {
			if len(p) <= maxPattern/8 || len(p) <= maxPattern && !strings.Contains(p, "{") {
				list[i], _ = regexp.Compile(p) // nil if it is not one
			}
		}
		return list
	})
	return &l
}

func (r Range) and(s Range) Range { return Range{max(r.Min, s.Min), min(r.Max, s.Max)} }

// Has reports whether n is in the range.
func (r Range) Has(n int) bool { return r.Min <= n && n <= r.Max }

// AcceptText reports whether a string is within the limits, apart from patterns that Go cannot run.
func (l *Limits) AcceptText(text string) bool {
	isBroken := func(p *regexp.Regexp) bool { return p != nil && !p.MatchString(text) }
	return l.Length.Has(utf8.RuneCountInString(text)) &&
		(l.programs == nil || !slices.ContainsFunc(l.programs(), isBroken))
}

// AcceptNumber reports whether a JSON number is within the limits.
func (l *Limits) AcceptNumber(text string) bool {
	n := Number(text)
	return l.Value.Min.admits(n, 1) && l.Value.Max.admits(n, -1) &&
		!slices.ContainsFunc(l.MultipleOf, func(by json.Number) bool {
			return !new(big.Rat).Quo(n, Number(by)).IsInt()
		})
}

// Checkable reports whether all limits can be checked, apart from formats and encodings: there are
// no other keywords, and Go can run the patterns.
func (l *Limits) Checkable() bool {
	if l == nil {
		return true
	}
	for _, k := range l.Other {
		if !strings.HasPrefix(k.Name, "content") {
			return false
		}
	}
	return l.programs == nil || !slices.Contains(l.programs(), nil)
}

// admits reports whether n is on the inner side of the bound, see Tighter.
func (b *Bound) admits(n *big.Rat, inward int) bool {
	if b == nil {
		return true
	}
	order := n.Cmp(Number(b.Number)) * inward
	return order > 0 || order == 0 && !b.Exclusive
}

// The integers between these are exact in a double. Generators such as zod write them as
// the bounds of each integer.
var (
	leastSafe = &Bound{"-9007199254740991", true}
	mostSafe  = &Bound{"9007199254740991", true}
)

// WithoutSafeIntegers returns the limits without bounds that every safe integer satisfies.
func (l *Limits) WithoutSafeIntegers() *Limits {
	if l == nil || l.Value == (Interval{}) {
		return l
	}
	open := *l
	if Tighter(l.Value.Min, leastSafe, 1) == leastSafe {
		open.Value.Min = nil
	}
	if Tighter(l.Value.Max, mostSafe, -1) == mostSafe {
		open.Value.Max = nil
	}
	return &open
}
