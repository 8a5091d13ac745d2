package fuzz

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// TestManualExamples: property 24. A manual has an example for each syntax in which it
// announces a tool with examples; each reads back strictly with the catalog of the manual,
// and nothing else in it looks like a call.
func TestManualExamples(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := Drawn(rt)
		catalog := mustCompile(Tools(c))
		o := manual.Options{Tags: oneOf(c, Tags(c), oneOf(c, inNotation...))}
		o.Plan.Syntax = oneOf(c, sig.Wire, sig.JSON)
		m, err := manual.New(catalog, &o)
		if err != nil {
			return
		}
		text := m.String()
		examples := examplesOf(rt, m, o)
		var shown []sig.Syntax
		for _, s := range (parse.Options{Delims: o.Tags, Strict: true}).Text(text, catalog) {
			switch {
			case s.Kind == parse.Prose:
			case s.Kind == parse.Malformed || s.AfterMalformed || len(s.Issues) > 0:
				rt.Fatalf("%v, %v in\n%s", s.Err, s.Issues, text)
			default:
				syntax, ok := examples[string(s.Text)]
				if !ok || slices.Contains(shown, syntax) {
					rt.Fatalf("%s is not an example, or an extra one, in\n%s", s.Text, text)
				}
				shown = append(shown, syntax)
			}
		}
		for call, syntax := range examples {
			if !slices.Contains(shown, syntax) {
				rt.Fatalf("no call such as %s in\n%s", call, text)
			}
		}
	})
}

// inNotation are tags that occur in a manual's explanation of signatures.
var inNotation = []lexer.Delims{{Open: "(?", Close: "?)"}, {Open: "):", Close: "(:"}, {Open: "@x", Close: "@/"}, {Open: "?:", Close: ":?"}, {Open: "*:", Close: ":*"}}

// examplesOf returns the examples of the tools, with the syntax of each, except those in
// JSON of a tool that is announced in wire syntax.
func examplesOf(t *rapid.T, m *manual.Manual, o manual.Options) map[string]sig.Syntax {
	plans, err := m.Catalog().Plans(o.Plan)
	if err != nil {
		t.Fatal(err)
	}
	examples := make(map[string]sig.Syntax)
	for _, p := range plans {
		call, ok := m.Example(p.Tool.Name)
		if ok && (p.Syntax == sig.JSON || !strings.HasPrefix(call, o.Tags.OrDefault().Open+p.Tool.Name+" {")) {
			examples[call] = p.Syntax
		}
	}
	return examples
}
