// Package limits has what schemas demand of values beyond their types and enums.
package limits

import (
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
	Length, Items, Properties Range // of strings, in characters; of arrays; of objects

	Min, Max   *Bound        // of numbers; nil: none
	MultipleOf []json.Number // a number is a multiple of each, and none is zero
	Patterns   []string      // regular expressions of ECMA-262; a string matches all
	Formats    []string      // of strings, such as date-time
	Unique     bool          // no two elements of an array are equal

	// Needs are the properties that an object must have if it has the one that is the key.
	Needs map[string][]string

	Other []Keyword // other keywords, which are not interpreted

	programs func() []*regexp.Regexp // of Patterns, see Compiled
}

// Range is a range of counts, inclusive. Max is [Unbounded] if there is no upper bound.
type Range struct{ Min, Max int }

// Unbounded is the Max of a Range without an upper bound.
const Unbounded = math.MaxInt

// Bound is the least or the greatest number allowed.
type Bound struct {
	Number    json.Number
	Exclusive bool // the bound itself is not allowed
}

// Keyword is a keyword of JSON Schema with its value, JSON as written.
type Keyword struct {
	Path  string // of what it applies to: names of properties joined by dots; [] means elements
	Name  string
	Value string
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

// Count returns the value of a whole number that is not negative. The greatest safe integer and
// all above count as Unbounded.
func Count(text string) (n int, ok bool) {
	switch r := Number(text); {
	case !r.IsInt() || r.Sign() < 0:
		return 0, false
	case r.Cmp(Number(mostSafe.Number)) < 0:
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

// All returns what all of the list demand; nil demands nothing. The order of the list has no
// meaning.
func All(list []*Limits) *Limits {
	list = slices.DeleteFunc(slices.Clone(list), func(l *Limits) bool { return l == nil })
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	all := None
	all.Needs = make(map[string][]string)
	for _, l := range list {
		all.Length = all.Length.and(l.Length)
		all.Items = all.Items.and(l.Items)
		all.Properties = all.Properties.and(l.Properties)
		all.Min = Tighter(all.Min, l.Min, 1)
		all.Max = Tighter(all.Max, l.Max, -1)
		all.MultipleOf = append(all.MultipleOf, l.MultipleOf...)
		all.Patterns = append(all.Patterns, l.Patterns...)
		all.Formats = append(all.Formats, l.Formats...)
		all.Unique = all.Unique || l.Unique
		for name, others := range l.Needs {
			all.Needs[name] = append(all.Needs[name], others...)
		}
		all.Other = append(all.Other, l.Other...)
	}
	all.MultipleOf = distinct(all.MultipleOf, cmp.Compare)
	all.Patterns = distinct(all.Patterns, cmp.Compare)
	all.Formats = distinct(all.Formats, cmp.Compare)
	all.Other = distinct(all.Other, func(a, b Keyword) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Value, b.Value))
	})
	return all.Compiled()
}

// distinct sorts a list and removes what is repeated.
func distinct[E comparable](list []E, compare func(a, b E) int) []E {
	slices.SortFunc(list, compare)
	return slices.Compact(list)
}

// translated matches what differs between ECMA-262 and package regexp: the number of a character,
// except for surrogates, and whitespace. It also matches other escapes, and the ends of classes.
var translated = regexp.MustCompile(`(?s)[][]|\\(?:u\{[0-9a-fA-F]{1,6}\}|` +
	`u[0-9a-cefA-CEF][0-9a-fA-F]{3}|u[dD][0-7][0-9a-fA-F]{2}|.)`)

// spaces are the characters of \s in ECMA-262, in a class. After \s, - begins no range.
const spaces = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}` +
	`\x{205f}\x{3000}\x{feff}\s`

// Translated returns an ECMA-262 pattern in the syntax of package regexp. If it is not exact,
// whitespace is ASCII, as in package regexp.
func Translated(pattern string, exact bool) string {
	inClass := false
	return translated.ReplaceAllStringFunc(pattern, func(t string) string {
		switch {
		case t == "[" || t == "]":
			inClass = t == "["
		case len(t) > 2 && t[1] == 'u':
			return `\x{` + strings.Trim(t[2:], "{}") + "}"
		case exact && t == `\s` && inClass:
			return spaces
		case exact && t == `\s`:
			return "[" + spaces + "]"
		case exact && t == `\S` && !inClass:
			return "[^" + spaces + "]"
		}
		return t
	})
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
				list[i], _ = regexp.Compile(Translated(p, true)) // nil if it is not one
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
	return l.Min.admits(n, 1) && l.Max.admits(n, -1) &&
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

// OfIntegers returns the limits without those that every safe integer satisfies.
func (l *Limits) OfIntegers() *Limits {
	if l == nil {
		return nil
	}
	open := *l
	if Tighter(l.Min, leastSafe, 1) == leastSafe {
		open.Min = nil
	}
	if Tighter(l.Max, mostSafe, -1) == mostSafe {
		open.Max = nil
	}
	dividesOne := func(by json.Number) bool { return new(big.Rat).Inv(Number(by)).IsInt() }
	open.MultipleOf = slices.DeleteFunc(slices.Clone(l.MultipleOf), dividesOne)
	return &open
}
