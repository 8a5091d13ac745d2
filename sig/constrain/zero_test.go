package constrain

import (
	"math/rand/v2"
	"testing"

	"github.com/callwire/callwire/sig"
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

// TestUnknown: a protocol that there is none of is that of the wire, and without a source
// a sample is the shortest text.
func TestUnknown(t *testing.T) {
	catalog, err := sig.Compile(`[{"name":"t","inputSchema":{"properties":{"a":{"type":"string","minLength":3}},"required":["a"]}}]`)
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(catalog, Options{Protocol: 200, Mode: Required})
	if err != nil {
		t.Fatal(err)
	}
	testZero(t, g)
	if want := Wire.Delims(); g.Delims() != want || Protocol(200).Delims() != want {
		t.Errorf("tags %v and %v, want %v", g.Delims(), Protocol(200).Delims(), want)
	}
	if text := g.Sample(nil, 1000); !g.Match(text) || len(text) > 40 {
		t.Errorf("sample %q", text)
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
