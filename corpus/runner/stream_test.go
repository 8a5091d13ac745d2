package runner

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/corpus"
)

// TestJudgeStream judges streams that are wrong in their life, though their events
// are right when they are joined.
func TestJudgeStream(t *testing.T) {
	c := only(t, victim)[0]
	call := c.Want.Events[0]
	call.ID = "1"
	start := corpus.Event{Type: corpus.ToolInputStart, ID: "1", Name: call.Name}
	delta := corpus.Event{Type: corpus.ToolInputDelta, ID: "1", Delta: call.Input}
	empty := corpus.Event{Type: corpus.ToolInputDelta, ID: "1"}
	other := corpus.Event{Type: corpus.ToolInputDelta, ID: "2", Delta: call.Input}
	end := corpus.Event{Type: corpus.ToolInputEnd, ID: "1"}
	for name, x := range map[string]struct {
		batches [][]corpus.Event
		says    string
	}{
		"right":           {[][]corpus.Event{{start, delta, end, call}, {}}, ""},
		"late":            {[][]corpus.Event{{start, delta, end}, {call}}, "is not out"},
		"twice":           {[][]corpus.Event{{start, delta, end, call, call}, {}}, "without tool-input-start"},
		"no end":          {[][]corpus.Event{{start, delta, call}, {}}, "before tool-input-end"},
		"an empty delta":  {[][]corpus.Event{{start, delta, empty, end, call}, {}}, "is empty"},
		"after the call":  {[][]corpus.Event{{start, delta, end, call, delta}, {}}, "without tool-input-start"},
		"nothing":         {[][]corpus.Event{{}, {}}, "is missing"},
		"begun and ended": {[][]corpus.Event{{start}, {}}, "never ends"},
		"another id":      {[][]corpus.Event{{start, other, end, call}, {}}, "has the id \"2\""},
		"no id":           {[][]corpus.Event{bare(start, delta, end, call), {}}, "tool-input-start has no id"},
	} {
		v := judgeStream(&c, []int{}, x.batches)
		if name == "no id" && len(v.more) > 0 {
			t.Errorf("%s: one fault is told as %q", name, v.more)
		}
		if told := strings.Join(append([]string{v.what}, v.more...), "; "); (x.says == "") != (v.what == "") || !strings.Contains(told, x.says) {
			t.Errorf("%s: %q, want %q", name, told, x.says)
		}
	}
}

// bare returns events without ids.
func bare(steps ...corpus.Event) []corpus.Event {
	for i := range steps {
		steps[i].ID = ""
	}
	return steps
}

// TestFrames: what may become the beginning of a call depends on the protocol.
func TestFrames(t *testing.T) {
	for _, tt := range []struct {
		protocol, text string
		pending        int
	}{
		{"", "a <ca", 2}, {"", "a <call> ", 2}, {"", "a <call>x", 9}, {"", "a <b", 4},
		{"hermes", "a <tool_call>\n", 2}, {"hermes", "<tool_call>{", 12}, {"hermes", "<tool_call>x<to", 12},
		{"gemma-fence", "a ``", 2}, {"gemma-fence", "a `` x", 6},
		{"qwen3-coder", "<tool_call>\n<func", 0}, {"qwen3-coder", "<tool_call>\n<fund", 17}, {"qwen3-coder", "<tool_call><tool_call><", 11},
	} {
		if got := frames[tt.protocol].pending(tt.text); got != tt.pending {
			t.Errorf("%s %q: pending from %d, want %d", tt.protocol, tt.text, got, tt.pending)
		}
	}
}
