package proof

import (
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/split"
	"github.com/callwire/callwire/stream"
)

// TestReading reads a text in several ways into the same lines, in which the
// deltas are joined.
func TestReading(t *testing.T) {
	const text = "hi <call>t s='long words'</call><call>t a =1</call>"
	const want = `{"type":"text-start"}
{"type":"text-delta","text":"hi "}
{"type":"text-end"}
{"type":"tool-input-start","id":"call-1","name":"t"}
{"type":"tool-input-delta","id":"call-1","delta":"{\"s\":\"long words\"}"}
{"type":"tool-input-end","id":"call-1"}
{"type":"tool-call","id":"call-1","start":3,"end":32,"name":"t","input":"{\"s\":\"long words\"}"}
{"type":"tool-input-start","id":"call-2","name":"t"}
{"type":"malformed","id":"call-2","start":32,"end":51,"name":"t","code":"expected-equals","at":41,"closed":true,"message":"`
	r := newReading(stream.NewDecoder(nil, stream.Options{}))
	for _, s := range []split.Split{{}, {Size: 1}, {Size: 3}, {Cuts: []int{20, 20}}, {}} {
		if got := string(r.read([]byte(text), s)); len(got) < len(want) || got[:len(want)] != want {
			t.Errorf("%+v: %s\nwant %s", s, got, want)
		}
	}
}
