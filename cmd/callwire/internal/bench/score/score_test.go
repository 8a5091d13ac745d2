package score

import (
	"encoding/json"
	"testing"

	"github.com/callwire/callwire/sig"
)

// want returns what one call of t with that input would be.
func want(t *testing.T, e Expected) Want {
	t.Helper()
	e.Name = "t"
	c, err := e.Want()
	if err != nil {
		t.Fatal(err)
	}
	return Want{Calls: []WantCall{c}, Loose: Soft}
}

func valid(Call) bool { return true }

func TestJudge(t *testing.T) {
	raw := func(s ...string) (list []json.RawMessage) {
		for _, text := range s {
			list = append(list, json.RawMessage(text))
		}
		return list
	}
	for name, c := range map[string]struct {
		want        Expected
		got         string
		exact, soft bool
	}{
		"the same":              {Expected{Input: raw(`{"a":"x","b":1}`)[0]}, `{"b":1,"a":"x"}`, true, true},
		"case and spaces":       {Expected{Input: raw(`{"a":"New York"}`)[0]}, `{"a":"new  york."}`, false, true},
		"another word":          {Expected{Input: raw(`{"a":"New York"}`)[0]}, `{"a":"Newark"}`, false, false},
		"an operator is no dot": {Expected{Input: raw(`{"a":"12*7"}`)[0]}, `{"a":"127"}`, false, false},
		"numbers by value":      {Expected{Input: raw(`{"a":100}`)[0]}, `{"a":1.0e2}`, false, true},
		"huge numbers":          {Expected{Input: raw(`{"a":1}`)[0]}, `{"a":1e999999999}`, false, false},
		"a string is no number": {Expected{Input: raw(`{"a":5}`)[0]}, `{"a":"5"}`, false, false},
		"null":                  {Expected{Input: raw(`{"a":null}`)[0]}, `{"a":null}`, true, true},
		"false is not null":     {Expected{Input: raw(`{"a":null}`)[0]}, `{"a":false}`, false, false},
		"one too many":          {Expected{Input: raw(`{"a":1}`)[0]}, `{"a":1,"b":2}`, false, false},
		"one missing":           {Expected{Input: raw(`{"a":1,"b":2}`)[0]}, `{"a":1}`, false, false},
		"an optional missing":   {Expected{Input: raw(`{"a":1,"b":2}`)[0], Optional: []string{"b"}}, `{"a":1}`, true, true},
		"an optional wrong":     {Expected{Input: raw(`{"a":1,"b":2}`)[0], Optional: []string{"b"}}, `{"a":1,"b":3}`, false, false},
		"free":                  {Expected{Input: raw(`{"a":{"b":"x"}}`)[0], Free: []string{"a.b"}}, `{"a":{"b":"anything"}}`, true, true},
		"free but missing":      {Expected{Input: raw(`{"a":{"b":"x"}}`)[0], Free: []string{"a.b"}}, `{"a":{}}`, false, false},
		"or":                    {Expected{Input: raw(`{"a":"NYC"}`)[0], Or: map[string][]json.RawMessage{"a": raw(`"New York"`, `"Big Apple"`)}}, `{"a":"New York"}`, true, true},
		"or the first":          {Expected{Input: raw(`{"a":"NYC"}`)[0], Or: map[string][]json.RawMessage{"a": raw(`"New York"`)}}, `{"a":"nyc"}`, false, true},
		"order":                 {Expected{Input: raw(`{"a":[1,2]}`)[0]}, `{"a":[2,1]}`, false, false},
		"a set":                 {Expected{Input: raw(`{"a":["x","y","x"]}`)[0], Set: []string{"a"}}, `{"a":["X","x","Y"]}`, false, true},
		"no set":                {Expected{Input: raw(`{"a":["x","y"]}`)[0], Set: []string{"a"}}, `{"a":["x","x"]}`, false, false},
		"too short":             {Expected{Input: raw(`{"a":["x","y"]}`)[0], Set: []string{"a"}}, `{"a":["x"]}`, false, false},
		"no object":             {Expected{Input: raw(`{}`)[0]}, `[]`, false, false},
		"no JSON":               {Expected{Input: raw(`{}`)[0]}, `{}x`, false, false},
	} {
		v := want(t, c.want).Judge([]Call{{"t", json.RawMessage(c.got)}}, valid)
		if v.Exact != c.exact || v.Soft != c.soft {
			t.Errorf("%s: exact %t, soft %t, want %t, %t", name, v.Exact, v.Soft, c.exact, c.soft)
		}
	}
}

// TestCalls: calls come in any order, each of them once, and no other.
func TestCalls(t *testing.T) {
	var w Want
	for _, input := range []string{`{"a":1}`, `{"a":2}`} {
		c, err := Expected{Name: "t", Input: json.RawMessage(input)}.Want()
		if err != nil {
			t.Fatal(err)
		}
		w.Calls = append(w.Calls, c)
	}
	call := func(name, input string) Call { return Call{name, json.RawMessage(input)} }
	for _, c := range []struct {
		calls []Call
		soft  bool
	}{
		{[]Call{call("t", `{"a":2}`), call("t", `{"a":1}`)}, true},
		{[]Call{call("t", `{"a":1}`), call("t", `{"a":1}`)}, false},
		{[]Call{call("t", `{"a":1}`), call("u", `{"a":2}`)}, false},
		{[]Call{call("t", `{"a":1}`)}, false},
		{[]Call{call("t", `{"a":1}`), call("t", `{"a":2}`), call("t", `{"a":2}`)}, false},
		{nil, false},
	} {
		if v := w.Judge(c.calls, valid); v.Soft != c.soft || v.Exact != c.soft || v.Wants != 2 || v.Calls != len(c.calls) {
			t.Errorf("%v: %+v", c.calls, v)
		}
	}
	if v := (Want{}).Judge(nil, valid); !v.Exact || !v.Soft || !v.Valid {
		t.Errorf("nothing wanted, nothing called: %+v", v)
	}
	if v := (Want{}).Judge([]Call{call("t", `{}`)}, valid); v.Soft {
		t.Errorf("nothing wanted, something called: %+v", v)
	}
}

// TestRules: the rule of BFCL drops more than ours.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		a, b       string
		soft, bfcl bool
	}{
		{"New York, NY", "new york ny", false, true},
		{"it's", `it"s`, true, true},
		{"a\tb", "ab", true, false},
		{"...", "..", false, true},
	} {
		if Soft.equalStrings(c.a, c.b) != c.soft || BFCL.equalStrings(c.a, c.b) != c.bfcl {
			t.Errorf("%q, %q: want %t, %t", c.a, c.b, c.soft, c.bfcl)
		}
	}
}

func TestSchemas(t *testing.T) {
	catalog, err := sig.Compile(`[
		{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"integer","minimum":3}},"required":["a"]}},
		{"name":"far","inputSchema":{"$ref":"https://example.com/schema.json"}},
		{"name":"dirty","inputSchema":{"type":"nonsense"}}]`)
	if err != nil {
		t.Fatal(err)
	}
	s := CompileSchemas(catalog)
	for _, c := range []struct {
		name, input string
		valid       bool
	}{
		{"t", `{"a":3}`, true}, {"t", `{"a":2}`, false}, {"t", `{}`, false}, {"t", `{`, false},
		{"u", `{}`, false}, {"far", `{}`, true}, {"dirty", `{}`, true},
	} {
		if got := s.Valid(Call{c.name, json.RawMessage(c.input)}); got != c.valid {
			t.Errorf("%s %s: %t", c.name, c.input, got)
		}
	}
}

func TestExpectedRefuses(t *testing.T) {
	for _, e := range []Expected{
		{Input: json.RawMessage(`[]`)}, {Input: json.RawMessage(`{`)}, {},
		{Input: json.RawMessage(`{"a":1}`), Optional: []string{"b"}},
		{Input: json.RawMessage(`{"a":1}`), Free: []string{"a.b"}},
		{Input: json.RawMessage(`{"a":1}`), Set: []string{"b"}},
		{Input: json.RawMessage(`{"a":1}`), Or: map[string][]json.RawMessage{"a": {json.RawMessage(`x`)}}},
		{Input: json.RawMessage(`{"a":1}`), Or: map[string][]json.RawMessage{"b": {json.RawMessage(`1`)}}},
	} {
		if _, err := e.Want(); err == nil {
			t.Errorf("%+v: no error", e)
		}
	}
}
