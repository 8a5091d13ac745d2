package constrain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/golden"
	"github.com/callwire/callwire/sig"
)

// testdata/grammars.txt has schemas, each a line, and under each the grammar of a tool with
// it in every syntax, and where the grammar differs from the schema. A schema is that of
// the required property x; after ! that of all arguments. A word before it is the format.
//
// Lines after "+ " are calls that the grammar derives, those after "- " calls that it does
// not: in the wire format what follows the name, in others all of it, with ⏎ for a line end.
func TestGrammars(t *testing.T) {
	var all strings.Builder
	schemas, calls := 0, 0
	var c *sig.Catalog
	var g *Grammar
	for line := range strings.Lines(string(golden.Get(t, "grammars.txt"))) {
		if text, isCall := strings.CutPrefix(line, "\t+ "); isCall {
			line = "\t- " + text
		}
		if text, isCall := strings.CutPrefix(line, "\t- "); isCall {
			calls++
			writeVerdict(t, &all, c, g, strings.TrimSuffix(text, "\n"))
		}
		if strings.HasPrefix(line, "\t") {
			continue
		}
		schemas++
		all.WriteString(line)
		start := strings.IndexAny(line, "!{")
		written := format.Lookup(strings.TrimSpace(line[:start]))
		schema, whole := strings.CutPrefix(strings.TrimSuffix(line[start:], "\n"), "!")
		if !whole {
			schema = `{"type":"object","additionalProperties":false,"required":["x"],"properties":{"x":` +
				schema + `},"$defs":{"list":{"type":"array","items":{"$ref":"#/$defs/list"}}}}`
		}
		c = one(t, schema)
		g = newGrammar(t, c, Options{Format: written})
		writeGrammar(&all, g)
		checkShape(t, g)
		if text := g.Sample(random(1), 60); !match(g, text) {
			t.Errorf("%s: %q is a sample and not derived", schema, text)
		}
	}
	if schemas < 150 || calls < 250 {
		t.Errorf("%d schemas, %d calls", schemas, calls)
	}
	golden.Assert(t, all.String(), "grammars.txt")
}

// writeVerdict writes a call after whether the grammar derives it. A derived call reads
// back without an issue.
func writeVerdict(t *testing.T, all *strings.Builder, c *sig.Catalog, g *Grammar, body string) {
	f, text := reading{format: g.o.Format}, strings.ReplaceAll(body, "⏎", "\n")
	if g.o.Format == format.Wire {
		f, text = wire, "<call>t"+body+"</call>"
	}
	sign := '-'
	if matchCall(g, text) {
		sign = '+'
		if len(checkReads(t, c, f, text)) != 1 {
			t.Errorf("%q is derived, and is not a call", text)
		}
	}
	fmt.Fprintf(all, "\t%c %s\n", sign, body)
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
	if g.call == nil {
		return
	}
	write("gbnf", gbnfOf(g.call))
	write("lark", strings.Join(lark.definitions(g.call, "r_call"), "\n"))
	if text, err := regex.flat(g.call.body, maxRegex); err == nil {
		write("regex", text)
	}
}
