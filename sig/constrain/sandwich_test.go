package constrain

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/fuzz"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"pgregory.net/rapid"
)

// What a grammar derives lies between what the writer writes and what a strict
// reader takes without an issue.

func TestSamplesReadBack(t *testing.T) {
	n := 4500 // of each catalogue, in each mode
	if testing.Short() {
		n = 500
	}
	for name, c := range catalogs(t) {
		t.Run(name, func(t *testing.T) {
			for _, o := range []Options{{}, {Mode: Required}, {Mode: Required, Last: true}} {
				g := newGrammar(t, c, o)
				r := random(1)
				calls := 0
				for i := range n {
					text := g.Sample(r, 1+i%400)
					read := checkReads(t, c, lexer.DefaultDelims, text)
					calls += len(read)
					switch {
					case o.Mode == Required && len(read) == 0:
						t.Errorf("%q has no call", text)
					case o.Last && len(read) > 1:
						t.Errorf("%q has several calls", text)
					}
					if i%20 == 0 && !g.Match(text) {
						t.Errorf("%q is a sample and not derived", text)
					}
					checkWriting(t, g, c, lexer.DefaultDelims, read)
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

// tags are legal ones, some of which occur in numbers, names and JSON.
var tags = []lexer.Delims{
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
		g, err := New(c, Options{Delims: d})
		if err != nil {
			t.Fatal(err)
		}
		// Where an object is JSON and the writer would write paths, it is told so.
		narrowed := make(map[string]bool)
		for _, n := range g.Notes() {
			if n.Kind == Narrowed && (n.Keyword == "enum" || n.Keyword == "$ref" || strings.Contains(n.Message, "free names")) {
				narrowed[n.Tool] = true
			}
		}
		for range 10 {
			text := g.Sample(s, s.IntN(200))
			if !g.Match(text) {
				t.Fatalf("%q is a sample and not derived", text)
			}
			calls := checkReads(t, c, d.OrDefault(), text)
			checkWriting(t, g, c, d.OrDefault(), slices.DeleteFunc(calls, func(s parse.Segment) bool { return narrowed[s.Name] }))
			if t.Failed() {
				t.FailNow()
			}
		}
	})
}
