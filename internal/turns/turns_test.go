package turns

import (
	"slices"
	"testing"
)

// TestTurns: the system text comes first, and calls and results are lines.
func TestTurns(t *testing.T) {
	got := Of([]byte(`{"system":"Be brief.","messages":[{"role":"user","content":"Go."},
		{"role":"assistant","content":[{"type":"text","text":"One."},
			{"type":"tool_use","id":"1","name":"t","input":{"a":1}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"done"},
			{"type":"image"}]}]}`))
	want := []Turn{{"system", "Be brief."}, {"user", "Go."}, {"assistant", "One.\n▶ t 1 {\"a\":1}"},
		{"user", "1 done\n[image]"}}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if got := Of([]byte("no request")); got != nil {
		t.Errorf("%q", got)
	}
}
