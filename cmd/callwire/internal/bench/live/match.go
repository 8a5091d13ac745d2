package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/sig"
)

// Expected is a wanted call in a file of cases. Paths have dots between names.
type Expected struct {
	bench.Call
	Or       map[string][]any    `json:"or,omitempty"`       // equally good values
	Optional []string            `json:"optional,omitempty"` // arguments not required
	Free     []string            `json:"free,omitempty"`     // any value is right
	Set      []string            `json:"set,omitempty"`      // arrays in any order
	Contains map[string][]string `json:"contains,omitempty"` // texts with all of these words
}

// paths returns the paths that other values than those of the input may have.
func (e *Expected) paths() []string {
	return slices.Concat(e.Optional, e.Free, e.Set,
		slices.Collect(maps.Keys(e.Or)), slices.Collect(maps.Keys(e.Contains)))
}

// call returns the call without alternatives. The error is about a tool that the catalog doesn't
// have, or a path that is not in the input.
func (e *Expected) call(catalog *sig.Catalog) (c bench.Call, err error) {
	if catalog.Lookup([]byte(e.Name)) == nil {
		return c, fmt.Errorf("there is no tool %q", e.Name)
	}
	want, err := decode(e.Input)
	if _, ok := want.(map[string]any); err != nil || !ok {
		return c, fmt.Errorf("the input of %s is not a JSON object", e.Name)
	}
	for _, path := range e.paths() {
		object, name := within(want, path)
		if _, ok := object[name]; !ok {
			return c, fmt.Errorf("the call of %s has no argument %q", e.Name, path)
		}
	}
	return bench.Call{Name: e.Name, Input: rawjson.Compact(e.Input)}, nil
}

// within returns the object that has the last name of a path, or nil, and that name.
func within(value any, path string) (object map[string]any, name string) {
	object, _ = value.(map[string]any)
	name, rest, isLonger := strings.Cut(path, ".")
	if isLonger {
		return within(object[name], rest)
	}
	return object, name
}

// matches reports whether a call is the wanted one: byte for byte and digit for digit if exact,
// otherwise by meaning.
func (e *Expected) matches(c bench.Call, exact bool) bool {
	want, err := decode(e.Input)
	got, gotErr := decode(c.Input)
	if err != nil || gotErr != nil || c.Name != e.Name {
		return false
	}
	equal := same
	if exact {
		equal = reflect.DeepEqual
	}
	for _, path := range e.paths() {
		from, name := within(want, path)
		to, _ := within(got, path)
		have, ok := to[name]
		isGood := ok && e.accepts(path, have, equal) || !ok && slices.Contains(e.Optional, path)
		if !exact && slices.Contains(e.Set, path) {
			some, _ := from[name].([]any)
			others, isList := have.([]any)
			isGood = isGood || isList && pairUp(some, others, same)
		}
		if to != nil && isGood {
			to[name] = from[name]
		}
	}
	return equal(want, got)
}

// accepts reports whether a value is as good as that of the input.
func (e *Expected) accepts(path string, value any, equal func(a, b any) bool) bool {
	words, isText := e.Contains[path]
	return slices.Contains(e.Free, path) ||
		slices.ContainsFunc(e.Or[path], func(other any) bool { return equal(other, value) }) ||
		isText && holds(value, words)
}

// holds reports whether a text, or an array of texts, contains all of the words, none of them as
// part of a longer word or number.
func holds(value any, words []string) bool {
	text := fmt.Sprint(value)
	const end = `(?:^|$|[^\pL\p{Nd}])`
	for _, word := range words {
		found, err := regexp.MatchString(`(?i)`+end+regexp.QuoteMeta(word)+end, text)
		if err != nil || !found {
			return false
		}
	}
	return true
}

// same reports whether two decoded JSON values have the same meaning.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, same)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case string:
		b, ok := b.(string)
		return ok && normalized(a) == normalized(b)
	case json.Number:
		b, ok := b.(json.Number)
		return ok && (a == b || equals(string(a), string(b)))
	}
	return a == b
}

// equals reports whether two numbers have the same value.
func equals(a, b string) bool {
	const precision = 256 // bits
	x, okX := new(big.Float).SetPrec(precision).SetString(a)
	y, okY := new(big.Float).SetPrec(precision).SetString(b)
	return okX && okY && x.Cmp(y) == 0
}

// sameQuotes replaces all quotes by one, because they are often written for each other.
var sameQuotes = strings.NewReplacer("'", `"`, "`", `"`, "‘", `"`, "’", `"`, "“", `"`, "”", `"`)

// normalized returns s without what rarely changes its meaning: case, whitespace, the kind of
// quotes, and a period at the end.
func normalized(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, sameQuotes.Replace(s))
	if short := strings.TrimRight(s, ".!"); short != "" {
		return short
	}
	return s
}

// pairUp reports whether some and others can be paired so that each pair fits and none is left.
func pairUp[A, B any](some []A, others []B, fits func(A, B) bool) bool {
	owner := make(map[int]int) // of the others
	var tried map[int]bool
	var give func(i int) bool
	give = func(i int) bool {
		for j := range others {
			if tried[j] || !fits(some[i], others[j]) {
				continue
			}
			tried[j] = true
			if before, ok := owner[j]; !ok || give(before) {
				owner[j] = i
				return true
			}
		}
		return false
	}
	for i := range some {
		tried = make(map[int]bool)
		if !give(i) {
			return false
		}
	}
	return len(some) == len(others)
}

// right reports whether the calls are the wanted ones, in any order.
func right(want []Expected, calls []bench.Call, exact bool) bool {
	return pairUp(want, calls, func(e Expected, c bench.Call) bool { return e.matches(c, exact) })
}

// decode decodes a JSON value, and keeps the digits of numbers.
func decode(text []byte) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&value)
	return value, err
}
