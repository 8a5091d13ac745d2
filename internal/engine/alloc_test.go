package engine_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/format"

	"github.com/callwire/callwire/internal/engine"
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
	for _, f := range []*format.Format{format.Wire, format.Hermes, format.Qwen3Coder} {
		p := newParser(cat, engine.Options{Format: f})
		for _, c := range calls {
			call := engine.Written{Name: c.Name, Input: c.Input}
			in, err := engine.AppendCall(nil, cat, call, &engine.WriteOptions{Format: f})
			if err != nil {
				t.Fatal(err)
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
						t.Errorf("%s: %v allocations, chunks of %d: %s", f.Name, n, size, in)
					}
				}
			}
		}
	}
}
