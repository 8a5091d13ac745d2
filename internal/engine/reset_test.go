package engine_test

import (
	"testing"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/sig"
)

// TestResetInForeignCall resets a reader in a call of another format: it reads that format's
// next call as a new reader does.
func TestResetInForeignCall(t *testing.T) {
	const text = `<tool_call>{"name":"t","arguments":{"a":1}}</tool_call>`
	for cut := range text {
		p := newParser(sig.AnyTool, engine.Options{Repair: true})
		want, err := run(p, []byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Reset()
		p.Feed([]byte(text[:cut]))
		got, err := run(p, []byte(text), nil)
		diff(t, "reset", text[:cut], got, want, err)
	}
}
