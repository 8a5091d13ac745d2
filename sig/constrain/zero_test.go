package constrain

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/callwire/callwire/internal/format"
)

// TestZero: a Grammar that New did not make derives prose, and nothing panics.
func TestZero(t *testing.T) {
	for _, g := range []*Grammar{nil, {}} {
		testZero(t, g)
		if !match(g, "hi") || match(g, "<call>t</call>") || g.Rules().Rules() == 0 {
			t.Errorf("%v is not the grammar of prose:\n%s", g, g.GBNF())
		}
	}
}

// Formats whose tags are named after tools, or that no engine can tell apart, have no
// grammar.
func TestNoGrammar(t *testing.T) {
	for _, f := range format.All() {
		_, err := New(nil, Options{Format: f})
		if none := f == format.MorphXML || f == format.DeepSeekV31; errors.Is(err, ErrNoGrammar) != none {
			t.Errorf("%s: %v", f, err)
		}
	}
}

func testZero(t *testing.T, g *Grammar) {
	for name, f := range map[string]func(){
		"GBNF":          func() { g.GBNF() },
		"Lark":          func() { g.Lark() },
		"Regex":         func() { g.Regex() },
		"StructuralTag": func() { g.StructuralTag() },
		"CustomTool":    func() { g.CustomTool() },
		"Sample":        func() { g.Sample(rand.New(rand.NewPCG(1, 1)), 3) },
		"Notes":         func() { g.Notes() },
		"Tags":          func() { g.Tags() },
		"Rules":         func() { g.Rules() },
	} {
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("%s: %v", name, r)
				}
			}()
			f()
		}()
	}
}
