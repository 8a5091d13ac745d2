package parse

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
)

// Every short sequence of JSON's tokens and of what looks like them is taken
// exactly if it is JSON, but for repeated keys and lone surrogates, and comes out
// as encoding/json compacts it.
func TestJSONByTheStandardLibrary(t *testing.T) {
	tokens := []string{"{", "}", "[", "]", ",", ":", `"k"`, "1", "true", " ", "x", `"`}
	var try func(text string, n int)
	try = func(text string, n int) {
		out, code, at := compact([]byte(text), 64)
		var want bytes.Buffer
		valid := json.Compact(&want, []byte(text)) == nil
		switch {
		case code == "" && !valid, code == lexer.InvalidJSON && valid:
			t.Errorf("%q: %s", text, code)
		case code == "" && string(out) != want.String():
			t.Errorf("%q comes out as %s, want %s", text, out, want.String())
		case code != "" && (at < 0 || at > len(text)):
			t.Errorf("%q: %s at %d", text, code, at)
		}
		if n > 0 {
			for _, token := range tokens {
				try(text+token, n-1)
			}
		}
	}
	try("", 4)
	for _, begun := range []string{`{"a":`, `{"a":1,`, `[[`, `{"a":{"b":[`, `[1,`, `"x\`, `-`, `1e`, "\"\x01"} {
		try(begun, 3)
	}
}

// The first byte that no JSON text can have there is told; a word that is no
// literal is judged as a whole.
func TestPlaceOfInvalidJSON(t *testing.T) {
	for _, marked := range []string{
		`¦`, ` ¦`, `¦x`, `{¦1`, `{"a"¦1`, `{"a":¦}`, `{"a":1¦]`, `{"a":1,¦}`, `[¦,`, `[1,¦]`, `[¦1:`,
		`1 ¦2`, `{}¦}`, `"x¦\q"`, "\"¦\n\"", `"x¦`, `[1, ¦tru]`, `{"a":1 ¦"b":2}`, `"¦\'"`,
	} {
		before, after, _ := strings.Cut(marked, "¦")
		_, code, at := compact([]byte(before+after), 64)
		if code != lexer.InvalidJSON || at != len(before) {
			t.Errorf("%q: %s at %d, want it at %d", before+after, code, at, len(before))
		}
	}
}

// JSON nests as deep as it is allowed to.
func TestDepthOfJSON(t *testing.T) {
	for _, c := range []struct {
		text string
		code lexer.Code
		at   int
	}{{`[[1]]`, "", 0}, {`{"a":[1]}`, "", 0}, {`[[[1]]]`, lexer.TooDeep, 2}, {`{"a":[1,{}]}`, lexer.TooDeep, 8}, {`[[],[[]]]`, lexer.TooDeep, 5}} {
		if _, code, at := compact([]byte(c.text), 2); code != c.code || at != c.at {
			t.Errorf("%s: %s at %d, want %s at %d", c.text, code, at, c.code, c.at)
		}
	}
	if !isJSON([]byte(`[[1]]`), 2) || isJSON([]byte(`[[[1]]]`), 2) || isJSON([]byte(`{"a":1,"a":2}`), 2) || !isJSON([]byte(`["\ud83d"]`), 2) {
		t.Error("what is JSON text in a string: two levels, no repeated key, lone surrogates")
	}
}

// TestJSONSpace: the writer reads JSON with all four kinds of whitespace, wherever it
// may stand.
func TestJSONSpace(t *testing.T) {
	for _, gap := range []string{" ", "\t", "\n", "\r", "\r\n \t"} {
		input := strings.ReplaceAll(`_{_"a"_:_[_1_,_{_}_]_,_"b"_:_null_}_`, "_", gap)
		got, err := Format(nil, "t", []byte(input))
		if want := `<call>t a=[1,{}] b=null</call>`; err != nil || got != want {
			t.Errorf("%q: %s, %v", input, got, err)
		}
	}
	if _, err := Format(nil, "t", []byte("{\"a\":\v1}")); err == nil {
		t.Error("a vertical tab is no whitespace")
	}
}
