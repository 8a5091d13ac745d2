package protocol_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/relaxed"
	"github.com/callwire/callwire/sig"
)

// show returns the segments of text, one in a line.
func show(segs []parse.Segment) string {
	var b strings.Builder
	for _, s := range segs {
		switch s.Kind {
		case parse.Prose:
			fmt.Fprintf(&b, "text %q\n", s.Text)
		case parse.Call:
			fmt.Fprintf(&b, "call %s %s", s.Name, s.Input)
			for _, i := range s.Issues {
				fmt.Fprintf(&b, " %s(%s)@%d", i.Code, i.Path, i.At-s.Start)
			}
			b.WriteString("\n")
		case parse.Malformed:
			fmt.Fprintf(&b, "malformed %q %s@%d %v\n", s.Text, s.Err.Code, s.Err.Offset-s.Start, s.Closed)
		}
	}
	return b.String()
}

// lines joins lines, each with a line end.
func lines(s ...string) string { return strings.Join(append(s, ""), "\n") }

var weather = mustCompile(`[
	{"name": "get_weather", "inputSchema": {"type": "object", "required": ["city"], "properties": {
		"city": {"type": "string"}, "unit": {"enum": ["c", "f"]}, "days": {"type": "integer"},
		"tags": {"type": "array", "items": {"type": "string"}}, "at": {"type": "object", "properties": {"lat": {"type": "number"}}},
		"live": {"type": "boolean"}}}},
	{"name": "now"}]`)

func mustCompile(tools string) *sig.Catalog {
	c, err := sig.Compile(tools)
	if err != nil {
		panic(err)
	}
	return c
}

func TestHermes(t *testing.T) {
	const o, c = "<tool_call>", "</tool_call>"
	for _, tt := range []struct{ in, want string }{
		{"hi " + o + "\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Köln\", \"days\": 3}}\n" + c + " bye",
			lines(`text "hi "`, `call get_weather {"city":"Köln","days":3}`, `text " bye"`)},
		{o + `{"name":"now","arguments":{}}` + c + o + `{"name":"now","arguments":{}}` + c,
			lines(`call now {}`, `call now {}`)},
		{o + `{"arguments":{"city":"x"},"name":"get_weather"}` + c, lines(`call get_weather {"city":"x"}`)},
		{o + `{"name":"now"}` + c, lines(`call now {}`)},
		{o + `{"name":"now","arguments":null}` + c, lines(`call now {}`)},
		{o + `{"name":"get_weather","arguments":"{\"city\": \"a\\\"b\"}"}` + c, lines(`call get_weather {"city":"a\"b"} coerced()@45`)},
		{o + `{"id":"c1","type":"function","name":"now","arguments":{"n":9007199254740993,"m":1.10}}` + c,
			lines(`call now {"n":9007199254740993,"m":1.10}`)},
		{o + `{"name":"get_weather","arguments":{"city":"</tool_call>` + o + `{\"name\":\"now\"}"}}` + c,
			lines(`call get_weather {"city":"</tool_call><tool_call>{\"name\":\"now\"}"}`)},
		{o + `{"name":"get_weather","arguments":{"city":"a","days":"3"}}` + c, lines(`call get_weather {"city":"a","days":"3"} type-mismatch(days)@64`)},
		{"the " + o + " tag", lines(`text "the <tool_call> tag"`)},
		{o, lines(`text "<tool_call>"`)},
		{o + `{"name":"nope","arguments":{}}` + c, lines(`malformed "<tool_call>{\"name\":\"nope\",\"arguments\":{}}</tool_call>" unknown-tool@20 true`)},
		{o + `{"name":"now","arguments":{"a":1,"a":2}}` + c + "x", lines(`malformed "<tool_call>{\"name\":\"now\",\"arguments\":{\"a\":1,\"a\":2}}</tool_call>" duplicate-key@44 true`, `text "x"`)},
		{o + `{"name":"now","arguments":{"a":1`, lines(`malformed "<tool_call>{\"name\":\"now\",\"arguments\":{\"a\":1" unterminated-call@43 false`)},
		{o + `{"name":"now"}`, lines(`malformed "<tool_call>{\"name\":\"now\"}" unterminated-call@25 false`)},
		{o + `{"name":"now"}` + o + `{"name":"now"}` + c, lines(`malformed "<tool_call>{\"name\":\"now\"}" expected-close@25 false`, `call now {}`)},
		{o + `{'name':'now'}` + c, lines(`malformed "<tool_call>{'name':'now'}</tool_call>" expected-key@12 true`)},
		{o + `{"arguments":{}}` + c, lines(`malformed "<tool_call>{\"arguments\":{}}</tool_call>" expected-name@26 true`)},
		{o + `{"name":"now","arguments":[1]}` + c, lines(`malformed "<tool_call>{\"name\":\"now\",\"arguments\":[1]}</tool_call>" not-an-object@37 true`)},
		{o + ` [{"a":"` + o + `{}"}]` + c, lines(`malformed "<tool_call> [{\"a\":\"<tool_call>{}\"}]</tool_call>" expected-name@12 true`)},
		{o + `{"name":"now","arguments":"{} x"}` + c, lines(`malformed "<tool_call>{\"name\":\"now\",\"arguments\":\"{} x\"}</tool_call>" not-an-object@37 true`)},
		{o + `{"arguments":"name"`, lines(`malformed "<tool_call>{\"arguments\":\"name\"" not-an-object@24 false`)},
		{o + `{"arguments":"x","arguments"`, lines(`malformed "<tool_call>{\"arguments\":\"x\",\"arguments\"" not-an-object@24 false`)},
		{o + "{\"name\":\"now\"}\xc0" + c, lines(`malformed "<tool_call>{\"name\":\"now\"}\xc0</tool_call>" invalid-utf8@25 true`)},
		{o + `{"name":"now","arguments":{"constructor":1,"__proto__":{"a":[{},[]]}}}` + c, lines(`call now {"constructor":1,"__proto__":{"a":[{},[]]}}`)},
	} {
		if got := show(parse.Options{Protocol: protocol.Hermes}.Text(tt.in, weather)); got != tt.want {
			t.Errorf("%s\ngot  %swant %s", tt.in, got, tt.want)
		}
	}
}

func TestHermesWritten(t *testing.T) {
	const in = `{"city":"a </tool_call> <tool_call>{ b","tags":["x",""],"at":{"lat":1.50}}`
	text, err := parse.FormatOptions{Protocol: protocol.Hermes}.Format(weather, "get_weather", []byte(in))
	const want = "<tool_call>\n" + `{"name": "get_weather", "arguments": {"city": "a <\/tool_call> \u003ctool_call>{ b", "tags": ["x", ""], "at": {"lat": 1.50}}}` + "\n</tool_call>"
	if err != nil || text != want {
		t.Errorf("written %s, %v", text, err)
	}
	if got := show(parse.Options{Protocol: protocol.Hermes}.Text(text, weather)); got != "call get_weather "+in+"\n" {
		t.Errorf("read back %s", got)
	}
}

// TestHermesCutInTwo: the first key of the arguments may begin in one chunk and go on in
// the next.
func TestHermesCutInTwo(t *testing.T) {
	checkCutInTwo(t, protocol.Hermes, "a <tool_call>\n{\"name\": \"t\", \"arguments\": {\"place\": \"Rome\", \"x\": 1}}\n</tool_call>",
		`call t {"place":"Rome","x":1}`)
}

// TestToleratedCutInTwo: what is tolerated in one string is told in one order, at its
// beginning, wherever a chunk cuts it.
func TestToleratedCutInTwo(t *testing.T) {
	lenient := protocol.Hermes
	lenient.Allow = relaxed.All
	checkCutInTwo(t, lenient, "<tool_call>{\"name\": \"t\", \"arguments\": {\"x\": '\\d\ny'}}</tool_call>",
		`call t {"x":"\\d\ny"} repaired(single-quotes)@44 repaired(raw-controls)@44 repaired(loose-escapes)@44`)
}

// checkCutInTwo reads a text cut at each place, of which one call comes.
func checkCutInTwo(t *testing.T, p parse.Protocol, text, want string) {
	t.Helper()
	for cut := range text {
		r, err := p.NewReader(nil, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, piece := range []string{text[:cut], text[cut:]} {
			r.Feed([]byte(piece))
			for part := r.Next(); part != parse.NoPart; part = r.Next() {
				if part == parse.CallPart {
					got += show([]parse.Segment{*r.Segment()})
				}
			}
		}
		if got != want+"\n" {
			t.Errorf("cut at %d: %s, want %s", cut, got, want)
		}
	}
}

// In reasoning no call is read, whatever the protocol.
func TestReasoning(t *testing.T) {
	for _, p := range []parse.Protocol{protocol.Hermes, protocol.Qwen3Coder, protocol.MorphXML, protocol.GemmaFence} {
		call := string(written(t, p, weather, "now", "{}"))
		text := "a <think>x < " + call + " é</think> b " + call + "[THINK]" + call
		for _, size := range []int{1, 3, 1000} {
			r, err := parse.NewReader(weather, parse.Options{Protocol: p, Reasoning: true})
			if err != nil {
				t.Fatal(err)
			}
			if n := drain(r, []byte(text), size); n != 1 {
				t.Errorf("%s in chunks of %d: %d calls", p, size, n)
			}
		}
		var said, thought string
		for _, s := range (parse.Options{Protocol: p, Reasoning: true}).Text(text, weather) {
			switch s.Kind {
			case parse.Prose:
				said += string(s.Text)
			case parse.Reasoning:
				thought += string(s.Text) + "|"
			}
		}
		if said != "a  b " || thought != "x < "+call+" é|"+call+"|" {
			t.Errorf("%s: said %q, thought %q", p, said, thought)
		}
	}
}
