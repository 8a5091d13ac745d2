package yaml_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
)

var catalog = func() *sig.Catalog {
	c, err := sig.Compile(`[
		{"name": "f", "inputSchema": {"type": "object", "properties": {
			"s": {"type": "string"}, "n": {"type": "number"}, "i": {"type": "integer"}, "b": {"type": "boolean"}, "z": {"type": ["null", "integer"]},
			"tags": {"type": "array", "items": {"type": "string"}}, "o": {"type": "object", "properties": {"k": {"type": "string"}, "v": {"type": "number"}}},
			"any": {}}, "additionalProperties": true}},
		{"name": "g"}]`)
	if err != nil {
		panic(err)
	}
	return c
}()

// show describes a message as it is read.
func show(text string) string {
	var all []string
	for _, s := range (parse.Options{Protocol: yaml.XML}).Text(text, catalog) {
		switch s.Kind {
		case parse.Prose:
			all = append(all, fmt.Sprintf("%q", s.Text))
		case parse.Call:
			line := s.Name + " " + string(s.Input)
			for _, i := range s.Issues {
				line += fmt.Sprintf(" %s@%d", i.Code, i.At)
			}
			all = append(all, line)
		case parse.Malformed:
			all = append(all, fmt.Sprintf("%s@%d [%d,%d)", s.Err.Code, s.Err.Offset, s.Start, s.End))
		}
	}
	return strings.Join(all, "; ")
}

func TestRead(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"Hi <f>\ns: New York\ni: 3\n</f> bye", `"Hi "; f {"s":"New York","i":3}; " bye"`},
		{"<f/><f />\n<f></f><f>\n# nothing\n</f>", `f {}; f {}; "\n"; f {}; f {}`},
		{"<f>\n    s: Paris\n    i: 1\n</f>", `f {"s":"Paris","i":1}`},
		{"<f>s: x</f>", `f {"s":"x"}`},
		{"<f>\n{s: x, any: [1, '1', null]}\n</f>", `f {"s":"x","any":[1,"1",null]}`},
		{"<f>\n---\ns: x\n...\n</f>", `f {"s":"x"}`},
		{"<f>\r\ns: x\r\ntags:\r\n  - a\r\n  - b c\r\n</f>", `f {"s":"x","tags":["a","b c"]}`},

		// Strings.
		{"<f>\ns: |\n  one\n   two\n\n  three\ni: 1\n</f>", `f {"s":"one\n two\n\nthree\n","i":1}`},
		{"<f>\ns: >-\n  one\n  two\n</f>", `f {"s":"one two"}`},
		{"<f>\ns: 'it''s'\nany: \"a\\tb\\u00e9\\/\"\n</f>", `f {"s":"it's","any":"a\tbé/"}`},
		{"<f>\ns: it's \"so\"\n</f>", `f {"s":"it's \"so\""}`},
		{"<f>\ns: true\nany: \"true\"\n</f>", `f {"s":"true","any":"true"}`},
		{"<f>\ns: 007\n</f>", `f {"s":"007"}`},
		{"<f>\ns: null\n</f>", `f {"s":"null"}`},
		{"<f>\ns:\n</f>", `f {"s":""}`},
		{"<f>\ns: a\n  b\n</f>", `f {"s":"a b"}`},

		// The core schema.
		{"<f>\nany: [~, True, 0x1F, 0o17, +1, -.5, 1., 007, .inf, yes, 9007199254740993, 1e400]\n</f>", `f {"any":[null,true,31,15,1,-0.5,1.0,"007",".inf","yes",9007199254740993,1e400]}`},
		{"<f>\nb: TRUE\nn: 0x10\nz: ~\n</f>", `f {"b":true,"n":16,"z":null}`},
		{"<f>\ni: 0x10\nz: +1\n</f>", `f {"i":16,"z":1}`},
		{"<f>\ni: \"3\"\n</f>", `f {"i":3} coerced@7`},
		{"<f>\ni: 3.7\n</f>", `f {"i":3.7} type-mismatch@7`},
		{"<f>\ntags:\n</f>", `f {"tags":null} type-mismatch@9`},
		{"<f>\no:\n  k: 1\n  v: 1.50\n</f>", `f {"o":{"k":"1","v":1.50}}`},
		{"<f>\n\"a b\": 1\n__proto__: 2\n? c\n: 3\n</f>", `f {"a b":1,"__proto__":2,"c":3}`},

		// The end tag as text.
		{"<f>\ns: \"a </f> b\"\n</f>", `f {"s":"a </f> b"}`},
		{"<f>\ns: 'a </f> ''</f>'\n</f>", `f {"s":"a </f> '</f>"}`},
		{"<f>\ns: \"a\n  </f> b\"\n</f>", `f {"s":"a </f> b"}`},
		{"<f>\ns: |\n  a </f>\n  </f>\n</f>", `f {"s":"a </f>\n</f>\n"}`},
		{"<f>\ntags:\n- |\n  </f>\n- \"</f>\"\n- x\n</f>", `f {"tags":["</f>\n","</f>","x"]}`},
		{"<f>\no:\n  k: |\n    </f>\n  v: 1\n</f>", `f {"o":{"k":"</f>\n","v":1}}`},
		{"<f>\ns:\n  |\n </f>\n</f>", `f {"s":"</f>\n"}`},
		{"<f>\ns: |\n  <g>\n  x: 1\n</f>", `f {"s":"<g>\nx: 1\n"}`},
		{"<f>\n{\"s\":\"</f>\", 'any': ['</f>']}\n</f>", `f {"s":"</f>","any":["</f>"]}`},
		{"<f>\ns: it\n  'tis\n</f>", `f {"s":"it 'tis"}`},
		{"<f>\ns: a # don't </f> x", `f {"s":"a"}; " x"`},
		{"<f>\n  s: |\n    text\n  </f>", `f {"s":"text\n"}`},

		// Faults.
		{"<f>\ns: *a\n</f>", `invalid-yaml@7 [0,14)`},
		{"<f>\ns: &a x\n</f>", `invalid-yaml@7 [0,16)`},
		{"<f>\ns: !!str x\n</f>", `invalid-yaml@7 [0,19)`},
		{"<f>\n<<: {s: x}\n</f>", `invalid-yaml@4 [0,19)`},
		{"<f>\n\"<<\": 1\n</f>", `f {"<<":1}`},
		{"<f>\ns: x\n---\ns: y\n</f>", `invalid-yaml@9 [0,22)`},
		{"<f>\ns: a\u2028b\n</f>", `invalid-yaml@8 [0,17)`},
		{"<f>\n[invalid: yaml: syntax:\n</f>", `invalid-yaml@18 [0,32)`},
		{"<f>\n- a\n</f>", `not-an-object@4 [0,12)`},
		{"<f>hello</f>", `not-an-object@3 [0,12)`},
		{"<f>\ns: x\ns: y\n</f>", `duplicate-key@9 [0,18)`},
		{"<f>\ns: \"x\n</f>", `unterminated-call@14 [0,14)`},
		{"<f>\ns: x\n", `unterminated-call@9 [0,9)`},
		{"<f>\ns: x\n<g>\na: 1\n</g>", `nested-call@9 [0,9); g {"a":1}`},
		{"<f>\ns: <g> x\n</f>", `f {"s":"<g> x"}`},
		{"<f>\ns: \xff\n</f>", `invalid-utf8@7 [0,13)`},
		{"<f>\n[a]: 1\n</f>", `invalid-yaml@4 [0,15)`},
	} {
		if got := show(tt.text); got != tt.want {
			t.Errorf("%q\ngot  %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// N levels pass, N+1 are too deep.
func TestDepth(t *testing.T) {
	for text, want := range map[string]int{
		"<g>\na: [[1]]\n</g>": -1, "<g>\na: [{b: [1]}]\n</g>": 12, "<g>\na:\n- b: 1\n  c:\n    d: 1\n</g>": 23,
	} {
		s := parse.Options{Protocol: yaml.XML, Limits: lexer.Limits{Depth: 2}}.Text(text, catalog)[0]
		if got := s.Err; want < 0 && got != nil || want >= 0 && (got == nil || got.Code != lexer.TooDeep || got.Offset != want) {
			t.Errorf("%q: %v, want too-deep at %d", text, got, want)
		}
	}
}

func TestWrite(t *testing.T) {
	for _, tt := range []struct{ input, want string }{
		{`{}`, "<f>\n</f>"},
		{`{"s":"New York","i":3}`, "<f>\ns: New York\ni: 3\n</f>"},
		{`{"s":"a\nb\n","any":"\n"}`, "<f>\ns: |\n  a\n  b\nany: \"\\n\"\n</f>"},
		{`{"s":"a\nb","o":{"k":"x\ny\n\n","v":1}}`, "<f>\ns: |-\n  a\n  b\no:\n  k: |+\n    x\n    y\n\n  v: 1\n</f>"},
		{`{"tags":["a","b c"],"any":{"a":[{"b":null}]}}`, "<f>\ntags: [\"a\", \"b c\"]\nany:\n  a: [{\"b\": null}]\n</f>"},
		{`{"s":"true","any":"12","k":"</f>\n"}`, "<f>\ns: \"true\"\nany: \"12\"\nk: \"<\\/f>\\n\"\n</f>"},
		{`{"any":{},"tags":[]}`, "<f>\nany: {}\ntags: []\n</f>"},
		{`{"s":"\u0000\u2028😀"}`, "<f>\ns: \"\\u0000\\u2028😀\"\n</f>"},
	} {
		got, err := parse.FormatOptions{Protocol: yaml.XML}.Format(catalog, "f", []byte(tt.input))
		if err != nil || got != tt.want {
			t.Errorf("%s\ngot  %q %v\nwant %q", tt.input, got, err, tt.want)
		}
	}
}

// A comment after a value holds no quotes, and no text.
func TestCommentsAfterValues(t *testing.T) {
	for in, want := range map[string]string{
		"s: \"x\" # it's\nn: 1\n":       `f {"s":"x","n":1}`,
		"s: 'x' # \"y\nn: 1\n":          `f {"s":"x","n":1}`,
		"tags: [a, 'b'] # it's\nn: 1\n": `f {"tags":["a","b"],"n":1}`,
		"s: x # it's\nn: 1\n":           `f {"s":"x","n":1}`,
		"s: \"x\"# y\nn: 1\n":           `invalid-yaml`,
	} {
		if got := show("<f>\n" + in + "</f>"); got != want && !strings.Contains(got, "invalid-yaml") || strings.Contains(got, "invalid-yaml") != (want == "invalid-yaml") {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// What looks like a number and is none of YAML's is a string; a base has no sign.
func TestOddNumbers(t *testing.T) {
	for in, want := range map[string]string{
		"0x1F": "31", "0o17": "15", "0x": `"0x"`, "0xg": `"0xg"`, "0x_1": `"0x_1"`, "0x-1": `"0x-1"`, "0o8": `"0o8"`, "-0x1": `"-0x1"`,
		"1_000": `"1_000"`, ".": `"."`, "+": `"+"`, "1.": "1.0", ".5": "0.5", "+7": "7", "1e3": "1e3", ".e3": `".e3"`,
	} {
		if got := show("<f>\nany: " + in + "\n</f>"); got != `f {"any":`+want+"}" {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
