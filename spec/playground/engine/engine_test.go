package engine

import (
	"strings"
	"testing"
)

// TestRead: a call, a malformed one, the details of both, and the cut of the text.
func TestRead(t *testing.T) {
	const text = "Hi é. <call>t a=1 s='x y'</call> <call>t a = 2</call>"
	a := Read(Request{Text: text, Tools: `[{"name":"t","description":"T.","inputSchema":{"type":"object","properties":{"a":{"type":"integer"},"s":{"type":"string"}}}}]`, Cut: 20, EverySplit: true})
	if a.Error+a.ToolError != "" || len(a.Segments) != 4 {
		t.Fatalf("%+v", a)
	}
	call, bad := a.Segments[1], a.Segments[3]
	if call.Type != "tool-call" || call.Input != `{"a":1,"s":"x y"}` || call.Feedback != "" {
		t.Errorf("%+v", call)
	}
	var kinds []string
	for _, x := range a.Lexemes {
		kinds = append(kinds, x.Kind)
	}
	if got := strings.Join(kinds, " "); got != "text open name path word path string close text open name fault damaged" {
		t.Errorf("lexemes %q", got)
	}
	if bad.Code != "expected-equals" || bad.At != 43 || !strings.HasPrefix(bad.Feedback, "<tool-error") {
		t.Errorf("%+v", bad)
	}
	if len(a.Chunks) != 3 || len(a.Chunks[0]) == 0 || a.Chunks[0][0].End > 20 || len(a.Chunks[1]) == 0 {
		t.Errorf("%+v", a.Chunks)
	}
	if a.Splits == nil || !a.Splits.Same || a.Splits.Tried != len(text)+1 {
		t.Errorf("%+v", a.Splits)
	}
	if len(a.Tools.Signatures) != 1 || !strings.Contains(a.Tools.Manual, a.Tools.Signatures[0]) || a.Tools.Schema < 50 {
		t.Errorf("%+v", a.Tools)
	}
}

// TestReadRefuses: what is wrong with a request is said, and the rest answered.
func TestReadRefuses(t *testing.T) {
	if a := Read(Request{Text: "<call>t a=1</call>", Tools: "{"}); a.ToolError == "" || len(a.Segments) != 1 || a.Segments[0].Input != `{"a":1}` {
		t.Errorf("%+v", a)
	}
	if a := Read(Request{Protocol: "nope"}); !strings.Contains(a.Error, "wire") {
		t.Errorf("%+v", a)
	}
	if a := Read(Request{Open: "a", Close: "b"}); a.Error == "" {
		t.Errorf("%+v", a)
	}
	if got := string(Serve([]byte("{"))); !strings.Contains(got, `"error":"`) {
		t.Error(got)
	}
	for _, cut := range []int{-1, 1000} {
		if a := Read(Request{Text: "x", Cut: cut}); len(a.Chunks) != 3 || len(a.Segments) != 1 {
			t.Errorf("%+v", a)
		}
	}
}

// TestReadProtocols: each format that the page offers is read.
func TestReadProtocols(t *testing.T) {
	for _, name := range Protocols() {
		if a := Read(Request{Text: "hi", Protocol: name}); a.Error != "" || len(a.Segments) != 1 {
			t.Errorf("%s: %+v", name, a)
		}
	}
	const tools = `[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"integer"}}}}]`
	if a := Read(Request{Tools: tools, Protocol: "hermes"}); !strings.Contains(a.Tools.Manual, "<tool_call>") {
		t.Errorf("the prompt is of another format: %s", a.Tools.Manual)
	}
	a := Read(Request{Text: `<tool_call>` + "\n" + `{"name": "t", "arguments": {"a": 1}}` + "\n" + `</tool_call>`, Protocol: "hermes"})
	if len(a.Segments) != 1 || a.Segments[0].Input != `{"a":1}` {
		t.Errorf("%+v", a)
	}
}

// TestLongText: the splits of a long text are a sample, and marked as one.
func TestLongText(t *testing.T) {
	a := Read(Request{Text: strings.Repeat("<call>t a=1</call>\n", 500), EverySplit: true})
	if s := a.Splits; !s.Same || s.Of != 9501 || s.Tried > 600 || s.Tried < 100 {
		t.Errorf("%+v", s)
	}
}
