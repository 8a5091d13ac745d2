package constrain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/golden"
)

// testdata/grammars.txt has schemas, each a line, and under each the grammar of a tool with
// it in every syntax, and where the grammar differs from the schema. A schema is that of
// the required property x; after ! that of all arguments. A word before it is the format.
func TestGrammars(t *testing.T) {
	var all strings.Builder
	lines := 0
	for line := range strings.Lines(string(golden.Get(t, "grammars.txt"))) {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		lines++
		all.WriteString(line)
		start := strings.IndexAny(line, "!{")
		written := format.Lookup(strings.TrimSpace(line[:start]))
		schema, whole := strings.CutPrefix(strings.TrimSuffix(line[start:], "\n"), "!")
		if !whole {
			schema = `{"type":"object","additionalProperties":false,"required":["x"],"properties":{"x":` +
				schema + `},"$defs":{"list":{"type":"array","items":{"$ref":"#/$defs/list"}}}}`
		}
		writeGrammar(&all, newGrammar(t, one(t, schema), Options{Format: written}))
	}
	if lines < 100 {
		t.Errorf("%d schemas", lines)
	}
	golden.Assert(t, all.String(), "grammars.txt")
}

// writeGrammar writes what a grammar says about calls: prose is the same in all.
func writeGrammar(all *strings.Builder, g *Grammar) {
	write := func(what, text string) {
		for line := range strings.Lines(text) {
			fmt.Fprintf(all, "\t%-5s %s\n", what, strings.TrimSuffix(line, "\n"))
		}
	}
	for _, n := range g.Notes() {
		write("note", fmt.Sprintf("%s %s %v: %s", n.Path, n.Keyword, n.Kind, n.Message))
	}
	if g.rules.Call == nil {
		return
	}
	write("gbnf", g.rules.GBNF(g.rules.Call))
	_, lark := g.rules.Lark()
	write("lark", strings.Join(lark, "\n"))
	if text, err := g.rules.Regex(g.rules.Call); err == nil {
		write("regex", text)
	}
}
