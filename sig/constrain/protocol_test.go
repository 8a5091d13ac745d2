package constrain

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/fuzz"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/next/public/parse"
	"github.com/callwire/callwire/sig"
)

// others are formats other than the wire format.
var others = []*format.Format{format.Hermes, format.GemmaFence, format.Qwen3Coder, format.GLM45, format.KimiK2}

// What a grammar derives between the tags of a protocol, and what it does not.
func TestProtocolCalls(t *testing.T) {
	c := one(t, weather)
	for _, test := range []struct {
		format  *format.Format
		yes, no []string
	}{
		{format.Hermes,
			[]string{
				"<tool_call>\n{\"name\": \"t\", \"arguments\": {\"location\": \"Rome\"}}\n</tool_call>",
				"<tool_call>\n{\"name\": \"t\", \"arguments\": {\"location\": \"\\u003ctool_call> <\\/tool_call>\", \"days\": 3, \"units\": \"metric\"}}\n</tool_call>",
			},
			[]string{
				"<tool_call>\n{\"name\": \"t\", \"arguments\": {\"days\": 3}}\n</tool_call>",
				"<tool_call>\n{\"name\": \"t\", \"arguments\": {\"location\": \"Rome\", \"days\": 17}}\n</tool_call>",
				"<tool_call>\n{\"name\": \"x\", \"arguments\": {\"location\": \"Rome\"}}\n</tool_call>",
				"<tool_call>t location=Rome</tool_call>",
			}},
		{format.GemmaFence,
			[]string{
				"```tool_call\n{\"name\": \"t\", \"arguments\": {\"location\": \"```\", \"days\": 3}}\n```",
			},
			[]string{
				"```tool_call\n{\"name\": \"t\", \"arguments\": {}}\n```",
				"```\n{\"name\": \"t\", \"arguments\": {\"location\": \"Rome\"}}\n```",
			}},
		{format.Qwen3Coder,
			[]string{
				"<tool_call>\n<function=t>\n<parameter=location>\nRome\n</parameter>\n</function>\n</tool_call>",
				"<tool_call>\n<function=t>\n<parameter=location>\n\n\"New\nYork\" </tool_call> <param\n\n</parameter>\n<parameter=days>\n3\n</parameter>\n<parameter=units>\nmetric\n</parameter>\n</function>\n</tool_call>",
			},
			[]string{
				"<tool_call>\n<function=t>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>",
				"<tool_call>\n<function=t>\n<parameter=location>\nRome\n</parameter>\n<parameter=days>\n17\n</parameter>\n</function>\n</tool_call>",
				"<tool_call>\n<function=t>\n<parameter=location>\nRome</function>\n</parameter>\n</function>\n</tool_call>",
				"<tool_call>\n<function=t>\n<parameter=location>\nRome\n</parameter>\n<parameter=units>\nkelvin\n</parameter>\n</function>\n</tool_call>",
			}},
	} {
		g := newGrammar(t, c, Options{Format: test.format})
		for _, text := range test.yes {
			if !matchCall(g, text) || len(checkReads(t, c, reading{format: test.format}, text)) != 1 {
				t.Errorf("%s: %s is not derived", test.format, text)
			}
		}
		for _, text := range test.no {
			if matchCall(g, text) {
				t.Errorf("%s: %s is derived", test.format, text)
			}
		}
		tag := string(g.StructuralTag())
		if d := test.format.Call; strings.Contains(tag, `"begin":"`+d.Open+`"`) == (test.format == format.GemmaFence) || !strings.Contains(g.Lark(), d.Close) {
			t.Errorf("%s: %s", test.format, tag)
		}
	}
}

// TestProtocolSamples is TestSamplesReadBack for the other protocols.
func TestProtocolSamples(t *testing.T) {
	all := catalogs(t)
	modes := []Options{{}, {Required: true}, {Required: true, Last: true}, {Required: true, Bare: true}}
	n := *samples / 4 / (len(all) * len(modes))
	for _, p := range others {
		f := reading{format: p}
		for name, c := range all {
			for _, o := range modes {
				o.Format = p
				g := newGrammar(t, c, o)
				r := random(4)
				for i := range n {
					text := g.Sample(r, 1+i%400)
					calls := checkReads(t, c, f, text)
					if o.Required && len(calls) == 0 || o.Last && len(calls) > 1 {
						t.Errorf("%d calls in %q", len(calls), text)
					}
					checkWriting(t, g, c, f, calls)
					if t.Failed() {
						t.Fatalf("%s, %s, %+v", p, name, o)
					}
				}
			}
		}
	}
}

// TestProtocolSandwich is TestSandwich for the other protocols.
func TestProtocolSandwich(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := fuzz.Drawn(t)
		tools := fuzz.Tools(s)
		t.Logf("%s", tools)
		c, err := sig.Compile(tools)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range others {
			f := reading{format: p}
			g, err := New(c, Options{Format: p})
			if err != nil {
				t.Fatal(err)
			}
			narrowed := make(map[string]bool)
			for _, n := range g.Notes() {
				if n.Kind == Narrowed && (n.Keyword == "enum" || strings.Contains(n.Message, "free names")) {
					narrowed[n.Tool] = true
				}
			}
			for range 5 {
				text := g.Sample(s, s.IntN(200))
				if !match(g, text) {
					t.Fatalf("%q is a sample and not derived", text)
				}
				calls := checkReads(t, c, f, text)
				checkWriting(t, g, c, f, slices.DeleteFunc(calls, func(s parse.Segment) bool { return narrowed[s.Call.Name] }))
				if t.Failed() {
					t.FailNow()
				}
			}
		}
	})
}
