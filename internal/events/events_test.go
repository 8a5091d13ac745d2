package events

import (
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// TestLines reads a text at several cuts into the same lines.
func TestLines(t *testing.T) {
	const want = `{"type":"text","start":0,"end":3,"text":"hi "}
{"type":"tool-call","id":"call-1","start":3,"end":32,"name":"t","input":"{\"s\":\"long words\"}"}
{"type":"malformed","start":32,"end":51,"code":"expected-equals","at":41,"closed":true}
`
	text := []byte("hi <call>t s='long words'</call><call>t a =1</call>")
	r, err := NewReading(sig.AnyTool, &parse.Options{}, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, cuts := range [][]int{nil, {1, 20}, {20, 20}, nil} {
		if got := string(r.Lines(cuts)); got != want {
			t.Errorf("%v: %s\nwant %s", cuts, got, want)
		}
	}
}
