package constrain

import (
	"fmt"
	"slices"
	"testing"

	"github.com/callwire/callwire/sig"
)

// Keywords that no type expresses widen the grammar, and each is noted where it applies.
func TestUnsupportedKeywordsAreNoted(t *testing.T) {
	catalog, err := sig.Compile(`[{"name": "t", "inputSchema": {"type": "object",
		"if": {"required": ["a/b"]}, "then": {"required": ["n"]},
		"dependentSchemas": {"n": {"required": ["list"]}},
		"properties": {
			"n": {"type": "integer", "not": {"const": 5}},
			"a/b": {"type": "object", "properties": {"not": {"type": "string", "not": {"const": "x"}}}},
			"list": {"type": "array", "items": {"type": "string", "not": {"const": "x"}}}}}},
		{"name": "other", "inputSchema": {"type": "object", "properties": {"not": {"type": "string"}}}}]`)
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(catalog, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range g.Notes() {
		got = append(got, fmt.Sprintf("%s %s: %s %s", n.Tool, n.Path, n.Keyword, n.Kind))
	}
	slices.Sort(got)
	want := []string{
		"t : dependentSchemas widened", "t : if widened", "t : then widened",
		"t a/b.not: not widened", "t list[]: not widened", "t n: not widened",
	}
	if !slices.Equal(got, want) {
		t.Errorf("notes\n%q\nwant\n%q", got, want)
	}
}
