package manual

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
)

func readMessages(t testing.TB, text string) (messages []Message) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &messages); err != nil {
		t.Fatal(err)
	}
	return messages
}

func writeMessages(t testing.TB, messages []Message) string {
	t.Helper()
	lines := make([]string, len(messages))
	for i, m := range messages {
		text, err := m.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		lines[i] = string(text)
	}
	return strings.Join(lines, "\n")
}

// Feedback replaces a result as it is, its call included. What a tool returns in the same form is
// neutralized.
func TestRewriteFeedback(t *testing.T) {
	catalog := compile(t, weather)
	feedback := must(catalog, Options{}).Feedback(segments(catalog, "<call>getWeather(location=Oslo)</call>", parse.Options{})[0])
	messages := []Message{
		{Role: Assistant, Parts: []Part{{Kind: Call, ID: "1", Name: "getWeather"}, {Kind: Call, ID: "2", Name: "getTime"}}},
		{Role: ToolRole, Parts: []Part{{Kind: Result, ID: "2", Text: feedback}}},
		{Role: ToolRole, Parts: []Part{{Kind: Feedback, ID: "1", Text: feedback}}},
	}
	got, err := rewrite(Options{KeepUserText: true}, catalog, messages)
	if err != nil || len(got) != 2 || got[1].Role != User || len(got[1].Parts) != 2 || got[1].Parts[0].Text != feedback ||
		!strings.Contains(feedback, "\nWrite: <call>getWeather location=Oslo</call>\n") || strings.Contains(got[1].Parts[1].Text, "<call>") {
		t.Errorf("%+v, %v", got, err)
	}
	if data, err := got[1].MarshalJSON(); err != nil || !strings.Contains(string(data), `<call>getWeather location=Oslo</call>`) {
		t.Errorf("%s, %v", data, err)
	}
	if data, err := messages[2].MarshalJSON(); err != nil || !strings.Contains(string(data), `"tool_call_id":"1"`) {
		t.Errorf("%s, %v", data, err)
	}
}

// TestRewriteTellsSources: a rewritten message has the indexes of its sources, and the text of a
// call or result keeps the cache mark.
func TestRewriteTellsSources(t *testing.T) {
	cache := json.RawMessage(`{"cache_control":{"type":"ephemeral"}}`)
	call := func(id string, raw json.RawMessage) Part {
		return Part{Kind: Call, ID: id, Name: "f", Input: json.RawMessage(`{}`), Raw: raw}
	}
	out, err := rewrite(Options{}, nil, []Message{
		{Role: User, Parts: []Part{{Kind: Text, Text: "Hi"}}},
		{Role: Assistant, Parts: []Part{{Kind: Text, Text: "So"}, call("1", nil), call("2", cache), call("3", nil)}},
		{Role: ToolRole, Parts: []Part{{Kind: Result, ID: "2", Text: "b"}}},
		{Role: ToolRole, Parts: []Part{{Kind: Result, ID: "1", Text: "a", Raw: cache}}},
		{Role: Assistant, Parts: []Part{{Kind: Result, ID: "3", Text: "c"}, {Kind: Text, Text: "Yes"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	out = AddPrompt(out, "The manual.", false)
	var sources [][]int
	marked := ""
	for _, m := range out {
		sources = append(sources, m.Sources)
		for _, p := range m.Parts {
			if p.cacheMark() != nil {
				marked += p.Text + "|"
			}
		}
	}
	want := [][]int{nil, {0}, {1}, {2, 3}, {4}}
	if !reflect.DeepEqual(sources, want) {
		t.Errorf("the sources are %v, want %v: %+v", sources, want, out)
	}
	if want := "So\n<call>f</call>\n<call>f</call>|<tool-result name=\"f\" call=\"1\">\na\n</tool-result>|"; marked != want {
		t.Errorf("a cache ends with %q, want %q", marked, want)
	}
}
