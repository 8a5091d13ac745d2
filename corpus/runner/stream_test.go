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
	start := step{Event: corpus.Event{Type: corpus.ToolInputStart, Name: call.Name}, ID: "1"}
	delta := step{Event: corpus.Event{Type: corpus.ToolInputDelta}, ID: "1", Delta: call.Input}
	end := step{Event: corpus.Event{Type: corpus.ToolInputEnd}, ID: "1"}
	whole := step{Event: call, ID: "1"}
	for name, x := range map[string]struct {
		batches [][]step
		says    string
	}{
		"right":           {[][]step{{start, delta, end, whole}, {}}, ""},
		"late":            {[][]step{{start, delta, end}, {whole}}, "is not out"},
		"twice":           {[][]step{{start, delta, end, whole, whole}, {}}, "without tool-input-start"},
		"no end":          {[][]step{{start, delta, whole}, {}}, "before tool-input-end"},
		"an empty delta":  {[][]step{{start, delta, {Event: corpus.Event{Type: corpus.ToolInputDelta}, ID: "1"}, end, whole}, {}}, "is empty"},
		"after the call":  {[][]step{{start, delta, end, whole, delta}, {}}, "without tool-input-start"},
		"nothing":         {[][]step{{}, {}}, "is missing"},
		"begun and ended": {[][]step{{start}, {}}, "never ends"},
		"another id":      {[][]step{{start, {Event: delta.Event, ID: "2", Delta: delta.Delta}, end, whole}, {}}, "has the id \"2\""},
		"no id":           {[][]step{bare(start, delta, end, whole), {}}, "tool-input-start has no id"},
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

// bare returns steps without ids.
func bare(steps ...step) []step {
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
