package protocol_test

import (
	"errors"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

func TestQwen3Coder(t *testing.T) {
	// f is a call of get_weather with that between its function tags.
	f := func(body string) string {
		return "<tool_call>\n<function=get_weather>\n" + body + "</function>\n</tool_call>"
	}
	p := func(key, text string) string { return "<parameter=" + key + ">\n" + text + "\n</parameter>\n" }
	for _, tt := range []struct{ in, want string }{
		{"hi " + f(p("city", "New York")+p("days", "3")+p("live", "true")) + " bye",
			lines(`text "hi "`, `call get_weather {"city":"New York","days":3,"live":true}`, `text " bye"`)},
		{f(p("city", "\nx\n")), lines(`call get_weather {"city":"\nx\n"}`)},
		{f(p("city", "")), lines(`call get_weather {"city":""}`)},
		{f("<parameter=city>\n</parameter>"), lines(`call get_weather {"city":""}`)},
		{f("<parameter=city></parameter>"), lines(`call get_weather {"city":""}`)},
		{f("<parameter=city>a b</parameter><parameter=days> 7 </parameter>"), lines(`call get_weather {"city":"a b","days":7}`)},
		{"<tool_call><function=now></function></tool_call><tool_call><function=now></function></tool_call>", lines(`call now {}`, `call now {}`)},
		{f(p("city", "true") + p("tags", `["a", "b"]`) + p("at", `{"lat": 1.50}`)), lines(`call get_weather {"city":"true","tags":["a","b"],"at":{"lat":1.50}}`)},
		{f(p("city", "007") + p("tags", "a") + p("tags", "b")), lines(`call get_weather {"city":"007","tags":["a","b"]}`)},
		{f(p("city", "x") + p("tags", "a")), lines(`call get_weather {"city":"x","tags":["a"]} coerced(tags)@83`)},
		{f(p("city", "x") + p("days", "3.7")), lines(`call get_weather {"city":"x","days":3.7} type-mismatch(days)@83`)},
		{f(p("city", "x") + p("days", "9007199254740993")), lines(`call get_weather {"city":"x","days":9007199254740993}`)},
		{f(p("city", "x") + p("live", "True")), lines(`call get_weather {"city":"x","live":true} coerced(live)@83`)},
		{f(p("city", "a </parameter> b")), lines(`call get_weather {"city":"a </parameter> b"} ambiguous-text(city)@51`)},
		{f(p("city", "<function=now>\n</function> x")), lines(`call get_weather {"city":"<function=now>\n</function> x"}`)},
		{f(p("city", "<tool_call>\n<function=now>\n</tool_call>")), lines(`call get_weather {"city":"<tool_call>\n<function=now>\n</tool_call>"}`)},
		{f(p("city", "a")+p("city", "b")) + "!", lines(`malformed "<tool_call>\n<function=get_weather>\n<parameter=city>\na\n</parameter>\n<parameter=city>\nb\n</parameter>\n</function>\n</tool_call>" duplicate-key@78 true`, `text "!"`)},
		{"<tool_call>\n<function=nope>\n</function>\n</tool_call>", lines(`malformed "<tool_call>\n<function=nope>\n</function>\n</tool_call>" unknown-tool@22 true`)},
		{"<tool_call>\n<function=now>\nx</function>\n</tool_call>", lines(`malformed "<tool_call>\n<function=now>\nx</function>\n</tool_call>" expected-key@27 true`)},
		{"<tool_call>\n<function=now>\n</function>", lines(`malformed "<tool_call>\n<function=now>\n</function>" unterminated-call@38 false`)},
		{"<tool_call>\n<function=>", lines(`malformed "<tool_call>\n<function=>" expected-name@22 false`)},
		{"<tool_call>()</tool_call>", lines(`text "<tool_call>()</tool_call>"`)},
	} {
		if got := show(parse.Options{Protocol: protocol.Qwen3Coder}.Text(tt.in, weather)); got != tt.want {
			t.Errorf("%s\ngot  %swant %s", tt.in, got, tt.want)
		}
	}
	nullable := mustCompile(`[{"name": "t", "inputSchema": {"type": "object", "properties": {"a": {"type": ["integer", "null"]}, "b": {"type": ["string", "null"]}}}}]`)
	text := "<tool_call><function=t>" + p("a", "None") + p("b", "None") + "</function></tool_call>"
	if got := show(parse.Options{Protocol: protocol.Qwen3Coder}.Text(text, nullable)); got != `call t {"a":null,"b":"None"} coerced(a)@36`+"\n" {
		t.Errorf("None: %s", got)
	}
	untyped := "<tool_call><function=t>" + p("a", "1") + p("b", "x") + p("c", `{"k":[1]}`) + p("d", "1") + p("d", "y") + p("e", "null") + "</function></tool_call>"
	if got := show(parse.Options{Protocol: protocol.Qwen3Coder}.Text(untyped, nil)); got != `call t {"a":1,"b":"x","c":{"k":[1]},"d":[1,"y"],"e":null}`+"\n" {
		t.Errorf("untyped: %s", got)
	}
}

// What is a string in any case comes out while it is read.
func TestQwen3CoderStreams(t *testing.T) {
	r, err := parse.NewReader(weather, parse.Options{Protocol: protocol.Qwen3Coder})
	if err != nil {
		t.Fatal(err)
	}
	r.Feed([]byte("<tool_call>\n<function=get_weather>\n<parameter=city>\nNew\n"))
	var input string
	for part := r.Next(); part != parse.NoPart; part = r.Next() {
		if part == parse.InputPart {
			input += string(r.Delta())
		}
	}
	if input != `{"city":"New` {
		t.Errorf("%q is out", input)
	}
}

func TestQwen3CoderWritten(t *testing.T) {
	o := parse.FormatOptions{Protocol: protocol.Qwen3Coder}
	text, err := o.Format(weather, "get_weather", []byte(`{"city":"a\nb","days":3,"tags":["x"],"at":{"lat":1}}`))
	const want = "<tool_call>\n<function=get_weather>\n<parameter=city>\na\nb\n</parameter>\n<parameter=days>\n3\n</parameter>\n" +
		"<parameter=tags>\n[\"x\"]\n</parameter>\n<parameter=at>\n{\"lat\": 1}\n</parameter>\n</function>\n</tool_call>"
	if err != nil || text != want {
		t.Errorf("written %s, %v", text, err)
	}
	for _, tt := range []struct {
		catalog *sig.Catalog
		name    string
		input   string
		code    lexer.Code
		at      int
	}{
		{weather, "get_weather", `{"days":3,"city":"</parameter>\n</function>"}`, lexer.UnwritableValue, 17},
		{weather, "get_weather", `{"city":"x","days":"3"}`, lexer.UnwritableValue, 19},
		{nil, "t", `{"a":"1"}`, lexer.UnwritableValue, 5},
		{nil, "t>", `{}`, lexer.BadName, 0},
		{nil, "t", `{"a b":1}`, lexer.UnwritableValue, 7},
		{weather, "nope", `{}`, lexer.UnknownTool, 0},
		{nil, "t", `{"a":1,}`, lexer.InvalidJSON, 7},
	} {
		_, err := o.Format(tt.catalog, tt.name, []byte(tt.input))
		var e *lexer.Error
		if !errors.As(err, &e) || e.Code != tt.code || e.Offset != tt.at {
			t.Errorf("%s %s: %v, want %s at %d", tt.name, tt.input, err, tt.code, tt.at)
		}
	}
}

// A value that may be an array is final after the next key alone, however the text is cut:
// here that key is at fault.
func TestFaultOfTheNextKey(t *testing.T) {
	catalog := mustCompile(`[{"name": "t", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}}]`)
	message := []byte("<tool_call>\n<function=t>\n<parameter=n>\n1\n</parameter>\n<parameter=<>\n2\n</parameter>\n</function>\n</tool_call>")
	input := func(size int) (input string) {
		r, err := parse.NewReader(catalog, parse.Options{Protocol: protocol.Qwen3Coder})
		if err != nil {
			t.Fatal(err)
		}
		for rest := message; len(rest) > 0; rest = rest[min(size, len(rest)):] {
			r.Feed(rest[:min(size, len(rest))])
			for part := r.Next(); part != parse.NoPart; part = r.Next() {
				if part == parse.InputPart {
					input += string(r.Delta())
				}
			}
		}
		return input
	}
	if whole, bytes := input(len(message)), input(1); whole != bytes {
		t.Errorf("whole %s, byte by byte %s", whole, bytes)
	}
}
