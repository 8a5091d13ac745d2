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

// Feedback speaks of calls in the form that the model was shown.
func TestFeedbackOfProtocols(t *testing.T) {
	catalog, err := sig.Compile(`[{"name": "f", "inputSchema": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}, "city": {"type": "string"}}}}]`)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		p    *parse.Format
		text string
		want []string
	}{
		{protocol.Hermes, `<tool_call>{"name": "f", "arguments": {'n': 1,}}</tool_call>`, []string{"expected-key", "double quotes around keys", "Write: <tool_call>\n{\"name\": \"f\", \"arguments\": {\"n\": 1}}\n</tool_call>"}},
		{protocol.Hermes, `<tool_call>{"nam": "f"}</tool_call>`, []string{"expected-name", `in this form: {"name": `, "Signature: f n:int city?"}},
		{protocol.Hermes, `<tool_call>{"name": "f", "arguments": {"n": "x"}}</tool_call>`, []string{"n: type-mismatch", "Such as: <tool_call>"}},
		{protocol.Qwen3Coder, "<tool_call><function=f>n=1</function></tool_call>", []string{"expected-key", "<parameter=key>value</parameter>", "Such as: <tool_call>\n<function=f>"}},
		{protocol.MorphXML, `<f><n a="b">1</n></f>`, []string{"expected-equals", "without attributes", "Such as: <f>"}},
		{protocol.MorphXML, `<f>n=1</f>`, []string{"expected-key", "<key>value</key>"}},
	} {
		s := segments(catalog, tt.text, parse.Options{Format: tt.p})[0]
		got := must(catalog, Options{Format: tt.p}).Feedback(s)
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s\ngot  %s\nwant %s", tt.p, tt.text, got, want)
			}
		}
		if strings.Contains(got, "key=value") || strings.Contains(got, "<call>") {
			t.Errorf("%s: %s\nspeaks of the wire format: %s", tt.p, tt.text, got)
		}
	}
}

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
