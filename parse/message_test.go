package parse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

// TestSegmentText: the text of a segment is its source, that of reasoning has no tags, and a tag
// around several calls has none.
func TestSegmentText(t *testing.T) {
	const open, end = "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"
	const call = "<｜tool▁call▁begin｜>f<｜tool▁sep｜>{}<｜tool▁call▁end｜>"
	const bad = "<｜tool▁call▁begin｜>f<｜tool▁sep｜>[<｜tool▁call▁end｜>"
	message := "<think>hm</think>So: " + open + call + bad + end
	o := &parse.Options{Format: protocol.DeepSeekV31, Reasoning: parse.TaggedReasoning}
	segments, err := parse.Message(sig.AnyTool, message, o)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range segments {
		kind := "text"
		switch {
		case s.Reasoning:
			kind = "reasoning"
		case s.Call != nil:
			kind = "call"
		case s.Err != nil:
			kind = "malformed"
		}
		got = append(got, fmt.Sprintf("%s %q", kind, s.Text))
		if isSource := !s.Reasoning && s.Text != ""; isSource && s.Text != message[s.Start:s.End] {
			t.Errorf("%q is not the source %q", s.Text, message[s.Start:s.End])
		}
	}
	want := []string{
		`reasoning "hm"`, `text "So: "`, `text ""`, fmt.Sprintf("call %q", call),
		fmt.Sprintf("malformed %q", bad), `text ""`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// TestCallIDs: no two calls have the same ID, whether the format gave it or the reader made it up.
func TestCallIDs(t *testing.T) {
	for given, want := range map[string]string{
		"- - -":                          "call-1 call-2 call-3",
		"x - -":                          "x call-2 call-3",
		"x x - x":                        "x call-2 call-3 call-4",
		"- call-1":                       "call-1 call-2",
		"call-2 - -":                     "call-2 call-3 call-4",
		"- call-9 - call-3 -":            "call-1 call-9 call-10 call-11 call-12",
		"call-x call-0 - call-99 -":      "call-x call-0 call-3 call-99 call-100",
		"call-007 - call-+9 - call--3 -": "call-007 call-2 call-+9 call-4 call--3 call-6",
		"call-99999999999999999999 call-2147483647 -": "call-99999999999999999999 call-2147483647 call-3",
	} {
		var message string
		for id := range strings.FieldsSeq(given) {
			member := fmt.Sprintf(`"id":%q,`, id)
			if id == "-" {
				member = ""
			}
			message += "<tool_call>{" + member + `"name":"t"}</tool_call>`
		}
		o := &parse.Options{Format: protocol.Hermes}
		segments, err := parse.Message(sig.AnyTool, message, o)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range segments {
			got = append(got, s.Call.ID)
		}
		if ids := strings.Join(got, " "); ids != want {
			t.Errorf("%s\ngot  %s\nwant %s", given, ids, want)
		}
	}
}

// TestIssueBudget: the paths of all issues of a message share a limit, but each call has one.
func TestIssueBudget(t *testing.T) {
	key := strings.Repeat("k", 900)
	tools := `[{"name":"t","inputSchema":{"properties":{"` + key +
		`":{"type":"array","items":{"type":"integer"}}}}}]`
	catalog, err := sig.Compile(tools)
	if err != nil {
		t.Fatal(err)
	}
	call := "<call>t " + key + "=[" + strings.Repeat("x,", 1500) + "x]</call>\n"
	segments, err := parse.Message(catalog, strings.Repeat(call, 5), nil)
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, s := range segments {
		if s.Call == nil {
			continue
		}
		if len(s.Call.Issues) == 0 {
			t.Error("a call has no issue")
		}
		for _, i := range s.Call.Issues {
			size += len(i.Path)
		}
	}
	if size < 900_000 || size > 1_100_000 {
		t.Errorf("the paths have %d bytes", size)
	}
}
