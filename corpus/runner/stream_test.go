package runner

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/corpus"
)

// TestJudgeStream judges streams that are wrong in their life, though their events are right
// when they are joined.
func TestJudgeStream(t *testing.T) {
	called, said := only(t, victim)[0], only(t, "framing/text-only")[0]
	call := callEvents(called.Want.Events[0])
	start, delta, more, end, done := call[0], call[1], call[2], call[3], call[4]
	begin, text, close := corpus.Event{Type: corpus.TextStart},
		corpus.Event{Type: corpus.TextDelta, Text: said.Text}, corpus.Event{Type: corpus.TextEnd}
	as := func(e corpus.Event, id string) corpus.Event { e.ID = id; return e }
	half := func(from, to int) corpus.Event {
		return corpus.Event{Type: corpus.TextDelta, Text: said.Text[from:to]}
	}
	lie := more
	lie.Delta = strings.ToUpper(lie.Delta)
	n := len(said.Text) / 2
	type batch = []corpus.Event
	for _, x := range []struct {
		c         *corpus.Case
		first, at batch // after the text, and at the end
		kind      Kind
		what      string
	}{
		{&called, call, nil, "", ""},
		{&called, call[:4], call[4:], late, "must be up to 32"},
		{&called, append(call[:5:5], done), nil, corpus.WrongOrder, "tool-call after tool-call"},
		{&called, batch{start, delta, more, done}, nil, corpus.WrongOrder, "after tool-input-delta"},
		{&called, batch{start, delta, as(corpus.Event{Type: corpus.ToolInputDelta}, "call-0"),
			more, end, done}, nil, corpus.EmptyDelta, "is empty"},
		{&called, append(call[:5:5], delta), nil, corpus.WrongOrder, "after tool-call"},
		{&called, nil, nil, wrongCount, "is missing"},
		{&called, batch{start}, nil, corpus.WrongOrder, "ends after tool-input-start"},
		{&called, batch{start, as(delta, "2"), more, end, done}, nil, corpus.WrongID,
			`has the id "2"`},
		{&called, batch{start, delta, more, end, as(done, "x")}, nil, corpus.WrongID,
			`has the id "x"`},
		{&called, batch{as(start, ""), as(delta, ""), as(more, ""), as(end, ""), as(done, "")},
			nil, corpus.WrongID, "tool-input-start has no id"},
		{&called, batch{start, delta, lie, end, done}, nil, corpus.WrongDeltas,
			"the deltas of the call are"},
		{&said, batch{begin, text}, batch{close}, "", ""},
		{&said, nil, batch{begin, text, close}, late, "events are out up to 0"},
		{&said, batch{begin, text}, nil, corpus.WrongOrder, "ends after text-delta"},
		{&said, batch{begin, corpus.Event{Type: corpus.TextDelta}, text}, batch{close},
			corpus.EmptyDelta, "text-delta is empty"},
		{&said, batch{begin, half(0, n), close, begin, half(n, len(said.Text))}, batch{close},
			corpus.SplitText, "text-start directly after text-end"},
	} {
		v := judgeStream(x.c, []int{}, [][]corpus.Event{append(x.first, x.at...)})
		if len(x.at) > 0 || x.first == nil {
			v = judgeStream(x.c, []int{len(x.c.Text)}, [][]corpus.Event{x.first, x.at})
		}
		if v.Kind != x.kind || !strings.Contains(v.What, x.what) ||
			(x.what == "") != (v.What == "") {
			t.Errorf("%s: %s, want %s: %s", v.Kind, v.What, x.kind, x.what)
		}
	}
}

// TestFrames: what may become the beginning of a call depends on the protocol.
func TestFrames(t *testing.T) {
	for _, tt := range []struct {
		protocol, text string
		pending        int
	}{
		{"", "a <ca", 2}, {"", "a <call> ", 2}, {"", "a <call>x", 9}, {"", "a <b", 4},
		{"hermes", "a <tool_call>\n", 2}, {"hermes", "<tool_call>{", 12}, {"hermes",
			"<tool_call>x<to", 12},
		{"gemma-fence", "a ``", 2}, {"gemma-fence", "a `` x", 6},
		{"qwen3-coder", "<tool_call>\n<func", 0}, {"qwen3-coder", "<tool_call>\n<fund", 17},
		{"qwen3-coder", "<tool_call><tool_call><", 11},
	} {
		if got := frames[tt.protocol].pending([]byte(tt.text)); got != tt.pending {
			t.Errorf("%s %q: pending from %d, want %d", tt.protocol, tt.text, got, tt.pending)
		}
	}
}
