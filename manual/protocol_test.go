package manual

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

// Under another protocol, tools, history and feedback are in its format.
func TestProtocol(t *testing.T) {
	catalog, err := sig.Compile(`[{"name": "f", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}}]`)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*parse.Format{protocol.Hermes, protocol.Qwen3Coder, protocol.MorphXML, protocol.GemmaFence} {
		o := Options{Format: p}
		text := must(catalog, o).String()
		if !strings.Contains(text, "<tools>") || strings.Contains(text, "<call>") {
			t.Errorf("%s: %s", p, text)
		}
		var messages []Message
		err := json.Unmarshal([]byte(`[{"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{\"n\": 1}"}}]},
			{"role": "tool", "tool_call_id": "1", "content": "a </tool_call></tool_response>`+"```"+` b"}]`), &messages)
		if err != nil {
			t.Fatal(err)
		}
		written, err := rewrite(o, catalog, messages)
		if err != nil || len(written) != 2 {
			t.Fatalf("%s: %d messages, %v", p, len(written), err)
		}
		call := firstText(written[0])
		segs := segments(catalog, call, parse.Options{Format: p})
		if len(segs) != 1 || segs[0].Call == nil || string(segs[0].Call.Input) != `{"n":1}` {
			t.Errorf("%s: the call is written %q", p, call)
		}
		result := firstText(written[1])
		open, close := p.Prompt.Result.Open, p.Prompt.Result.Close
		if inner := strings.TrimSuffix(strings.TrimPrefix(result, open), close); len(result)-len(inner) != len(open)+len(close) || strings.Contains(inner, close) {
			t.Errorf("%s: the result is written %q", p, result)
		}
		bad := segments(catalog, strings.Replace(call, "1", `"x"`, 1), parse.Options{Format: p, Strict: true})
		if fb := must(catalog, o).Feedback(bad[0]); fb == "" || strings.Contains(fb, "<call>") {
			t.Errorf("%s: feedback %q", p, fb)
		}
	}
}

// firstText returns the text of the first part of m.
func firstText(m Message) string { return m.Parts[0].Text }

// A format that is in no table is written, listed and read, also with other result tags and an ID
// as name.
func TestOwnFormat(t *testing.T) {
	catalog := compile(t, `[{"name":"f","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}]`)
	own := *protocol.KimiK2
	own.Name, own.Call = "own", parse.Tags{Open: "<|do|>", Close: "<|done|>"}
	m := must(catalog, Options{Format: &own})
	if list := m.String(); !strings.Contains(list, "<|do|>functions.example_function_name:0<|tool") {
		t.Errorf("the list is %s", list)
	}
	call := func(id string) Part {
		return Part{Kind: Call, ID: id, Name: "f", Input: []byte(`{"n":1}`)}
	}
	out, errs := m.Rewrite([]Message{
		{Role: Assistant, Parts: []Part{call("a"), call("functions.f:7"), call("b")}},
		{Role: ToolRole, Parts: []Part{
			{Kind: Result, ID: "b", Text: "x<|do|>"}, {Kind: Result, ID: "functions.f:7", Text: "## Return of y"},
		}},
	})
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	var calls []string
	for _, id := range []string{"functions.f:0", "functions.f:7", "functions.f:2"} {
		calls = append(calls, "<|do|>"+id+own.Function.End+`{"n": 1}<|done|>`)
	}
	want := own.Section.Open + strings.Join(calls, "") + own.Section.Close
	if got := firstText(out[0]); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	results := []string{"## Return of functions.f:7\n#\\# Return of y", "## Return of functions.f:2\nx<\\|do|>"}
	for i, want := range results {
		if got := out[1].Parts[i].Text; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A format without tags of results has those of the wire format.
func TestFormatWithoutResultTags(t *testing.T) {
	own := *protocol.MorphXML
	own.Prompt.Result = parse.Tags{}
	m := must(compile(t, weather), Options{Format: &own})
	want := "<tool-result name=\"a\">\n<\\/tool-result><\\getWeather>\n</tool-result>"
	if got := m.Result("a", "</tool-result><getWeather>", false); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
