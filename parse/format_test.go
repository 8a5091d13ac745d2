package parse_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// readBack fails unless text is one call of name with input, as it was compacted.
func readBack(t *testing.T, o parse.FormatOptions, catalog *sig.Catalog, text, name, input string) {
	t.Helper()
	segs := parse.Options{Delims: o.Delims}.Text(text, catalog)
	if len(segs) != 1 || segs[0].Kind != parse.Call || segs[0].Name != name || string(segs[0].Input) != input {
		t.Errorf("%q reads as %+v, want %s", text, segs, input)
	}
}

// The canonical form, rule by rule. A tool without a schema, unless there is one.
func TestFormat(t *testing.T) {
	const strings = `{"properties":{"s":{"type":"string"},"o":{"properties":{"n":{"type":"integer"}}}},"additionalProperties":{"type":"string"}}`
	for _, c := range []struct{ rule, schema, input, want string }{
		{"no arguments", "", `{}`, `<call>t</call>`},
		{"a string stands bare", "", `{"a":"x"}`, `<call>t a=x</call>`},
		{"letters beyond ASCII do too", "", `{"a":"é"}`, `<call>t a=é</call>`},
		{"one with = and brackets inside does too", "", `{"a":"x=[y]{z},"}`, `<call>t a=x=[y]{z},</call>`},
		{"one with a backslash does too", "", `{"a":"C:\\x"}`, `<call>t a=C:\x</call>`},
		{"one with a blank is quoted", "", `{"a":"x y"}`, `<call>t a="x y"</call>`},
		{"the empty string is quoted", "", `{"a":""}`, `<call>t a=""</call>`},
		{"one with < is quoted", "", `{"a":"x<y"}`, `<call>t a="x<y"</call>`},
		{"one with > is quoted", "", `{"a":"x>y"}`, `<call>t a="x>y"</call>`},
		{"one with a quote is quoted", "", `{"a":"it's"}`, `<call>t a="it's"</call>`},
		{"one that begins with a bracket is quoted", "", `{"a":"[x","b":"{x"}`, `<call>t a="[x" b="{x"</call>`},
		{"one that reads as a number is quoted", "", `{"a":"42"}`, `<call>t a="42"</call>`},
		{"one that reads as a literal is quoted", "", `{"a":"true","b":"null"}`, `<call>t a="true" b="null"</call>`},
		{"but not where only strings are allowed", strings, `{"s":"42"}`, `<call>t s=42</call>`},
		{"single quotes where that is shorter", "", `{"a":"say \"hi\" now"}`, `<call>t a='say "hi" now'</call>`},
		{"double quotes where it is not", "", `{"a":"'x' \"y\""}`, `<call>t a="'x' \"y\""</call>`},
		{"controls are escaped", "", `{"a":"x\ny\u0000\u007f"}`, `<call>t a="x\ny\u0000\u007f"</call>`},
		{"a backslash is doubled in quotes", "", `{"a":"x \\d"}`, `<call>t a="x \\d"</call>`},
		{"a close tag in a string", "", `{"a":"x </call>"}`, `<call>t a="x <\/call>"</call>`},
		{"an opener in a string", "", `{"a":"x <call>"}`, `<call>t a="x \u003ccall>"</call>`},
		{"digits stay as they are", "", `{"a":1.50,"b":1E+2,"c":-0,"d":12345678901234567890}`, `<call>t a=1.50 b=1E+2 c=-0 d=12345678901234567890</call>`},
		{"literals", "", `{"a":true,"b":false,"c":null}`, `<call>t a=true b=false c=null</call>`},
		{"arrays are compact JSON", "", `{"a":[1, "x", [ ], {"k" : null}]}`, `<call>t a=[1,"x",[],{"k":null}]</call>`},
		{"tags in arrays", "", `{"a":["</call>"]}`, `<call>t a=["<\/call>"]</call>`},
		{"objects are paths", "", `{"a":{"b":1,"c":{"d":"x"}},"e":2}`, `<call>t a.b=1 a.c.d=x e=2</call>`},
		{"the order is kept", "", `{"b":1,"a":2}`, `<call>t b=1 a=2</call>`},
		{"a key that is no path is JSON", "", `{"a b":1}`, `<call>t {"a b":1}</call>`},
		{"an empty key is JSON", "", `{"":1}`, `<call>t {"":1}</call>`},
		{"a dotted key is JSON", "", `{"a.b":1}`, `<call>t {"a.b":1}</call>`},
		{"a dotted key that is declared is a path", `{"properties":{"a.b":{"type":"integer"}}}`, `{"a.b":1}`, `<call>t a.b=1</call>`},
		{"an empty object is JSON", "", `{"a":{}}`, `<call>t {"a":{}}</call>`},
		{"a misfit is JSON", strings, `{"o":{"n":"5"}}`, `<call>t {"o":{"n":"5"}}</call>`},
		{"a number where only strings are allowed is JSON", strings, `{"s":42}`, `<call>t {"s":42}</call>`},
		{"tags in JSON", "", `{"a b":"</call><call>u"}`, `<call>t {"a b":"<\/call>\u003ccall>u"}</call>`},
		{"whitespace around the input is dropped", "", " \n{ \"a\" : 1 } ", `<call>t a=1</call>`},
		{"escapes that are needless are dropped", "", `{"\u0061":"\u00e9\/"}`, `<call>t a=é/</call>`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var catalog *sig.Catalog
			if c.schema != "" {
				catalog = schemaCatalog(t, c.schema)
			}
			got, err := parse.Format(catalog, "t", []byte(c.input))
			if err != nil || got != c.want {
				t.Fatalf("%s\ngot  %s, %v\nwant %s", c.input, got, err, c.want)
			}
			segs := parse.Text(got, catalog)
			again, err := parse.Format(catalog, "t", segs[0].Input)
			if err != nil || again != got {
				t.Errorf("%s is written again as %s, %v", got, again, err)
			}
		})
	}
}

func TestFormatOptions(t *testing.T) {
	const input = `{"a":"x)","b":{"c":1}}`
	for _, c := range []struct {
		name string
		opts parse.FormatOptions
		want string
	}{
		{"JSON for every call", parse.FormatOptions{JSON: true}, `<call>t {"a":"x)","b":{"c":1}}</call>`},
		{"other tags", parse.FormatOptions{Delims: lexer.Delims{Open: "<t>", Close: "</t>"}}, `<t>t a=x) b.c=1</t>`},
		{"a bare word holds no first byte of a tag", parse.FormatOptions{Delims: lexer.Delims{Open: "((", Close: "))"}}, `((t a="x)" b.c=1))`},
	} {
		got, err := c.opts.Format(nil, "t", []byte(input))
		if err != nil || got != c.want {
			t.Errorf("%s: got %s, %v", c.name, got, err)
		}
		readBack(t, c.opts, nil, got, "t", input)
	}
	if got, err := (parse.FormatOptions{JSON: true}).Format(nil, "t", []byte("{}")); got != "<call>t</call>" || err != nil {
		t.Errorf("no arguments in JSON are %s, %v", got, err)
	}
}

// Append appends, and leaves what is there alone where it refuses.
func TestAppend(t *testing.T) {
	dst, err := parse.FormatOptions{}.Append([]byte("text "), nil, "t", []byte(`{"a":1}`))
	if err != nil || string(dst) != "text <call>t a=1</call>" {
		t.Errorf("got %q, %v", dst, err)
	}
	dst, err = parse.FormatOptions{}.Append([]byte("text "), nil, "t", []byte(`{"a":`))
	if err == nil || string(dst) != "text " {
		t.Errorf("got %q, %v", dst, err)
	}
}

// Every refusal, with its code and offset: the mark ¦ stands in the input where
// the offset is.
func TestRefusals(t *testing.T) {
	type limits = lexer.Limits
	known := schemaCatalog(t, `{}`)
	for _, c := range []struct {
		rule, name, input string
		code              lexer.Code
		limits            limits
		catalog           *sig.Catalog
	}{
		{rule: "no input", name: "t", input: "¦", code: lexer.InvalidJSON},
		{rule: "half an object", name: "t", input: `{"a":1¦`, code: lexer.InvalidJSON},
		{rule: "a trailing comma", name: "t", input: `{"a":1,¦}`, code: lexer.InvalidJSON},
		{rule: "a bare key", name: "t", input: `{¦a:1}`, code: lexer.InvalidJSON},
		{rule: "a bare word", name: "t", input: `{"a":¦x}`, code: lexer.InvalidJSON},
		{rule: "a leading zero", name: "t", input: `{"a":¦01}`, code: lexer.InvalidJSON},
		{rule: "single quotes", name: "t", input: `{"a":¦'x'}`, code: lexer.InvalidJSON},
		{rule: "no colon", name: "t", input: `{"a"¦}`, code: lexer.InvalidJSON},
		{rule: "no comma", name: "t", input: `{"a":1 ¦"b":2}`, code: lexer.InvalidJSON},
		{rule: "the wrong bracket", name: "t", input: `{"a":[1¦}`, code: lexer.InvalidJSON},
		{rule: "a control in a string", name: "t", input: "{\"a\":\"x¦\n\"}", code: lexer.InvalidJSON},
		{rule: "an escape that JSON has not", name: "t", input: `{"a":"x¦\d"}`, code: lexer.InvalidJSON},
		{rule: "an escaped single quote", name: "t", input: `{"a":"¦\'"}`, code: lexer.InvalidJSON},
		{rule: "two objects", name: "t", input: `{} ¦{}`, code: lexer.InvalidJSON},
		{rule: "an array", name: "t", input: ` ¦[1]`, code: lexer.NotAnObject},
		{rule: "a string", name: "t", input: `¦"{}"`, code: lexer.NotAnObject},
		{rule: "null", name: "t", input: `¦null`, code: lexer.NotAnObject},
		{rule: "half a pair of surrogates", name: "t", input: `{"a":"x¦\ud83d"}`, code: lexer.UnpairedSurrogate},
		{rule: "the other half", name: "t", input: `{"a":"¦\ude00"}`, code: lexer.UnpairedSurrogate},
		{rule: "bytes that are no UTF-8", name: "t", input: "{\"a\":\"x¦\xff\"}", code: lexer.InvalidUTF8},
		{rule: "a repeated key", name: "t", input: `{"a":1,¦"a":2}`, code: lexer.DuplicateKey},
		{rule: "a key repeated in other words", name: "t", input: `{"a":1,¦"\u0061":2}`, code: lexer.DuplicateKey},
		{rule: "a repeated key below", name: "t", input: `{"o":[{"a":1,¦"a":2}]}`, code: lexer.DuplicateKey},
		{rule: "a tool that is not known", name: "u", input: `{}`, code: lexer.UnknownTool, catalog: known},
		{rule: "a name with a blank", name: "a b", input: `{}`, code: lexer.BadName},
		{rule: "an empty name", name: "", input: `{}`, code: lexer.BadName},
		{rule: "a name that begins with a digit", name: "1", input: `{}`, code: lexer.BadName},
		{rule: "a name with a tag", name: "t</call>", input: `{}`, code: lexer.BadName},
		{rule: "a name that is no UTF-8", name: "t\xff", input: `{}`, code: lexer.InvalidUTF8},
		{rule: "a name at the limit", name: "abcd", input: `{}`, limits: limits{Name: 4}},
		{rule: "a name beyond it", name: "abcde", input: `{}`, limits: limits{Name: 4}, code: lexer.NameTooLong},
		{rule: "arrays at the limit", name: "t", input: `{"a":[[1]]}`, limits: limits{Depth: 2}},
		{rule: "arrays beyond it", name: "t", input: `{"a":[[¦[1]]]}`, limits: limits{Depth: 2}, code: lexer.TooDeep},
		{rule: "objects at the limit", name: "t", input: `{"a":{"b":{"c":1}}}`, limits: limits{Depth: 2}},
		{rule: "objects beyond it", name: "t", input: `{"a":{"b":{"c":¦{"d":1}}}}`, limits: limits{Depth: 2}, code: lexer.TooDeep},
		{rule: "arguments at the limit", name: "t", input: `{"a":1,"b":2}`, limits: limits{Arguments: 2}},
		{rule: "arguments beyond it", name: "t", input: `{"a":1,"b":2,¦"c":3}`, limits: limits{Arguments: 2}, code: lexer.TooManyArguments},
		{rule: "a call at the limit", name: "t", input: `{"a":1}`, limits: limits{Bytes: 18}},
		{rule: "a call beyond it", name: "t", input: `{"a":1}¦`, limits: limits{Bytes: 17}, code: lexer.CallTooLong},
	} {
		t.Run(c.rule, func(t *testing.T) {
			before, after, marked := strings.Cut(c.input, "¦")
			at := 0
			if marked {
				at = len(before)
			}
			text, err := parse.FormatOptions{Limits: c.limits}.Format(c.catalog, c.name, []byte(before+after))
			if c.code == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var e *lexer.Error
			if !errors.As(err, &e) || e.Code != c.code || e.Offset != at || e.Tool != c.name || text != "" {
				t.Errorf("got %q, %v, want %s at %d", text, err, c.code, at)
			}
		})
	}
}

// Tags of one's own can stand in names and numbers. What can be written in one
// form is; the rest is refused with the code of what holds the tag.
func TestFormatUnderOtherTags(t *testing.T) {
	for _, c := range []struct {
		rule        string
		open, close string
		name, input string
		want        string
		code        lexer.Code
		at          int
	}{
		{"a name that holds no tag", "@c", "@/c", "t@d", `{"a":1}`, "@ct@d a=1@/c", "", 0},
		{"a name that holds the opener", "@c", "@/c", "t@cd", `{"a":1}`, "", lexer.BadName, 0},
		{"a name that holds the close tag", "@c", "@/c", "t@/cd", `{}`, "", lexer.BadName, 0},
		{"a name of which the end and the close tag begin as that", "<c", "--", "t-", `{}`, "", lexer.BadName, 0},
		{"a number that holds no tag", "<c", "-1", "t", `{"a":-2}`, "<ct a=-2-1", "", 0},
		{"a number that holds the close tag", "<c", "-1", "t", `{"b":-2,"a":-1}`, "", lexer.NestedCall, len(`{"b":-2,"a":`)},
		{"a number that holds the opener", "+5", "</c", "t", `{"a":[1e+5]}`, "", lexer.NestedCall, len(`{"a":[`)},
		{"a number that is a tag with what follows it", "-1<x", "<c>", "t", `{"a":-1}`, `-1<xt a=-1<c>`, "", 0},
		{"a number that is a tag with the close tag after it", "-1<x", "<xx", "t", `{"a":-1}`, `-1<xt {"a":-1}<xx`, "", 0},
		{"a key that holds a first byte of a tag", "@c", "@/c", "t", `{"@id":1}`, `@ct {"@id":1}@/c`, "", 0},
		{"a key that begins like the opener alone", "@c", "</c", "t", `{"@id":1}`, `@ct {"@id":1}</c`, "", 0},
		{"a key in a group that begins like the opener alone", "@c", "</c", "t", `{"a":{"@id":1},"b":2}`, `@ct {"a":{"@id":1},"b":2}</c`, "", 0},
		{"a key in a group that begins like the close tag alone", "<c", "@/c", "t", `{"a":{"@id":1},"b":2}`, `<ct {"a":{"@id":1},"b":2}@/c`, "", 0},
		{"a key that is the opener", "@c", "</c", "t", `{"a":{"@c":1}}`, `@ct {"a":{"\u0040c":1}}</c`, "", 0},
		{"a string that holds a tag", "@c", "@/c", "t", `{"a":"x@/c@c"}`, `@ct a="x@\/c\u0040c"@/c`, "", 0},
		{"a tag that begins with the colon of JSON", ":1", ":2", "t", `{"a b":1,"c":2}`, `:1t {"a b":1,"c":2}:2`, "", 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			o := parse.FormatOptions{Delims: lexer.Delims{Open: c.open, Close: c.close}}
			got, err := o.Format(nil, c.name, []byte(c.input))
			if c.code != "" {
				var e *lexer.Error
				if !errors.As(err, &e) || e.Code != c.code || e.Offset != c.at || e.Found == "" || got != "" {
					t.Errorf("got %q, %v, want %s at %d", got, err, c.code, c.at)
				}
				return
			}
			if err != nil || got != c.want {
				t.Fatalf("got %q, %v, want %q", got, err, c.want)
			}
			readBack(t, o, nil, got, c.name, c.input)
		})
	}
	var illegal *lexer.DelimsError
	if _, err := (parse.FormatOptions{Delims: lexer.Delims{Open: "x", Close: "y"}}).Format(nil, "t", []byte("{}")); !errors.As(err, &illegal) {
		t.Errorf("tags of a letter: %v", err)
	}
}

func ExampleFormat() {
	catalog, err := sig.Compile(`[{"name":"book","inputSchema":{"properties":{"to":{"type":"string"},"seat":{"properties":{"row":{"type":"integer"}}}}}}]`)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := parse.Format(catalog, "book", []byte(`{"to":"New York","seat":{"row":12}}`))
	fmt.Println(text, err)
	_, err = parse.Format(catalog, "book", []byte(`{"to":"Oslo","to":"Rome"}`))
	var refusal *lexer.Error
	if errors.As(err, &refusal) {
		fmt.Println(refusal.Code, refusal.Offset)
	}
	// Output:
	// <call>book to="New York" seat.row=12</call> <nil>
	// duplicate-key 13
}

// A long key over many members costs work and memory in proportion to the input,
// whatever the limits: the paths are given up when they are dear, and the segments
// of each are counted in memory that is used again.
func TestWritingIsLinear(t *testing.T) {
	for _, c := range []struct {
		name  string
		input func(n int) string
	}{
		{"a long key over many members", func(n int) string {
			return `{"` + strings.Repeat("k", n/2) + `":{` + members(n/16) + `}}`
		}},
		{"a long key of dots", func(n int) string {
			return `{"` + strings.Repeat("k.", n/4) + `":{` + members(n/16) + `}}`
		}},
		{"keys in keys", func(n int) string {
			return strings.Repeat(`{"`+strings.Repeat("k", n/120)+`":`, 60) + `{` + members(n/16) + `}` + strings.Repeat("}", 60)
		}},
		{"short members", func(n int) string { return `{` + members(n/8) + `}` }},
	} {
		for _, limits := range []lexer.Limits{{}, {Bytes: 1 << 30, Arguments: 1 << 30}} {
			o := parse.FormatOptions{Limits: limits}
			for _, n := range []int{1 << 13, 1 << 16} {
				input := []byte(c.input(n))
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				text, err := o.Format(nil, "t", input)
				runtime.ReadMemStats(&after)
				if err != nil && limits.Arguments > 0 {
					t.Fatalf("%s of %d bytes: %v", c.name, len(input), err)
				}
				if most := 9*len(input) + 100; len(text) > most {
					t.Errorf("%s of %d bytes: %d bytes are written", c.name, len(input), len(text))
				}
				if got, most := int(after.TotalAlloc-before.TotalAlloc), 60*len(input)+4096; got > most {
					t.Errorf("%s of %d bytes: %d bytes are allocated, want at most %d", c.name, len(input), got, most)
				}
			}
		}
	}
}

// members returns n members of an object.
func members(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"%05d":1`, i)
	}
	return b.String()[1:]
}
