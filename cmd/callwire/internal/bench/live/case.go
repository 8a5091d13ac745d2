package live

import (
	"bytes"
	"cmp"
	_ "embed" // of our cases and tasks
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Case is something to ask a model for: one message with certain calls, or a task in a world.
type Case struct {
	ID      string
	Group   string // single, parallel, irrelevant or task
	System  string // besides the prompt that explains the tools
	Prompt  string
	Catalog *sig.Catalog

	Want []Expected // of a message
	Task *Task      // nil for a message

	// Solution is what a model calls that does it right, message by message, and Last is its last
	// text.
	Solution [][]bench.Call
	Last     string
}

var (
	// OurCases are our cases, which use the tools of the published benchmark.
	//
	//go:embed cases.json
	OurCases []byte

	// OurTasks are our tasks.
	//
	//go:embed tasks.json
	OurTasks []byte
)

const (
	systemOfMessages = "You are a helpful assistant. Use a tool where one fits the request; " +
		"where none does, answer in words."
	systemOfTasks = "You work for the user by calling tools. Go on until all is done, without " +
		"asking back; then say in one sentence that it is."
)

// ReadCases reads cases from a JSON array or JSON Lines. A case is
//
//	{"id":"oslo","prompt":"Warm?","want":[{"name":"getWeather","input":{"location":"Oslo"}}]}
//
// with an empty "want" if no tool fits. "system" is a system text, "tools" are those of this case
// alone; see Expected for the members of a call. The error names the case.
func ReadCases(text []byte, catalog *sig.Catalog) ([]Case, error) {
	type file struct {
		ID, System, Prompt string
		Tools              json.RawMessage
		Want               *[]Expected
	}
	return readCases(text, func(f file) (c Case, err error) {
		c = Case{ID: f.ID, Prompt: f.Prompt, Catalog: catalog}
		c.System = cmp.Or(f.System, systemOfMessages)
		c.Last = "I can say that without a tool."
		if f.Want == nil {
			return c, errors.New(`it has no "want"; write "want":[] if no tool fits`)
		}
		if f.Tools != nil {
			c.Catalog, err = sig.Compile(f.Tools)
		}
		if err != nil {
			return c, err
		}
		c.Want, c.Group = *f.Want, "irrelevant"
		var calls []bench.Call
		for i := range c.Want {
			call, err := c.Want[i].call(c.Catalog)
			if err != nil {
				return c, err
			}
			calls = append(calls, call)
			c.Solution, c.Group = [][]bench.Call{calls}, "parallel"
		}
		if len(calls) == 1 {
			c.Group = "single"
		}
		return c, nil
	})
}

// ReadTasks reads tasks from a JSON array or JSON Lines, in the form of tasks.json.
func ReadTasks(text []byte) ([]Case, error) {
	type tool struct {
		sig.Tool
		Does Action
	}
	type file struct {
		ID, Prompt, Last string
		Tools            []tool
		World, Goal      World
		Solution         [][]bench.Call
	}
	return readCases(text, func(f file) (c Case, err error) {
		c = Case{ID: f.ID, Group: "task", System: systemOfTasks, Prompt: f.Prompt}
		c.Task = &Task{World: f.World, Goal: f.Goal, actions: map[string]Action{}}
		c.Solution, c.Last = f.Solution, f.Last
		if len(f.Tools) == 0 || len(f.Goal) == 0 {
			return c, errors.New("it has no tools or no goal")
		}
		var tools []sig.Tool
		for _, t := range f.Tools {
			tools = append(tools, t.Tool)
			c.Task.actions[t.Name] = t.Does
		}
		c.Catalog, err = sig.Compile(tools)
		return c, err
	})
}

// readCases reads values and makes cases of them.
func readCases[T any](text []byte, makeCase func(T) (Case, error)) (cases []Case, err error) {
	files, err := bench.ReadValues[T](text)
	if err != nil {
		return nil, fmt.Errorf("case %w", err)
	}
	known := map[string]bool{"": true}
	for i, f := range files {
		c, err := makeCase(f)
		switch {
		case known[c.ID]:
			return nil, fmt.Errorf("case %d: its id %q is empty or appears twice", i+1, c.ID)
		case c.Prompt == "":
			return nil, fmt.Errorf("case %s has no prompt", c.ID)
		case err != nil:
			return nil, fmt.Errorf("case %s: %w", c.ID, err)
		}
		known[c.ID] = true
		cases = append(cases, c)
	}
	return cases, nil
}

// Expected is a wanted call in a file of cases. Paths have dots between names.
type Expected struct {
	bench.Call
	Or       map[string][]any `json:"or,omitempty"`       // equally good values
	Optional []string         `json:"optional,omitempty"` // arguments not required
	Free     []string         `json:"free,omitempty"`     // any value is right
	Set      []string         `json:"set,omitempty"`      // arrays in any order
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
	others := slices.Collect(maps.Keys(e.Or))
	for _, path := range slices.Concat(e.Optional, e.Free, e.Set, others) {
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
		equal = func(a, b any) bool { return reflect.DeepEqual(a, b) }
	}
	// accept makes values the wanted ones if they are as good.
	accept := func(paths iter.Seq[string], isGood func(path string, want, got any, ok bool) bool) {
		for path := range paths {
			from, name := within(want, path)
			to, _ := within(got, path)
			have, ok := to[name]
			if to != nil && isGood(path, from[name], have, ok) {
				to[name] = from[name]
			}
		}
	}
	accept(maps.Keys(e.Or), func(path string, _, got any, _ bool) bool {
		return slices.ContainsFunc(e.Or[path], func(other any) bool { return equal(other, got) })
	})
	accept(slices.Values(e.Optional), func(_ string, _, _ any, ok bool) bool { return !ok })
	accept(slices.Values(e.Free), func(_ string, _, _ any, ok bool) bool { return ok })
	accept(slices.Values(e.Set), func(_ string, want, got any, _ bool) bool {
		some, _ := want.([]any)
		others, ok := got.([]any)
		return ok && !exact && pairUp(some, others, same)
	})
	return equal(want, got)
}

// same reports whether two decoded JSON values have the same meaning.
func same(a, b any) bool { return reflect.DeepEqual(canonical(a), canonical(b)) }

// canonical returns a decoded JSON value with strings and numbers as they are compared.
func canonical(value any) any {
	return mapped(value, false, func(v any, _ bool) any {
		switch v := v.(type) {
		case string:
			return normalized(v)
		case json.Number:
			n, ok := new(big.Float).SetPrec(256).SetString(string(v))
			switch {
			case !ok:
				return v
			case n.Sign() == 0: // of -0, too
				return json.Number("0")
			}
			return json.Number(n.Text('p', 0))
		}
		return v
	})
}

// mapped returns a decoded JSON value with f applied to all in it but arrays and objects. isMember
// is true for the members of objects.
func mapped(value any, isMember bool, f func(v any, isMember bool) any) any {
	switch v := value.(type) {
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			object[name] = mapped(member, true, f)
		}
		return object
	case []any:
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = mapped(element, false, f)
		}
		return list
	}
	return f(value, isMember)
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
func (c *Case) valid(call bench.Call) bool {
	if c.Catalog.Lookup([]byte(call.Name)) == nil {
		return false
	}
	_, issues, err := parse.Coerce(c.Catalog, call.Name, call.Input)
	return err == nil && len(issues) == 0
}
