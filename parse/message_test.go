package parse_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
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
