package parse_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// TestRepairRules has a line for each way in which a value of JSON can fit, be
// made to fit, or not fit.
func TestRepairRules(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t","inputSchema":{"type":"object","properties":{
		"s":{"type":"string"}, "i":{"type":"integer"}, "n":{"type":"number"}, "b":{"type":"boolean"}, "z":{"type":"null"},
		"a":{"type":"array","items":{"type":"string"}}, "o":{"type":"object","properties":{"i":{"type":"integer"}}},
		"sn":{"type":["string","null"]}, "as":{"type":["array","string"]}, "e":{"enum":["1",2]}, "aa":{"type":"array","items":{"type":"array","items":{"type":"integer"}}},
		"ai":{"type":"array","items":{"type":"integer"}}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ input, want string }{
		{`{"s":"x"}`, `{"s":"x"}`},
		{`{"s":1}`, `{"s":"1"} coerced s 5`},
		{`{"s":true}`, `{"s":"true"} coerced s 5`},
		{`{"s":null}`, `{} coerced s 5`},
		{`{"sn":null}`, `{"sn":null}`},
		{`{"s":[1]}`, `{"s":"[1]"} coerced s 5`},
		{`{"as":[1]}`, `{"as":[1]}`},
		{`{"i":"1"}`, `{"i":1} coerced i 5`},
		{`{"i":"1.0"}`, `{"i":1.0} coerced i 5`},
		{`{"i":"x"}`, `{"i":"x"} type-mismatch i 5`},
		{`{"i":"1.5"}`, `{"i":"1.5"} type-mismatch i 5`},
		{`{"n":"1.5"}`, `{"n":1.5} coerced n 5`},
		{`{"b":"true"}`, `{"b":true} coerced b 5`},
		{`{"b":"False"}`, `{"b":false} coerced b 5`},
		{`{"b":1}`, `{"b":1} type-mismatch b 5`},
		{`{"z":"null"}`, `{"z":null} coerced z 5`},
		{`{"z":1}`, `{"z":1} type-mismatch z 5`},
		{`{"a":"x"}`, `{"a":["x"]} coerced a 5`},
		{`{"a":"[\"x\"]"}`, `{"a":["x"]} coerced a 5`},
		{`{"a":1}`, `{"a":["1"]} coerced a 5 coerced a[0] 5`},
		{`{"ai":1}`, `{"ai":[1]} coerced ai 6`},
		{`{"ai":"1"}`, `{"ai":[1]} coerced ai 6 coerced ai[0] 6`},
		{`{"a":null}`, `{} coerced a 5`},
		{`{"aa":3}`, `{"aa":[[3]]} coerced aa 6 coerced aa[0] 6`},
		{`{"o":"{\"i\":\"2\"}"}`, `{"o":{"i":2}} coerced o 5 coerced o.i 5`},
		{`{"o":{"i":"2"}}`, `{"o":{"i":2}} coerced o.i 10`},
		{`{"e":"1"}`, `{"e":"1"}`},
		{`{"e":2.0}`, `{"e":2.0}`},
		{`{"e":"2"}`, `{"e":2} coerced e 5`},
		{`{"e":3}`, `{"e":3} not-in-enum e 5`},
		{` { "s" : "x" } `, `{"s":"x"}`},
		{`"{\"i\":\"1\"}"`, `{"i":1} coerced  0 coerced i 0`},
		{`  "{\"s\":\"x\"}"`, `{"s":"x"} coerced  2`},
	} {
		out, issues, err := parse.Repair(catalog, "t", []byte(c.input))
		if err != nil {
			t.Errorf("%s: %v", c.input, err)
			continue
		}
		got := string(out)
		for _, i := range issues {
			got += fmt.Sprintf(" %s %s %d", i.Code, i.Path, i.At)
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.input, got, c.want)
		}
	}
}

// TestRepairRefuses: what is no JSON object has no arguments in it.
func TestRepairRefuses(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t"}]`))
	if err != nil {
		t.Fatal(err)
	}
	deep := strings.Repeat("[", 64) + strings.Repeat("]", 64)
	for _, c := range []struct {
		tool, input string
		code        lexer.Code
		at          int
	}{
		{"u", `{}`, lexer.UnknownTool, 0},
		{"t", ``, lexer.InvalidJSON, 0},
		{"t", `{"a":}`, lexer.InvalidJSON, 5},
		{"t", `{"a":1} x`, lexer.InvalidJSON, 8},
		{"t", ` [1]`, lexer.NotAnObject, 1},
		{"t", `1`, lexer.NotAnObject, 0},
		{"t", ` "[1]"`, lexer.NotAnObject, 1},
		{"t", `"{"`, lexer.NotAnObject, 0},
		{"t", `{"a":[` + deep + `]}`, lexer.TooDeep, 69},
		{"t", `{"a":1,"a":2}`, lexer.DuplicateKey, 7},
	} {
		_, _, err := parse.Repair(catalog, c.tool, []byte(c.input))
		var e *lexer.Error
		if !errors.As(err, &e) || e.Code != c.code || e.Offset != c.at {
			t.Errorf("%s %.40s: %v, want %s at %d", c.tool, c.input, err, c.code, c.at)
		}
	}
	if _, _, err := parse.Repair(catalog, "t", []byte(`{"a":`+deep+`}`)); err != nil {
		t.Errorf("64 levels: %v", err)
	}
}
