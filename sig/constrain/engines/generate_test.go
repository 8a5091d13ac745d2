package engines

import (
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig/constrain"
)

// A model with random weights writes under each grammar, through llama.cpp. Every text
// that it completes reads back.
func TestRandomModelCannotMissTheFormat(t *testing.T) {
	m := startModel(t)
	const atLeast = 20 // catalogs
	names, list := catalogs(t, atLeast)
	written, calls := 0, 0
	for i, c := range list {
		for _, o := range []constrain.Options{{}, {Required: true, Last: true}} {
			g, err := constrain.New(c, o)
			if err != nil {
				t.Fatal(err)
			}
			var seeds []uint32
			for seed := range volume(8) {
				seeds = append(seeds, uint32(1000*i+seed))
			}
			texts, err := m.write(g.GBNF(), 400, seeds...)
			if err != nil {
				t.Fatalf("%s: the model has stopped: %v", names[i], err)
			}
			for _, text := range texts {
				if text == nil {
					continue // not complete, or not UTF-8
				}
				written++
				n := 0
				strict := &parse.Options{Strict: true, AllowInCode: true, AllowAfterMalformed: true}
				segments, err := parse.Message(c, *text, strict)
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range segments {
					if s.Err != nil || s.Call != nil && len(s.Call.Issues) > 0 {
						t.Errorf("%s: %q: %v %v", names[i], *text, s.Err, s.Call)
					}
					if s.Call != nil {
						n++
					}
				}
				if o.Last && n != 1 {
					t.Errorf("%s: %q has %d calls", names[i], *text, n)
				}
				calls += n
			}
		}
	}
	if written < 200 || calls < 100 {
		t.Errorf("only %d texts with %d calls under the grammars of %d catalogs were completed", written, calls, len(list))
	}
	t.Logf("%d texts with %d calls, under the grammars of %d catalogs", written, calls, len(list))
}
