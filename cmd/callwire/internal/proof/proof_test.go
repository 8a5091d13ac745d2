package proof

import (
	"slices"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// TestFinds gives a proof readers that depend on the cuts.
func TestFinds(t *testing.T) {
	const lines = "one\ntwo\nthree\n"
	for _, c := range []struct {
		at          []int
		wrong, want string
	}{
		{[]int{1, 2, 3}, "one\n2\nthree\n", "byte by byte, event 2 differs\nwhole: two\nsplit: 2"},
		{[]int{3}, "one\ntwo\n", "cut at 3, event 3 differs\nwhole: three\nsplit: nothing"},
		{[]int{0, 0}, lines + "four\n", "cut at 0 and 0, event 4 differs\nwhole: nothing\nsplit: four"},
	} {
		p := Proof{text: []byte("text"), read: func(cuts []int) []byte {
			if slices.Equal(cuts, c.at) {
				return []byte(c.wrong)
			}
			return []byte(lines)
		}}
		if verdict, same := p.Run(); same || verdict != c.want {
			t.Errorf("%v: %v, %q", c.at, same, verdict)
		}
	}
}

// TestLines reads a text at several cuts into the same lines.
func TestLines(t *testing.T) {
	const want = `{"type":"text-start"}
{"type":"text-delta","text":"hi "}
{"type":"text-end"}
{"type":"tool-input-start","id":"call-1","name":"t"}
{"type":"tool-input-delta","id":"call-1","delta":"{\"s\":\"long words\"}"}
{"type":"tool-input-end","id":"call-1"}
{"type":"tool-call","id":"call-1","start":3,"end":32,"name":"t","input":"{\"s\":\"long words\"}"}
{"type":"tool-input-start","id":"call-2","name":"t"}
{"type":"malformed","id":"call-2","start":32,"end":51,"code":"expected-equals","at":41,"closed":true}
`
	text := []byte("hi <call>t s='long words'</call><call>t a =1</call>")
	p, err := New(sig.AnyTool, &parse.Options{}, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, cuts := range [][]int{nil, {1, 20}, {20, 20}, nil} {
		if got := string(p.read(cuts)); got != want {
			t.Errorf("%v: %s\nwant %s", cuts, got, want)
		}
	}
}
