package engines

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/fuzz"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/sig/constrain"
)

// volume multiplies the number of texts to compare; CALLWIRE_ENGINES=full raises it.
func volume(n int) int {
	if os.Getenv("CALLWIRE_ENGINES") == "full" {
		return 20 * n
	}
	return n
}

// catalogs returns the sample catalog, those in the folder of CALLWIRE_TOOLS, and
// generated ones.
func catalogs(t testing.TB, generated int) (names []string, list []*sig.Catalog) {
	t.Helper()
	all := fuzz.Catalogs(t)
	for i := range generated {
		all[fmt.Sprintf("generated %03d", i)] = compile(t, fuzz.Tools(random(uint64(i))))
	}
	names = slices.Sorted(maps.Keys(all))
	for _, name := range names {
		list = append(list, all[name])
	}
	return names, list
}

func compile(t testing.TB, tools any) *sig.Catalog {
	t.Helper()
	c, err := sig.Compile(tools)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 20)) }

// hostile is a catalog with names, enums and constraints that would break careless
// escaping.
const hostile = `[
	{"name":"é日本","inputSchema":{"type":"object","properties":{"\"quoted\" \\ key":{"type":"string"},"line\nend":{"enum":["\"","\\","\\n","\n","'","\u0000","\u007f","\u2028","😀","]","[^a-z]","/","//","#","{1,2}","</call>","<call>","<","a\"b'c","%","$"]}}}},
	{"name":"$x","inputSchema":{"type":"object","properties":{"é-日":{"enum":["é","è","😀","日本語","%json {}","a|b","(x)?","root ::= \"x\"",""]},"#":{"const":"#"},"/":{"const":"/"},"a-b:c$d@e":{"type":"integer"}},"required":["é-日"]}},
	{"name":"true","inputSchema":{"type":"object","properties":{"true":{"type":"boolean"},"null":{"type":"null"}},"required":["true","null"]}},
	{"name":"Token","inputSchema":{"type":"object","properties":{"root":{"type":"string","pattern":"^[\\]\\[^\"'/\\\\-]{1,5}$"}},"required":["root"]}},
	{"name":"root","inputSchema":{"type":"object","properties":{"s":{"type":"string","minLength":990,"maxLength":1000},"a":{"type":"array","items":{"type":"integer"},"minItems":2000,"maxItems":2000}}}},
	{"name":"start","inputSchema":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"},"l":{"type":"array","items":{"$ref":"#/$defs/n"}}}}}}},
	{"name":"range","inputSchema":{"type":"object","properties":{"a":{"type":"number","exclusiveMinimum":-0.25,"maximum":1234.5},"b":{"type":"number","minimum":1e-9},"c":{"type":"number","exclusiveMaximum":0},"d":{"type":"integer","minimum":1e20}}}},
	{"name":"any"}]`

// texts returns samples of the grammar, the calls in them as the writer writes them, and as many
// texts that differ from those in one character.
func texts(t *testing.T, g *constrain.Grammar, c *sig.Catalog, o constrain.Options, seed uint64, n int) (derived, near []string) {
	t.Helper()
	r := random(seed)
	for i := range n {
		text := g.Sample(r, 1+i*7%300)
		derived = append(derived, text)
		if o.Format != nil || o.Last || o.Bare {
			continue // a call alone may be no message
		}
		segments, err := parse.Message(c, text, &parse.Options{Tags: o.Tags, AllowInCode: true, AllowAfterMalformed: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range segments {
			if s.Call == nil {
				continue
			}
			p, _ := c.Lookup([]byte(s.Call.Name)).Plan(sig.Auto)
			written, err := parse.FormatCall(c, s.Call.Name, s.Call.Input, &parse.FormatOptions{Tags: o.Tags, JSON: p.JSON})
			if err != nil {
				t.Fatal(err)
			}
			derived = append(derived, written)
		}
	}
	for _, text := range derived {
		near = append(near, fuzz.Near(r, text))
	}
	return derived, near
}

// compare checks that the engines accept the derived texts, and agree on the others. A structural tag
// may accept fewer of those that are not calls alone.
func compare(t *testing.T, e engines, g *constrain.Grammar, derived, others []string, fewer bool) {
	t.Helper()
	all := append(derived, others...)
	a := e.ask(t, question{GBNF: g.GBNF(), EBNF: g.GBNF(), Tag: string(g.StructuralTag()), Texts: all})
	for name, v := range map[string]verdicts{"llama.cpp": a.Llama, "xgrammar": a.Xgrammar, "xgrammar's structural tag": a.Tag} {
		if v.fault != "" || len(v.list) != len(all) {
			t.Fatalf("%s does not accept the grammar: %s\n%s", name, v.fault, g.GBNF())
		}
	}
	accepted := 0
	for i, text := range all {
		llama, tag := a.Llama.list[i], a.Tag.list[i]
		if llama {
			accepted++
		}
		if i < len(derived) && !llama || a.Xgrammar.list[i] != llama || tag != llama && (tag || !fewer) {
			t.Fatalf("%q: %t, by llama.cpp %t, by xgrammar %t, as a structural tag %t", text, i < len(derived), llama, a.Xgrammar.list[i], tag)
		}
	}
	if accepted == len(all) {
		t.Error("all texts are derived")
	}
}

func TestEnginesAgree(t *testing.T) {
	e := startEngines(t)
	names, list := catalogs(t, volume(16))
	for i, c := range list {
		t.Run(names[i], func(t *testing.T) {
			check(t, e, c, constrain.Options{}, uint64(i), volume(8))
		})
	}
}

// check compares the engines on the texts of a grammar.
func check(t *testing.T, e engines, c *sig.Catalog, o constrain.Options, seed uint64, n int) {
	t.Helper()
	g, err := constrain.New(c, o)
	if err != nil {
		t.Fatal(err)
	}
	derived, others := texts(t, g, c, o, seed, n)
	compare(t, e, g, derived, append(others, "", "prose", "a <call>"), o.Required || o.Format != nil)
}

func TestEnginesTakeHostileCatalogs(t *testing.T) {
	e := startEngines(t)
	c := compile(t, hostile)
	for _, d := range []format.Tags{{}, {Open: "<<", Close: ">>"}, {Open: `"`, Close: `"`}, {Open: "<|a|>", Close: "<|b|>"}, {Open: "/\\n", Close: "#]\""}, {Open: "^[a-z]", Close: "(?:x)"}} {
		if d != (format.Tags{}) && (&format.Format{Call: d}).Validate() != nil {
			continue
		}
		t.Run(fmt.Sprint(d), func(t *testing.T) { check(t, e, c, constrain.Options{Tags: d}, 1, volume(15)) })
	}
}

func TestEnginesTakeModes(t *testing.T) {
	e := startEngines(t)
	_, list := catalogs(t, 0)
	for _, o := range []constrain.Options{{Required: true}, {Last: true}, {Required: true, Last: true}, {Required: true, Tools: []string{list[0].Tools()[0].Name}}, {Bare: true, Required: true}, {Format: format.Hermes}, {Format: format.GemmaFence}, {Format: format.Qwen3Coder}} {
		check(t, e, list[0], o, 1, volume(10))
	}
}

// Five hundred tools are not a problem.
func TestEnginesTakeManyTools(t *testing.T) {
	var tools []sig.Tool
	for i := range 500 {
		schema := fmt.Sprintf(`{"type":"object","properties":{"a%d":{"type":"string"},"b":{"enum":[%[1]d,"x"]}}}`, i)
		tools = append(tools, sig.Tool{Name: fmt.Sprintf("tool%d", i), Schema: []byte(schema)})
	}
	check(t, startEngines(t), compile(t, tools), constrain.Options{}, 1, 5)
}

// The engines accept the calls of the table of grammars that begin with a plus, and no others.
func TestEnginesAgreeWithTheTable(t *testing.T) {
	table, err := os.ReadFile(filepath.Join("..", "testdata", "grammars.txt"))
	if err != nil {
		t.Fatal(err)
	}
	e := startEngines(t)
	n := 0
	for _, entry := range regexp.MustCompile(`(?m)^[^\t].*\n(\t.*\n)*`).FindAllString(string(table), -1) {
		line, rest, _ := strings.Cut(entry, "\n")
		start := strings.IndexAny(line, "!{")
		o := constrain.Options{Format: format.Lookup(strings.TrimSpace(line[:start])), Bare: true, Required: true, Last: true}
		schema, whole := strings.CutPrefix(line[start:], "!")
		if !whole {
			schema = `{"type":"object","additionalProperties":false,"required":["x"],"properties":{"x":` +
				schema + `},"$defs":{"list":{"type":"array","items":{"$ref":"#/$defs/list"}}}}`
		}
		var texts []string
		var want []bool
		for _, call := range regexp.MustCompile(`(?m)^\t([+-]) (.*)$`).FindAllStringSubmatch(rest, -1) {
			text := strings.ReplaceAll(call[2], "⏎", "\n")
			if o.Format == nil {
				text = "<call>t" + call[2] + "</call>"
			}
			texts, want = append(texts, text), append(want, call[1] == "+")
		}
		g, err := constrain.New(compile(t, []sig.Tool{{Name: "t", Schema: []byte(schema)}}), o)
		if err != nil || len(texts) == 0 {
			continue // no tool can be called, or there are no calls in the table
		}
		a := e.ask(t, question{GBNF: g.GBNF(), EBNF: g.GBNF(), Texts: texts})
		if n += len(texts); !slices.Equal(a.Llama.list, want) || !slices.Equal(a.Xgrammar.list, want) {
			t.Errorf("%s\n%q: %t, %+v", line, texts, want, a)
		}
	}
	if n < 250 {
		t.Errorf("only %d calls", n)
	}
}
