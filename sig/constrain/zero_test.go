package constrain

import (
	"math/rand/v2"
	"testing"
)

// TestZero: a Grammar that New did not make derives prose, and nothing panics.
func TestZero(t *testing.T) {
	for _, g := range []*Grammar{nil, {}} {
		testZero(t, g)
		if !g.Match("hi") || g.Match("<call>t</call>") || g.Rules() == 0 {
			t.Errorf("%v is not the grammar of prose:\n%s", g, g.GBNF())
		}
	}
}

func testZero(t *testing.T, g *Grammar) {
	for name, f := range map[string]func(){
		"GBNF":          func() { g.GBNF() },
		"EBNF":          func() { g.EBNF() },
		"Lark":          func() { g.Lark() },
		"Regex":         func() { g.Regex() },
		"StructuralTag": func() { g.StructuralTag() },
		"CustomTool":    func() { g.CustomTool() },
		"Match":         func() { g.Match("x") },
		"MatchCall":     func() { g.MatchCall("x") },
		"Sample":        func() { g.Sample(rand.New(rand.NewPCG(1, 1)), 3) },
		"Notes":         func() { g.Notes() },
		"Delims":        func() { g.Delims() },
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
