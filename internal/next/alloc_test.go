package next

import (
	"encoding/json"
	"os"
	"testing"

	cwparse "github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/format"

	"github.com/callwire/callwire/internal/next/parse"
)

// A call allocates nothing once the buffers have grown, whole or in tokens; nor does a
// malformed one. Issues and JSON in strings do.
func TestAllocations(t *testing.T) {
	root := "../../cmd/callwire/internal/bench/"
	b, _ := os.ReadFile(root + "catalog.json")
	cat, _ := sig.Compile(b)
	b, _ = os.ReadFile(root + "calls.json")
	var calls []struct {
		Name  string
		Input json.RawMessage
	}
	json.Unmarshal(b, &calls)
	for name, f := range map[string]struct {
		format *format.Format
		p      cwparse.Protocol
	}{"wire": {nil, nil}, "hermes": {format.Hermes, protocol.Hermes}, "qwen": {format.Qwen3Coder, protocol.Qwen3Coder}} {
		p := newParser(cat, parse.Options{Format: f.format})
		for _, c := range calls {
			var in []byte
			if f.p == nil {
				s, _ := cwparse.Format(cat, c.Name, c.Input)
				in = []byte(s)
			} else {
				in, _ = f.p.AppendCall(nil, cat, c.Name, c.Input, cwparse.FormatOptions{})
			}
			for _, in := range [][]byte{in, in[:len(in)-3]} {
				for _, size := range []int{1 << 20, 4} {
					n := testing.AllocsPerRun(20, func() {
						p.Reset()
						for w := in; len(w) > 0; {
							k := min(size, len(w))
							p.Feed(w[:k])
							w = w[k:]
						}
						p.Close()
					})
					if n > 0 {
						t.Errorf("%s: %v allocations, chunks of %d: %s", name, n, size, in)
					}
				}
			}
		}
	}
}
