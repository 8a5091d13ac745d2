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

// What cannot be repaired is refused; the mark ¦ stands where the offset is.
func TestRefusalsOfRepair(t *testing.T) {
	known := schemaCatalog(t, `{}`)
	for _, c := range []struct {
		rule, name, input string
		code              lexer.Code
	}{
		{"half an object", "t", `{"a":1¦`, lexer.InvalidJSON},
		{"a bare word", "t", `{"a":¦x}`, lexer.InvalidJSON},
		{"an array", "t", ` ¦[1]`, lexer.NotAnObject},
		{"a number", "t", `¦1`, lexer.NotAnObject},
		{"a string that is no object", "t", `¦"x"`, lexer.NotAnObject},
		{"a string that holds an array", "t", ` ¦"[1]"`, lexer.NotAnObject},
		{"a string that holds half an object", "t", `¦"{\"a\":"`, lexer.NotAnObject},
		{"a string that holds a repeated key", "t", `¦"{\"a\":1,\"a\":2}"`, lexer.NotAnObject},
		{"a repeated key", "t", `{"a":1,¦"a":2}`, lexer.DuplicateKey},
		{"bytes that are no UTF-8", "t", "{\"a\":\"¦\xff\"}", lexer.InvalidUTF8},
		{"half a pair of surrogates", "t", `{"a":"¦\ud83d"}`, lexer.UnpairedSurrogate},
		{"an unknown tool", "u", `{}`, lexer.UnknownTool},
		{"too deep", "t", `{"a":` + strings.Repeat("[", 64) + `¦[`, lexer.TooDeep},
	} {
		before, after, marked := strings.Cut(c.input, "¦")
		at := 0
		if marked {
			at = len(before)
		}
		out, issues, err := parse.Repair(known, c.name, []byte(before+after))
		var e *lexer.Error
		if !errors.As(err, &e) || e.Code != c.code || e.Offset != at || e.Tool != c.name || out != nil || issues != nil {
			t.Errorf("%s: %s, %v, %v; want %s at %d", c.rule, out, issues, err, c.code, at)
		}
	}
}

// A nil catalog changes nothing but whitespace and spelling.
func TestRepairWithoutACatalogue(t *testing.T) {
	out, issues, err := parse.Repair(nil, "t", []byte(` { "a" : [ "1" , 1.0 ] , "\u0062" : "\u00e9\/" } `))
	if want := `{"a":["1",1.0],"b":"é/"}`; string(out) != want || issues != nil || err != nil {
		t.Errorf("got %s, %v, %v, want %s", out, issues, err, want)
	}
}

func ExampleRepair() {
	catalog, err := sig.Compile(`[{"name":"search","inputSchema":{"properties":{"limit":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}}}}}]`)
	if err != nil {
		fmt.Println(err)
		return
	}
	input, issues, err := parse.Repair(catalog, "search", []byte(`{"limit": "5", "tags": "[\"a\",\"b\"]"}`))
	fmt.Println(string(input), err)
	for _, is := range issues {
		fmt.Println(is.Code, is.Path, is.At)
	}
	// Output:
	// {"limit":5,"tags":["a","b"]} <nil>
	// coerced limit 10
	// coerced tags 23
}

// A null is left out where the property may be, and allows none.
func TestRepairOfNulls(t *testing.T) {
	catalog, err := sig.Compile(`[{"name":"t","inputSchema":{"type":"object","properties":{"s":{"type":"string"},"n":{"type":"integer"},"z":{"type":["integer","null"]},"any":{},
		"r":{"type":"string"},"o":{"type":"object","properties":{"k":{"type":"boolean"}}},"rows":{"type":"array","items":{"type":"object","properties":{"k":{"type":"integer"}}}},
		"m":{"type":"object","additionalProperties":{"type":"string"}}},"required":["r"]}}]`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ input, want, issues string }{
		{`{"s":null,"n":null,"r":"x"}`, `{"r":"x"}`, "coerced s 5, coerced n 14, "},
		{`{"r":"x","s":null}`, `{"r":"x"}`, "coerced s 13, "},
		{` { "r" : "x" , "n" : null , "z" : null } `, `{"r":"x","z":null}`, "coerced n 21, "},
		{`{"n":null}`, `{}`, "coerced n 5, missing-argument r 9, "},
		{`{"r":"x","o":{"k":null},"rows":[{"k":1},{"k":null}]}`, `{"r":"x","o":{},"rows":[{"k":1},{}]}`, "coerced o.k 18, coerced rows[1].k 45, "},
		{`{"r":"null","any":null,"\u0073":null}`, `{"r":"null","any":null}`, "coerced s 32, "},
		{`"{\"r\":\"x\",\"n\":null}"`, `{"r":"x"}`, "coerced  0, coerced n 0, "},
	} {
		out, issues, err := parse.Repair(catalog, "t", []byte(c.input))
		var said strings.Builder
		for _, i := range issues {
			fmt.Fprintf(&said, "%s %s %d, ", i.Code, i.Path, i.At)
		}
		if string(out) != c.want || said.String() != c.issues || err != nil {
			t.Errorf("%s\n got %s, %s, %v\nwant %s, %s", c.input, out, said.String(), err, c.want, c.issues)
		}
	}
	if out, _, err := parse.Repair(catalog, "t", []byte(`{"r":null,"m":{"a":null}}`)); err != nil || strings.Contains(string(out), `{}`) {
		t.Errorf("%s, %v", out, err)
	}
}
