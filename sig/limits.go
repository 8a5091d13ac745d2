package sig

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
	Encodings  []string      // contentEncoding and contentMediaType of strings
	Unique     bool          // no two elements of an array are equal
	Needs      []Need        // what properties of an object require
	Other      []Keyword     // other keywords, which are not interpreted

	programs func() []*regexp.Regexp // of Patterns, see compiled
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

// noLimits allow everything.
var noLimits = Limits{
	Length: Range{Max: Unbounded}, Items: Range{Max: Unbounded}, Properties: Range{Max: Unbounded},
}

// readLimits returns the limits of a schema, nil if it has none.
func (r *reader) readLimits() *Limits {
	before := r.found
	l := noLimits
	r.readText("format", &l.Formats)
	r.readText("pattern", &l.Patterns)
	r.readText("contentEncoding", &l.Encodings)
	r.readText("contentMediaType", &l.Encodings)
	r.readCount("minLength", &l.Length.Min)
	r.readCount("maxLength", &l.Length.Max)
	r.readCount("minItems", &l.Items.Min)
	r.readCount("maxItems", &l.Items.Max)
	r.readCount("minProperties", &l.Properties.Min)
	r.readCount("maxProperties", &l.Properties.Max)
	l.Value.Min = r.bound("minimum", "exclusiveMinimum", 1)
	l.Value.Max = r.bound("maximum", "exclusiveMaximum", -1)
	if v := r.keyword("multipleOf", Number, ""); v != nil {
		if numberOf(v.text).Sign() > 0 {
			l.MultipleOf = []json.Number{json.Number(v.text)}
		} else {
			r.invalid(v, "a positive number")
		}
	}
	l.Unique = r.keyword("uniqueItems", Boolean, "").isTrue()
	l.readNeeds(r.keyword("dependentRequired", Object, ""))
	l.readNeeds(r.keyword("dependencies", Object, ""))
	l.readOther("contains", r.keyword("contains", aSchema, ""))
	l.readOther("minContains", r.keyword("minContains", Number, ""))
	l.readOther("maxContains", r.keyword("maxContains", Number, ""))
	l.readOther("propertyNames", r.keyword("propertyNames", aSchema, ""))
	if r.found == before {
		return nil
	}
	return l.compiled()
}

// readText adds the text of a keyword to the list.
func (r *reader) readText(keyword string, list *[]string) {
	if v := r.keyword(keyword, String, ""); v != nil {
		*list = append(*list, v.text)
	}
}

// readCount sets an end of a range to the count in a keyword.
func (r *reader) readCount(keyword string, end *int) {
	v := r.keyword(keyword, Number, "")
	if v == nil {
		return
	}
	if n, ok := countOf(v.text); ok {
		*end = n
	} else {
		r.invalid(v, "a count")
	}
}

// readNeeds adds which properties require others, in source order.
func (l *Limits) readNeeds(v *value) {
	for _, m := range v.entries() {
		need := Need{Name: m.key}
		for _, e := range m.value.elements {
			need.Others = append(need.Others, e.str())
		}
		if len(need.Others) > 0 {
			l.Needs = append(l.Needs, need)
		}
	}
}

// readOther adds a keyword that is not interpreted.
func (l *Limits) readOther(keyword string, v *value) {
	if v != nil && !v.isTrue() {
		l.Other = append(l.Other, Keyword{keyword, v.raw})
	}
}

// bound returns the stricter of two bounds; inward is as in tighter. In drafts 3 and 4 the
// exclusive bound is a boolean that makes the other one exclusive.
func (r *reader) bound(inclusive, exclusive string, inward int) (end *Bound) {
	isExclusive := r.keyword(exclusive, Number|Boolean, "")
	if v := r.keyword(inclusive, Number, ""); v != nil {
		end = &Bound{json.Number(v.text), isExclusive.isTrue()}
	}
	if isExclusive.is(Number) {
		end = tighter(end, &Bound{json.Number(isExclusive.text), true}, inward)
	}
	return end
}

// numberOf returns the value of a JSON number. An exponent beyond maxExponent counts as
// that, so that no number takes much memory.
func numberOf[T string | json.Number](text T) *big.Rat {
	const maxExponent = 1000
	digits, power, _ := strings.Cut(string(lexeme.AppendNumber(nil, []byte(text))), "e")
	exponent, _ := strconv.Atoi(power) // the nearest one if it is out of range
	exponent = min(max(exponent, -maxExponent), maxExponent)
	n, _ := new(big.Rat).SetString(digits + "e" + strconv.Itoa(exponent))
	return n
}

// countOf returns the value of a whole number that is not negative, at most Unbounded.
func countOf(text string) (n int, ok bool) {
	switch r := numberOf(text); {
	case !r.IsInt() || r.Sign() < 0:
		return 0, false
	case r.Num().IsInt64():
		return int(r.Num().Int64()), true
	}
	return Unbounded, true
}

// tighter returns the stricter of two bounds, which may be nil: a if they are the same.
// inward is 1 for lower bounds and -1 for upper ones.
func tighter(a, b *Bound, inward int) *Bound {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	order := numberOf(b.Number).Cmp(numberOf(a.Number)) * inward
	if order > 0 || order == 0 && b.Exclusive {
		return b
	}
	return a
}

// and returns the limits of both; nil has none.
func (l *Limits) and(m *Limits) *Limits {
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
			Min: tighter(l.Value.Min, m.Value.Min, 1),
			Max: tighter(l.Value.Max, m.Value.Max, -1),
		},
		MultipleOf: either(l.MultipleOf, m.MultipleOf, cmp.Compare),
		Patterns:   either(l.Patterns, m.Patterns, cmp.Compare),
		Formats:    either(l.Formats, m.Formats, cmp.Compare),
		Encodings:  either(l.Encodings, m.Encodings, cmp.Compare),
		Unique:     l.Unique || m.Unique,
		Needs:      slices.Concat(l.Needs, m.Needs),
		Other: either(l.Other, m.Other, func(a, b Keyword) int {
			return cmp.Or(cmp.Compare(a.Name, b.Name), bytes.Compare(a.Value, b.Value))
		}),
	}
	return both.compiled()
}

// either returns the elements of both lists, sorted, without repetitions.
func either[E any](a, b []E, compare func(a, b E) int) []E {
	list := slices.Concat(a, b)
	slices.SortStableFunc(list, compare)
	return slices.CompactFunc(list, func(a, b E) bool { return compare(a, b) == 0 })
}

// compiled returns the limits with a function that compiles the patterns once, nil for one
// that Go cannot run or that would be too large.
func (l Limits) compiled() *Limits {
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

func (r Range) has(n int) bool { return r.Min <= n && n <= r.Max }

// has reports whether n is in the interval.
func (i Interval) has(n *big.Rat) bool { return i.Min.admits(n, 1) && i.Max.admits(n, -1) }

// admits reports whether n is on the inner side of the bound, see tighter.
func (b *Bound) admits(n *big.Rat, inward int) bool {
	if b == nil {
		return true
	}
	order := n.Cmp(numberOf(b.Number)) * inward
	return order > 0 || order == 0 && !b.Exclusive
}

// The integers between these are exact in a double. Generators such as zod write them as
// the bounds of each integer.
var (
	leastSafe = &Bound{"-9007199254740991", true}
	mostSafe  = &Bound{"9007199254740991", true}
)

// withoutSafeIntegers returns the limits without bounds that every safe integer satisfies.
func (l *Limits) withoutSafeIntegers() *Limits {
	if l == nil || l.Value == (Interval{}) {
		return l
	}
	open := *l
	if tighter(l.Value.Min, leastSafe, 1) == leastSafe {
		open.Value.Min = nil
	}
	if tighter(l.Value.Max, mostSafe, -1) == mostSafe {
		open.Value.Max = nil
	}
	return &open
}
