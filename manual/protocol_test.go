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
	for _, p := range []parse.Protocol{protocol.Hermes, protocol.Qwen3Coder, protocol.MorphXML, protocol.GemmaFence} {
		o := Options{Protocol: p}
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
		segs := parse.Options{Protocol: p}.Text(call, catalog)
		if len(segs) != 1 || segs[0].Kind != parse.Call || string(segs[0].Input) != `{"n":1}` {
			t.Errorf("%s: the call is written %q", p, call)
		}
		result := firstText(written[1])
		open, close := p.(parse.Prompter).ResultTags("f")
		if inner := strings.TrimSuffix(strings.TrimPrefix(result, open), close); len(result)-len(inner) != len(open)+len(close) || strings.Contains(inner, close) {
			t.Errorf("%s: the result is written %q", p, result)
		}
		bad := parse.Options{Protocol: p, Strict: true}.Text(strings.Replace(call, "1", `"x"`, 1), catalog)
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
		p    parse.Protocol
		text string
		want []string
	}{
		{protocol.Hermes, `<tool_call>{"name": "f", "arguments": {'n': 1,}}</tool_call>`, []string{"expected-key", "double quotes around keys", "Write: <tool_call>\n{\"name\": \"f\", \"arguments\": {\"n\": 1}}\n</tool_call>"}},
		{protocol.Hermes, `<tool_call>{"nam": "f"}</tool_call>`, []string{"expected-name", `write {"name": `, "Signature: f n:int city?"}},
		{protocol.Hermes, `<tool_call>{"name": "f", "arguments": {"n": "x"}}</tool_call>`, []string{"n: type-mismatch", "Such as: <tool_call>"}},
		{protocol.Qwen3Coder, "<tool_call><function=f>n=1</function></tool_call>", []string{"expected-key", "<parameter=key>value</parameter>", "Such as: <tool_call>\n<function=f>"}},
		{protocol.MorphXML, `<f><n a="b">1</n></f>`, []string{"expected-equals", "without attributes", "Such as: <f>"}},
		{protocol.MorphXML, `<f>n=1</f>`, []string{"expected-key", "<key>value</key>"}},
	} {
		s := parse.Options{Protocol: tt.p}.Text(tt.text, catalog)[0]
		got := must(catalog, Options{Protocol: tt.p}).Feedback(s)
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
