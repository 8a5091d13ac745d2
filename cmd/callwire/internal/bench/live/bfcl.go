package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/score"
	"github.com/callwire/callwire/sig"
)

// This file reads the shape of the Berkeley Function Calling Leaderboard: files of
// JSON Lines with questions and functions, and files with possible answers. Those
// of one turn are read (simple, multiple, parallel, irrelevance and their live
// ones), and judged as its checker of syntax trees judges: each argument is one of
// the values that are listed for it, strings compared without case, spaces and
// , . / - _ * ^; an argument is optional where "" is listed and it is not required;
// 5.0 is no integer, and 5 is a float; calls come in any order. Functions of Java and
// JavaScript are not read: their answers are texts in those languages.

// ReadBFCL reads questions, and the possible answers to them. No function fits a
// question with irrelevance in its name, or with an empty list of answers; the
// others need an answer.
func ReadBFCL(questions, answers []byte) ([]Case, error) {
	truths := make(map[string][]map[string]json.RawMessage)
	err := eachLine(answers, func(line json.RawMessage) error {
		var a struct {
			ID    string                       `json:"id"`
			Truth []map[string]json.RawMessage `json:"ground_truth"`
		}
		if err := json.Unmarshal(line, &a); err != nil || a.ID == "" || a.Truth == nil {
			return errors.New(`it has no "id" or no "ground_truth"`)
		}
		truths[a.ID] = a.Truth
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("answers: %w", err)
	}
	var cases []Case
	err = eachLine(questions, func(line json.RawMessage) error {
		c, err := readBFCL(line)
		truth, answered := truths[c.ID]
		switch {
		case err != nil:
		case !answered && !strings.Contains(c.ID, "irrelevance"):
			err = fmt.Errorf("%s has no possible answer", c.ID)
		default:
			err = c.expect(truth)
			delete(truths, c.ID)
		}
		cases = append(cases, c)
		return err
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("questions: %w", err)
	case len(cases) == 0:
		return nil, errors.New("no question")
	case len(truths) > 0:
		return nil, fmt.Errorf("there is an answer to %s, and no question", slices.Min(slices.Collect(maps.Keys(truths))))
	}
	return cases, nil
}

// eachLine gives JSON values that follow each other to take. The error counts them
// from 1.
func eachLine(text []byte, take func(json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(text))
	for n := 1; ; n++ {
		var line json.RawMessage
		err := d.Decode(&line)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = take(line)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
}

// readBFCL reads a question with its functions.
func readBFCL(line []byte) (Case, error) {
	var q struct {
		ID       string `json:"id"`
		Question [][]struct{ Role, Content string }
		Function json.RawMessage
	}
	if err := json.Unmarshal(line, &q); err != nil {
		return Case{}, errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	c := Case{ID: q.ID}
	if strings.Contains(q.ID, "java") { // and javascript; some of their types have the names of Python's
		return c, fmt.Errorf("%s: %w", q.ID, errLanguage)
	}
	if q.ID == "" || len(q.Question) != 1 {
		return c, fmt.Errorf("%q has %d turns; files with questions of one turn are read", q.ID, len(q.Question))
	}
	for _, m := range q.Question[0] {
		if m.Role == "system" {
			c.System += m.Content
		} else {
			c.Messages = append(c.Messages, endpoint.Message{Role: m.Role, Text: m.Content})
		}
	}
	type function struct {
		Name        string         `json:"name"`
		Description string         `json:"description"`
		Parameters  map[string]any `json:"parameters"`
	}
	var functions []function
	if err := json.Unmarshal(q.Function, &functions); err != nil {
		functions = make([]function, 1)
		if err := json.Unmarshal(q.Function, &functions[0]); err != nil {
			return c, fmt.Errorf("%s: no function", q.ID)
		}
	}
	var tools []sig.Tool
	for _, f := range functions {
		parameters, err := schemaOf(f.Parameters)
		if err != nil {
			return c, fmt.Errorf("%s: %s: %w", q.ID, f.Name, err)
		}
		schema, err := json.Marshal(parameters)
		if err != nil {
			return c, err
		}
		tools = append(tools, sig.Tool{Name: callable(f.Name), Description: f.Description, Schema: schema})
	}
	var err error
	c.Catalog, err = sig.Compile(tools)
	return c, err
}

// callable returns the name of a function as APIs take it: geo.distance is
// geo_distance.
func callable(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}

// types are the names of types in the files, and what JSON Schema calls them; "" is
// any type.
var types = map[string]string{
	"dict": "object", "float": "number", "tuple": "array", "any": "",
	"string": "string", "integer": "integer", "boolean": "boolean", "array": "array",
	"object": "object", "number": "number", "null": "null",
}

var errLanguage = errors.New("only functions of Python are read, not those of Java and JavaScript")

// schemaOf returns a JSON Schema for the notation of the files, which has the names
// of Python's types.
func schemaOf(node any) (any, error) {
	var err error
	switch n := node.(type) {
	case map[string]any:
		schema := make(map[string]any, len(n))
		for key, value := range n {
			name, ok := value.(string)
			switch {
			case key == "default" || key == "enum" || key == "const" || key == "examples":
				schema[key] = value // values, not schemas
				continue
			case key == "type" && ok:
				known, ok := types[name]
				if !ok {
					return nil, fmt.Errorf("the type %q: %w", name, errLanguage)
				}
				if known == "" {
					continue
				}
				value = known
			}
			if schema[key], err = schemaOf(value); err != nil {
				return nil, err
			}
		}
		return schema, nil
	case []any:
		list := make([]any, len(n))
		for i, value := range n {
			if list[i], err = schemaOf(value); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return node, nil
}

// expect takes over the possible answers.
func (c *Case) expect(truth []map[string]json.RawMessage) error {
	c.Want.Loose = score.BFCL
	for _, one := range truth {
		for name, arguments := range one {
			d := json.NewDecoder(bytes.NewReader(arguments))
			d.UseNumber()
			var listed map[string]any
			if err := d.Decode(&listed); err != nil {
				return fmt.Errorf("%s: the possible answers are no object", c.ID)
			}
			tool := c.Catalog.Lookup([]byte(callable(name)))
			if tool == nil {
				return fmt.Errorf("%s: there is no function %q", c.ID, name)
			}
			call := score.WantCall{Name: tool.Name, Input: possible(listed)}
			for name, pattern := range call.Input.Fields {
				if f := tool.Args.Field([]byte(name)); f != nil {
					call.Input.Fields[name] = typed(pattern, f)
				}
			}
			input, err := json.Marshal(firstOf(listed))
			if err != nil {
				return err
			}
			c.Want.Calls = append(c.Want.Calls, call)
			c.Answer = append(c.Answer, score.Call{Name: call.Name, Input: input})
		}
	}
	c.Group = GroupOf(len(c.Want.Calls))
	return nil
}

// possible returns the pattern of an object of which each member has a list of
// possible values, among them "" where it may be left out.
func possible(listed map[string]any) score.Pattern {
	p := score.Pattern{Fields: make(map[string]score.Pattern, len(listed))}
	for name, value := range listed {
		values, ok := value.([]any)
		if !ok {
			values = []any{value}
		}
		member := score.Pattern{OneOf: []score.Pattern{}, Optional: slices.Contains(values, any(""))}
		for _, v := range values {
			member.OneOf = append(member.OneOf, possibleValue(v))
		}
		p.Fields[name] = member
	}
	return p
}

// typed returns the pattern of an argument with what its declaration says: it may not
// be missing where it is required, and where it is an integer, or an array of them,
// so is what fits.
func typed(p score.Pattern, f *sig.Field) score.Pattern {
	p.Optional = p.Optional && !f.Required
	for i := range p.OneOf {
		one := &p.OneOf[i]
		one.Integer = isInteger(f.Type) && isDigits(one.Scalar)
		for j := range one.Items {
			one.Items[j].Integer = f.Type != nil && isInteger(f.Type.Items) && isDigits(one.Items[j].Scalar)
		}
	}
	return p
}

func isInteger(t *sig.Type) bool { return t != nil && t.Kinds&(sig.Integer|sig.Number) == sig.Integer }

// isDigits reports whether a value is a number that is written as an integer.
func isDigits(value any) bool {
	n, ok := value.(json.Number)
	return ok && score.IsDigits(n)
}

// possibleValue returns the pattern of one possible value: of an object, members
// have lists again.
func possibleValue(value any) score.Pattern {
	switch v := value.(type) {
	case map[string]any:
		return possible(v)
	case []any:
		p := score.Pattern{Items: make([]score.Pattern, len(v))}
		for i, element := range v {
			p.Items[i] = possibleValue(element)
		}
		return p
	}
	return score.PatternOfValue(value)
}

// firstOf returns an object that is possible: with the first values, and without
// what may be left out.
func firstOf(listed map[string]any) map[string]any {
	object := make(map[string]any, len(listed))
	for name, value := range listed {
		values, ok := value.([]any)
		if !ok {
			values = []any{value}
		}
		if len(values) > 0 && !slices.Contains(values, any("")) {
			object[name] = firstValue(values[0])
		}
	}
	return object
}

func firstValue(value any) any {
	switch v := value.(type) {
	case map[string]any:
		return firstOf(v)
	case []any:
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = firstValue(element)
		}
		return list
	}
	return value
}
