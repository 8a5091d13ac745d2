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
	Encodings  []string      // contentEncoding and contentMediaType of strings
	Unique     bool          // no two elements of an array are equal
	Needs      []Need        // what properties of an object require
	Other      []Keyword     // other keywords, which are not interpreted
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
	for _, k := range [...]struct {
		keyword string
		texts   *[]string
	}{
		{"format", &l.Formats}, {"pattern", &l.Patterns},
		{"contentEncoding", &l.Encodings}, {"contentMediaType", &l.Encodings},
	} {
		if v := r.keyword(k.keyword, String, ""); v != nil {
			*k.texts = append(*k.texts, v.text)
		}
	}
	for _, k := range [...]struct {
		keyword string
		end     *int
	}{
		{"minLength", &l.Length.Min}, {"maxLength", &l.Length.Max},
		{"minItems", &l.Items.Min}, {"maxItems", &l.Items.Max},
		{"minProperties", &l.Properties.Min}, {"maxProperties", &l.Properties.Max},
	} {
		if v := r.keyword(k.keyword, Number, ""); v != nil {
			n, ok := countOf(v.text)
			if !ok {
				r.invalid(v, "a count")
				continue
			}
			*k.end = n
		}
	}
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
	l.Needs = append(needsOf(r.keyword("dependentRequired", Object, "")),
		needsOf(r.keyword("dependencies", Object, ""))...)
	for _, k := range [...]struct {
		keyword string
		kinds   Kinds
	}{
		{"contains", aSchema}, {"minContains", Number}, {"maxContains", Number},
		{"propertyNames", aSchema},
	} {
		if v := r.keyword(k.keyword, k.kinds, ""); v != nil && !v.isTrue() {
			l.Other = append(l.Other, Keyword{k.keyword, v.raw})
		}
	}
	if r.found == before {
		return nil
	}
	some := l
	return &some
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

// needsOf returns which properties require others, in source order.
func needsOf(v *value) (needs []Need) {
	for _, m := range v.entries() {
		need := Need{Name: m.key}
		for _, e := range m.value.elements {
			need.Others = append(need.Others, e.str())
		}
		if len(need.Others) > 0 {
			needs = append(needs, need)
		}
	}
	return needs
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

// limitsOf returns the limits of schemas that all apply, nil if they have none.
func limitsOf(own []*schema) *Limits {
	var some []*Limits
	for _, s := range own {
		if s.limits != nil {
			some = append(some, s.limits)
		}
	}
	switch len(some) {
	case 0:
		return nil
	case 1:
		return some[0]
	}
	all := noLimits
	for _, l := range some {
		all.Length = all.Length.and(l.Length)
		all.Items = all.Items.and(l.Items)
		all.Properties = all.Properties.and(l.Properties)
		all.Value.Min = tighter(all.Value.Min, l.Value.Min, 1)
		all.Value.Max = tighter(all.Value.Max, l.Value.Max, -1)
		all.MultipleOf = append(all.MultipleOf, l.MultipleOf...)
		all.Patterns = append(all.Patterns, l.Patterns...)
		all.Formats = append(all.Formats, l.Formats...)
		all.Encodings = append(all.Encodings, l.Encodings...)
		all.Unique = all.Unique || l.Unique
		all.Needs = append(all.Needs, l.Needs...)
		all.Other = append(all.Other, l.Other...)
	}
	// The order of the schemas has no meaning.
	all.MultipleOf = distinctly(all.MultipleOf, cmp.Compare)
	all.Patterns = distinctly(all.Patterns, cmp.Compare)
	all.Formats = distinctly(all.Formats, cmp.Compare)
	all.Encodings = distinctly(all.Encodings, cmp.Compare)
	all.Other = distinctly(all.Other, func(a, b Keyword) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), bytes.Compare(a.Value, b.Value))
	})
	return &all
}

// distinctly sorts a list and removes repetitions.
func distinctly[E any](list []E, compare func(a, b E) int) []E {
	slices.SortStableFunc(list, compare)
	return slices.CompactFunc(list, func(a, b E) bool { return compare(a, b) == 0 })
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

// Accepts reports whether a value, JSON text, fits the type: its types and literals, the
// values in it, and the limits. Formats, Limits.Other and patterns that Go cannot run are
// not checked. It takes time linear in the text for each pattern, and decodes the text, so
// it is for examples and tests rather than for every call.
func (t *Type) Accepts(text []byte) bool {
	doc, err := decode(text)
	return err == nil && len(doc.repeated) == 0 && make(acceptor).accepts(t, doc.root)
}

// acceptor remembers which types accept which values: alternatives within alternatives
// would ask again and again.
type acceptor map[typedValue]bool

type typedValue struct {
	*Type
	*value
}

func (a acceptor) accepts(t *Type, v *value) bool {
	key := typedValue{t, v}
	ok, known := a[key]
	if !known {
		ok = t == nil || a.fits(t, v)
		a[key] = ok
	}
	return ok
}

// fits is accepts without its memory, for a type that is not nil.
func (a acceptor) fits(t *Type, v *value) bool {
	if len(t.Alts) > 0 { // each has everything that applies to the place
		return slices.ContainsFunc(t.Alts, func(alt *Type) bool { return a.accepts(alt, v) })
	}
	if !t.allows(v) || !t.Limits.accept(v) {
		return false
	}
	for i, e := range v.elements {
		if !a.accepts(t.Item(i), e) {
			return false
		}
	}
	for _, m := range v.members {
		typ, _, known := t.Property([]byte(m.key))
		if !known || !a.accepts(typ, m.value) {
			return false
		}
	}
	isMissing := func(f Field) bool { return f.Required && v.get(f.Name) == nil }
	return v.kind != Object || !slices.ContainsFunc(t.Fields, isMissing)
}

// allows reports whether v is of a free kind, or in the enum.
func (t *Type) allows(v *value) bool {
	if t.Free&v.kind != 0 {
		return true
	}
	m := memberOf(v)
	return t.Free&m.Kind != 0 || t.members.has(&m)
}

// accept reports whether v is within the limits, which may be nil.
func (l *Limits) accept(v *value) bool {
	if l == nil {
		return true
	}
	lacks := func(name string) bool { return v.get(name) == nil }
	switch v.kind {
	case String:
		return l.Length.has(utf8.RuneCountInString(v.text)) &&
			!slices.ContainsFunc(l.Patterns, func(p string) bool {
				re := runnable(p)
				return re != nil && !re.MatchString(v.text)
			})
	case Number:
		n := numberOf(v.text)
		return l.Value.has(n) && !slices.ContainsFunc(l.MultipleOf, func(by json.Number) bool {
			return !new(big.Rat).Quo(n, numberOf(by)).IsInt()
		})
	case Array:
		n := len(v.elements)
		return l.Items.has(n) && (!l.Unique || len(literalsOf(v.elements...).members()) == n)
	case Object:
		return l.Properties.has(len(v.members)) && !slices.ContainsFunc(l.Needs, func(n Need) bool {
			return !lacks(n.Name) && slices.ContainsFunc(n.Others, lacks)
		})
	}
	return true
}

// Checkable reports whether Accepts checks all limits: there are no other keywords, and Go can
// run the patterns.
func (l *Limits) Checkable() bool {
	if l == nil {
		return true
	}
	fails := func(p string) bool { return runnable(p) == nil }
	return len(l.Other) == 0 && !slices.ContainsFunc(l.Patterns, fails)
}

// runnable returns the pattern as Go runs it, or nil if it cannot or would be too large.
func runnable(pattern string) *regexp.Regexp {
	if len(pattern) > maxPattern || len(pattern) > maxPattern/8 && strings.Contains(pattern, "{") {
		return nil
	}
	re, _ := regexp.Compile(pattern) // nil if it is not one
	return re
}
