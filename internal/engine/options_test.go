package engine_test

import (
	"testing"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/sig"
)

// TestTagsOfSeveralFormats: other tags replace those of all formats that are read, so that no call
// of a known format runs beside them.
func TestTagsOfSeveralFormats(t *testing.T) {
	o := &engine.Options{
		Format: format.Any(format.Wire, format.Hermes), Tags: format.Tags{Open: "<x7>", Close: "</x7>"},
	}
	for message, want := range map[string]bool{
		`<tool_call>{"name": "t", "arguments": {}}</tool_call>`: false,
		`<x7>{"name": "t", "arguments": {}}</x7>`:               true,
		`<x7>t</x7>`:     true,
		`<call>t</call>`: false,
	} {
		p, err := engine.NewParser(sig.AnyTool, o, 0)
		if err != nil {
			t.Fatal(err)
		}
		events := p.Feed([]byte(message))
		calls := 0
		for _, e := range events {
			if e.Kind == engine.Call {
				calls++
			}
		}
		if want != (calls == 1) {
			t.Errorf("%s: %d calls", message, calls)
		}
	}
}
