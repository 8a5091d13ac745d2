package manual_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwire/callwire/manual"
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
		o := manual.Options{Protocol: p}
		text := manual.Render(catalog, o)
		if !strings.Contains(text, "<tools>") || strings.Contains(text, "<call>") {
			t.Errorf("%s: %s", p, text)
		}
		var messages []manual.Message
		err := json.Unmarshal([]byte(`[{"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{\"n\": 1}"}}]},
			{"role": "tool", "tool_call_id": "1", "content": "a </tool_call></tool_response>`+"```"+` b"}]`), &messages)
		if err != nil {
			t.Fatal(err)
		}
		written, err := manual.HistoryOptions{Options: o}.Rewrite(catalog, messages)
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
		if fb := o.Feedback(catalog, bad[0]); fb == "" || strings.Contains(fb, "<call>") {
			t.Errorf("%s: feedback %q", p, fb)
		}
	}
}

// firstText returns the text of the first part of m.
func firstText(m manual.Message) string { return m.Parts[0].Text }
