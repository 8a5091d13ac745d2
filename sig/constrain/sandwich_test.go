package constrain

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/fuzz"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/next/public/parse"
	"github.com/callwire/callwire/sig"
)

// A grammar derives all that the writer writes, and nothing in which a strict reader
// finds an issue.

var samples = flag.Int("samples", 1200, "how many samples to read back, from the grammars of all catalogs, and a part of it for each catalog of TestHostileCatalogs and TestWritingIsDerived; the gate uses 12000")

func TestSamplesReadBack(t *testing.T) {
	all := catalogs(t)
	modes := []Options{{}, {Required: true}, {Required: true, Last: true}}
	each := len(all) * len(modes)
	n := (*samples + each - 1) / each
	for name, c := range all {
		t.Run(name, func(t *testing.T) {
			for _, o := range modes {
				g := newGrammar(t, c, o)
				r := random(1)
				calls := 0
				for i := range n {
					text := g.Sample(r, 1+i%400)
					read := checkReads(t, c, wire, text)
					calls += len(read)
					switch {
					case o.Required && len(read) == 0:
						t.Errorf("%q has no call", text)
					case o.Last && len(read) > 1:
						t.Errorf("%q has several calls", text)
					}
					if i%20 == 0 && !match(g, text) {
						t.Errorf("%q is a sample and not derived", text)
					}
					checkWriting(t, g, c, wire, read)
					if t.Failed() {
						return
					}
				}
				if calls < n/20 {
					t.Errorf("%d calls in %d samples", calls, n)
				}
			}
		})
	}
}

// tags are legal tags, some of which occur in numbers, names and JSON.
var tags = []format.Tags{
	{}, {Open: "<<", Close: ">>"}, {Open: "@call:", Close: ":end@"}, {Open: "_[", Close: "-5"}, {Open: "+1", Close: "-1-"},
	{Open: ":{", Close: ":["}, {Open: "<tool_call>", Close: "</tool_call>"}, {Open: "/t", Close: "/e"}, {Open: "-->", Close: "<--"}, {Open: "<|a|>", Close: "<|b|>"},
}

func TestSandwich(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := fuzz.Drawn(t)
		tools := fuzz.Tools(s)
		t.Logf("%s", tools)
		c, err := sig.Compile(tools)
		if err != nil {
			t.Fatal(err)
		}
		d := tags[s.IntN(len(tags))]
		g, err := New(c, Options{Tags: d})
		if err != nil {
			t.Fatal(err)
		}
		// If the grammar has an object as JSON where the writer would write paths,
		// the writer is told to write JSON.
		narrowed := make(map[string]bool)
		for _, n := range g.Notes() {
			if n.Kind == Narrowed && (n.Keyword == "enum" || n.Keyword == "$ref" || strings.Contains(n.Message, "free names")) {
				narrowed[n.Tool] = true
			}
		}
		for range 10 {
			text := g.Sample(s, s.IntN(200))
			if !match(g, text) {
				t.Fatalf("%q is a sample and not derived", text)
			}
			calls := checkReads(t, c, under(d), text)
			checkRepair(t, c, under(d), text, calls)
			checkWriting(t, g, c, under(d), slices.DeleteFunc(calls, func(s parse.Segment) bool { return narrowed[s.Call.Name] }))
			if t.Failed() {
				t.FailNow()
			}
		}
	})
}
