package bench

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
)

func TestReadCalls(t *testing.T) {
	want := Call{"t", []byte(`{"b":1.50,"a":"é"}`)}
	for _, in := range []string{
		`{"name":"t","input":{"b":1.50,"a":"é"}}`,
		`[{"name":"t","input":{ "b" : 1.50, "a":"é"}}]`,
		"\uFEFF" + `{"name":"t","arguments":{"b":1.50,"a":"é"}}`,
		`{"name":"t","arguments":"{\"b\":1.50,\"a\":\"é\"}"}`,
		`{"type":"tool_use","id":"toolu_1","name":"t","input":{"b":1.50,"a":"é"}}`,
		`{"id":"call_1","type":"function","function":{"name":"t","arguments":"{\"b\":1.50,\"a\":\"é\"}"}}`,
	} {
		for n, text := range []string{in, in + "\n" + strings.TrimPrefix(in, "\uFEFF") + "\n"} {
			calls, err := ReadCalls([]byte(text))
			if err != nil || len(calls) != n+1 {
				t.Errorf("%s: %d calls, %v", text, len(calls), err)
				continue
			}
			for _, c := range calls {
				if c.Name != want.Name || string(c.Input) != string(want.Input) {
					t.Errorf("%s: %s %s", text, c.Name, c.Input)
				}
			}
		}
	}
}

// TestReadCallsRefuses: each error is one line and names the call.
func TestReadCallsRefuses(t *testing.T) {
	const good = `{"name":"t","input":{}}`
	for in, want := range map[string]string{
		``:                                       "no calls; write",
		`[]`:                                     "no calls; write",
		`{`:                                      "call 1: invalid JSON",
		good + "\n{x}":                           "call 2: invalid JSON",
		"[" + good + `,7]`:                       "call 2: invalid-json: want an object, found number",
		`null`:                                   "no name",
		`{}`:                                     "no name",
		`{"name":null,"input":{}}`:               "call 1: invalid-json: names",
		good + `{"name":7,"input":{}}`:           "call 2: invalid-json: names",
		`{"name":"t"}`:                           "no input",
		`{"function":{"arguments":"{}"}}`:        "no name",
		`{"function":{"name":"t","argument":1}}`: "no input",
	} {
		calls, err := ReadCalls([]byte(in))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, %v; want %s", in, calls, err, want)
		}
	}
}

// TestPublished: the calls are of these tools and fit them.
func TestPublished(t *testing.T) {
	s, err := Published()
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Catalog.Tools()) != 13 || len(s.Calls) != 19 {
		t.Errorf("%d tools and %d calls, want 13 and 19", len(s.Catalog.Tools()), len(s.Calls))
	}
	called := map[string]bool{}
	for _, c := range s.Calls {
		called[c.Name] = true
		input, issues, err := parse.Coerce(s.Catalog, c.Name, c.Input)
		if err != nil || len(issues) > 0 || string(input) != string(c.Input) {
			t.Errorf("%s %s: %s, %+v, %v", c.Name, c.Input, input, issues, err)
		}
	}
	if len(called) != 13 {
		t.Errorf("%d tools are called", len(called))
	}
}
