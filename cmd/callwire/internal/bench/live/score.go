package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"github.com/callwire/callwire/parse"
)

// Call is a call of a tool.
type Call struct {
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"` // one JSON object
}

// Expected is a wanted call in a file of cases. Paths have dots between names.
type Expected struct {
	Name     string                       `json:"name"`
	Input    json.RawMessage              `json:"input"`
	Or       map[string][]json.RawMessage `json:"or,omitempty"`       // equally good values
	Optional []string                     `json:"optional,omitempty"` // arguments not required
	Free     []string                     `json:"free,omitempty"`     // any value is right
	Set      []string                     `json:"set,omitempty"`      // arrays in any order

	input map[string]any
	or    map[string][]any
}

// prepare decodes the values. The error names the path that is not in the input.
func (e *Expected) prepare() error {
	value, err := decode(e.Input)
	var ok bool
	e.input, ok = value.(map[string]any)
	if err != nil || !ok {
		return fmt.Errorf("the input of %s is not a JSON object", e.Name)
	}
	e.or = map[string][]any{}
	paths := slices.Concat(e.Optional, e.Free, e.Set)
	for path, others := range e.Or {
		paths = append(paths, path)
		for _, text := range others {
			value, err := decode(text)
			if err != nil {
				return fmt.Errorf("another value of %s: %w", path, err)
			}
			e.or[path] = append(e.or[path], value)
		}
	}
	for _, path := range paths {
		var at any = e.input
		for _, name := range strings.Split(path, ".") {
			object, _ := at.(map[string]any)
			at, ok = object[name]
			if !ok {
				return fmt.Errorf("the call of %s has no argument %q", e.Name, path)
			}
		}
	}
	return nil
}

// matches reports whether a call is the wanted one: byte for byte and digit for digit if exact,
// otherwise by meaning.
func (e *Expected) matches(c Call, exact bool) bool {
	value, err := decode(c.Input)
	return err == nil && c.Name == e.Name && e.same("", e.input, value, exact)
}

// same compares the values at a path.
func (e *Expected) same(path string, want, got any, exact bool) bool {
	if slices.Contains(e.Free, path) {
		return true
	}
	for _, other := range e.or[path] {
		if same(other, got, exact) {
			return true
		}
	}
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		return ok && e.sameObject(path, want, got, exact)
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			return false
		}
		if slices.Contains(e.Set, path) && !exact {
			return assigned(len(want), func(i, j int) bool { return same(want[i], got[j], exact) })
		}
		for i := range want {
			if !same(want[i], got[i], exact) {
				return false
			}
		}
		return true
	case string:
		got, ok := got.(string)
		return ok && (want == got || !exact && normalized(want) == normalized(got))
	case json.Number:
		got, ok := got.(json.Number)
		return ok && (want == got || !exact && sameNumber(want, got))
	}
	return want == got
}

func (e *Expected) sameObject(path string, want, got map[string]any, exact bool) bool {
	for name, value := range want {
		at := strings.TrimPrefix(path+"."+name, ".")
		have, ok := got[name]
		if !ok && slices.Contains(e.Optional, at) {
			continue
		}
		if !ok || !e.same(at, value, have, exact) {
			return false
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			return false
		}
	}
	return true
}

// same compares two decoded JSON values.
func same(want, got any, exact bool) bool { return new(Expected).same("", want, got, exact) }

// quotes are often written for each other.
var quotes = strings.NewReplacer("'", `"`, "`", `"`, "‘", `"`, "’", `"`, "“", `"`, "”", `"`)

// normalized returns s without what rarely changes its meaning: case, whitespace, the kind of
// quotes, and a period at the end.
func normalized(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, quotes.Replace(s))
	if short := strings.TrimRight(s, ".!"); short != "" {
		return short
	}
	return s
}

// sameNumber compares by value.
func sameNumber(a, b json.Number) bool {
	const bits = 256 // the same for both, so equal values are rounded alike
	x, okX := new(big.Float).SetPrec(bits).SetString(string(a))
	y, okY := new(big.Float).SetPrec(bits).SetString(string(b))
	return okX && okY && x.Cmp(y) == 0
}

// assigned reports whether n things can be given to n others, each to one that fits.
func assigned(n int, fits func(i, j int) bool) bool {
	owner := make([]int, n) // of the other, i+1
	var tried []bool
	var give func(i int) bool
	give = func(i int) bool {
		for j := range n {
			if tried[j] || !fits(i, j) {
				continue
			}
			tried[j] = true
			if owner[j] == 0 || give(owner[j]-1) {
				owner[j] = i + 1
				return true
			}
		}
		return false
	}
	for i := range n {
		tried = make([]bool, n)
		if !give(i) {
			return false
		}
	}
	return true
}

// right reports whether the calls are the wanted ones, in any order.
func right(want []Expected, calls []Call, exact bool) bool {
	return len(want) == len(calls) &&
		assigned(len(calls), func(i, j int) bool { return want[i].matches(calls[j], exact) })
}

// decode decodes one JSON value and keeps the digits of numbers.
func decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows the JSON value")
	}
	return value, nil
}

// valid reports whether a call is of a known tool and fits its schema, as far as package sig knows
// schemas: by types, enums, and required and unknown members.
func (c *Case) valid(call Call) bool {
	if c.Catalog.Lookup([]byte(call.Name)) == nil {
		return false
	}
	_, issues, err := parse.Coerce(c.Catalog, call.Name, call.Input)
	return err == nil && len(issues) == 0
}
