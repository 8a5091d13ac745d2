package live

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/internal/lexeme"
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

// prepare removes whitespace from the input. The error is about a tool that the catalog doesn't
// have, or a path that is not in the input.
func (e *Expected) prepare(catalog *sig.Catalog) error {
	if catalog.Lookup([]byte(e.Name)) == nil {
		return fmt.Errorf("there is no tool %q", e.Name)
	}
	want := decode(e.Input)
	if _, ok := want.(map[string]any); !ok {
		return fmt.Errorf("the input of %s is not a JSON object", e.Name)
	}
	for _, path := range e.paths() {
		object, name := within(want, path)
		if _, ok := object[name]; !ok {
			return fmt.Errorf("the call of %s has no argument %q", e.Name, path)
		}
	}
	e.Input = rawjson.Compact(e.Input)
	return nil
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
	same := func(a, b any) bool { return reflect.DeepEqual(plain(a), plain(b)) }
	if exact {
		same = reflect.DeepEqual
	}
	want, got := decode(e.Input), decode(c.Input)
	for _, path := range e.paths() {
		from, name := within(want, path)
		to, _ := within(got, path)
		have, ok := to[name]
		isGood := ok && e.accepts(path, have, same) || !ok && slices.Contains(e.Optional, path)
		if !exact && slices.Contains(e.Set, path) {
			some, _ := from[name].([]any)
			others, isList := have.([]any)
			isGood = isGood || isList && pairUp(some, others, same)
		}
		if to != nil && isGood {
			to[name] = from[name]
		}
	}
	return c.Name == e.Name && same(want, got)
}

// accepts reports whether a value is as good as that of the input.
func (e *Expected) accepts(path string, value any, same func(a, b any) bool) bool {
	words, isText := e.Contains[path]
	return slices.Contains(e.Free, path) ||
		slices.ContainsFunc(e.Or[path], func(other any) bool { return same(other, value) }) ||
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

// sameQuotes replaces all quotes by one, because they are often written for each other.
var sameQuotes = strings.NewReplacer("'", `"`, "`", `"`, "‘", `"`, "’", `"`, "“", `"`, "”", `"`)

// plain returns a decoded JSON value without what rarely changes its meaning: how numbers are
// written, and in strings case, whitespace, the kind of quotes, and a period at the end.
func plain(value any) any {
	switch v := value.(type) {
	case map[string]any:
		o := make(map[string]any, len(v))
		for name, member := range v {
			o[name] = plain(member)
		}
		return o
	case []any:
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = plain(element)
		}
		return list
	case json.Number:
		return json.Number(lexeme.AppendNumber(nil, []byte(v)))
	case string:
		s := strings.ToLower(strings.Join(strings.Fields(sameQuotes.Replace(v)), ""))
		return cmp.Or(strings.TrimRight(s, ".!"), s)
	}
	return value
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

// decode decodes a JSON value, and keeps the digits of numbers. It returns nil if it can't.
func decode(text []byte) (value any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	d.Decode(&value)
	return value
}
