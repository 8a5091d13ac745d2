package manual

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/golden"
)

// Keys are compared exactly: encoding/json would take "Role" for the role.
func TestExactKeys(t *testing.T) {
	for _, text := range []string{
		`{"role":"user","content":"hi","Role":"system"}`,
		`{"ROLE":"system","role":"user","content":"hi","Content":"b"}`,
		`{"role":"user","content":[{"type":"text","text":"hi","Type":"image","TEXT":"b"}]}`,
		`{"role":"user","content":"hi","Tool_Calls":[{"function":{"name":"t"}}],"\u212aind":1}`,
	} {
		m := readMessages(t, "["+text+"]")[0]
		if m.Role != User || len(m.Parts) != 1 || m.Parts[0].Text != "hi" || m.Parts[0].Kind != Text {
			t.Errorf("%s: %+v", text, m)
		}
		if got := writeMessages(t, []Message{m}); !sameJSON([]byte(got), []byte(text)) {
			t.Errorf("%s: written as %s", text, got)
		}
	}
}

// testdata/messages.txt has conversations, each a line of JSON, and under each what it is in the
// shape of every API. A conversation written in its own shape is the same JSON again.
func TestMessages(t *testing.T) {
	var all strings.Builder
	lines := 0
	for line := range strings.Lines(string(golden.Get(t, "messages.txt"))) {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		lines++
		all.WriteString(line)
		messages, own, err := ParseMessages([]byte(line))
		if err != nil {
			fmt.Fprintf(&all, "\tERROR %v\n", err)
			continue
		}
		for _, shape := range shapes {
			api := shape.api
			text, err := api.AppendMessages(nil, messages)
			if err != nil {
				fmt.Fprintf(&all, "\t%s ERROR %v\n", api, err)
				continue
			}
			fmt.Fprintf(&all, "\t%s %s\n", api, text)
			if api == own && !sameJSON(text, []byte(line)) {
				t.Errorf("%s is written as %s", line, text)
			}
			again, _, err := ParseMessages(text)
			if api == Ollama && (strings.Contains(line, `"type":"image`) || strings.Contains(line, "inlineData")) {
				continue // it has no such parts
			}
			if err != nil || said(again) != said(messages) {
				t.Errorf("%s: %s says %q (%v), want %q", api, text, said(again), err, said(messages))
			}
		}
	}
	if lines < 7 {
		t.Errorf("%d conversations", lines)
	}
	golden.Assert(t, all.String(), "messages.txt")
}

// said returns the texts, calls and results of a conversation, sorted: an API may have results in
// the order of their calls.
func said(messages []Message) string {
	var lines []string
	for _, m := range messages {
		for _, p := range m.Parts {
			switch {
			case p.Kind == Call:
				lines = append(lines, fmt.Sprintf("call %s %s", p.Name, p.inputObject()))
			case p.Kind == Result:
				text, _ := p.outputText(func(json.RawMessage) Part { return Part{Kind: Other} })
				lines = append(lines, "result "+text)
			case p.Kind == Text && p.Text != "":
				lines = append(lines, p.Text)
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// A message is written as it was read, with any IDs and further members of its parts.
func TestMessageRoundTrip(t *testing.T) {
	for line := range strings.Lines(string(golden.Get(t, "roundtrips.txt"))) {
		var m Message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		got, err := m.MarshalJSON()
		if err != nil || !sameJSON(got, []byte(line)) {
			t.Errorf("%s is written as %s, %v", line, got, err)
		}
	}
}

// A value that isn't a message is an error.
func TestMessageErrors(t *testing.T) {
	for _, text := range []string{
		`5`, `null`, `[]`, `"x"`, `{"role":5,"content":"x"}`, `{"role":"user","content":7}`,
		`{"role":"user","content":[7]}`, `{"role":"user","content":[{"type":"text","text":7}]}`,
	} {
		if m, err := anyAPI.ParseMessage([]byte(text)); err == nil {
			t.Errorf("%s: %+v", text, m)
		}
	}
	results := []Part{{Kind: Result, ID: "1"}, {Kind: Result, ID: "2"}}
	if text, err := (Message{Role: User, Parts: results}).MarshalJSON(); err == nil {
		t.Errorf("two results became one message: %s", text)
	}
	if text, err := (Message{Parts: []Part{{Text: "x"}}}).MarshalJSON(); err == nil {
		t.Errorf("a message without a role: %s", text)
	}
	for _, text := range []string{`{`, `{}`, `5`, `{"messages":5}`, `[{"role":5}]`} {
		if m, _, err := ParseMessages([]byte(text)); err == nil {
			t.Errorf("%s: %+v", text, m)
		}
	}
}

// Truncated JSON never panics.
func TestTruncatedMessages(t *testing.T) {
	for line := range strings.Lines(string(golden.Get(t, "roundtrips.txt"))) {
		for i := range line {
			for _, shape := range append(shapes, &shape{}) {
				api := shape.api
				m, err := api.ParseMessage([]byte(line[:i]))
				if err == nil {
					m.write(api)
					rewrite(Options{KeepUserText: true}, nil, []Message{m})
				}
			}
		}
	}
}

// A text keeps its further members, such as a cache mark, in every API that has typed texts.
func TestTextKeepsItsMark(t *testing.T) {
	raw := json.RawMessage(`{"type":"text","text":"","cache_control":{"type":"ephemeral"}}`)
	messages := []Message{{Role: User, Parts: []Part{{Text: "Hi", Raw: raw}}}}
	for api, typ := range map[API]string{ChatCompletions: "text", Anthropic: "text", Responses: "input_text"} {
		text, err := api.AppendMessages(nil, messages)
		want := `{"type":"` + typ + `","text":"Hi","cache_control":{"type":"ephemeral"}}`
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %s, %v", api, text, err)
		}
	}
}
