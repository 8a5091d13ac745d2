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

// A nil catalogue changes nothing but whitespace and spelling.
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
