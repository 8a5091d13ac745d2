package next

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	cw "github.com/callwire/callwire/lexer"
	cwparse "github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/next/parse"
)

// Native arguments are converted as the project converts them.
func TestCoerce(t *testing.T) {
	catalog, err := sig.Compile([]byte(tools))
	if err != nil {
		t.Fatal(err)
	}
	inputs := []string{
		``, ` `, `[1]`, ` 1`, `"x"`, `"{\"a\":1}"`, ` "{\"a\":\"1\",\"zz\":null}"`, `"{\"a\":1,\"a\":2}"`, `{"a":1,"a":2}`,
		`{"a":null,"b":"x"}`, `{"a":1,"b":null}`, `{"a":1,"b":null,"c":null}`, `{"b":null}`, `{ "a" : "7" , "c" : "[1,2]" }`,
		`{"d":{"x":null,"y":"p"}}`, `{"d":"{\"x\":\"true\"}"}`, `{"c":5}`, `{"c":"5"}`, `{"b":5,"a":"x"}`, `{"b":{"x":1}}`, `{"b":[1, 2]}`,
		`{"l":"[[\"a\"],[\"b\"]]"}`, `{"l":["a"]}`, `{"e.f":null,"a":1}`, `{"g":null,"a":1}`, `{"a":"\ud83d"}`, `{"a":` + strings.Repeat("[", 70),
	}
	r := rand.New(rand.NewSource(3))
	for range 20_000 {
		inputs = append(inputs, randomObject(r, 3))
	}
	for i, in := range inputs {
		name := []string{"t", "u", "v", "n"}[i%4]
		if i < 27 {
			name = "t"
		}
		out, issues, code, at := parse.Coerce(catalog, name, []byte(in))
		want, wantIssues, err := cwparse.Repair(catalog, name, []byte(in))
		var e *cw.Error
		if errors.As(err, &e) {
			if code != e.Code || at != e.Offset {
				t.Errorf("%s: %s at %d, want %v", in, code, at, e)
			}
			continue
		}
		got := fmt.Sprint(code, string(out))
		for _, i := range issues {
			got += fmt.Sprintf("\n%s %s %d", i.Code, i.Path, i.At)
		}
		should := string(want)
		for _, i := range wantIssues {
			should += fmt.Sprintf("\n%s %s %d", i.Code, i.Path, i.At)
		}
		if got != should {
			t.Fatalf("%s %s:\ngot  %s\nwant %s", name, in, got, should)
		}
	}
	if out, _, code, _ := parse.Coerce(sig.AnyTool, "x", []byte(`{ "a" : 1.0 }`)); code != "" || string(out) != `{"a":1.0}` {
		t.Errorf("any tool: %s, %s", out, code)
	}
	if _, _, code, _ := parse.Coerce(nil, "x", []byte(`{}`)); code != "unknown-tool" {
		t.Errorf("no tool: %s", code)
	}
}
