package engines

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
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
	files := []string{filepath.Join("..", "..", "..", "corpus", "samples", "tools.json")}
	if folder := os.Getenv("CALLWIRE_TOOLS"); folder != "" {
		more, err := filepath.Glob(filepath.Join(folder, "*.json"))
		if err != nil || len(more) == 0 {
			t.Fatalf("CALLWIRE_TOOLS names a folder without catalogs: %v", err)
		}
		files = append(files, more...)
	}
	for _, file := range files {
		if filepath.Base(file) == "INDEX.json" {
			continue // lists the origin of the others
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		names, list = append(names, filepath.Base(file)), append(list, compile(t, text))
	}
	for i := range generated {
		names = append(names, fmt.Sprintf("generated %d", i))
		list = append(list, compile(t, fuzz.Tools(random(uint64(i)))))
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

// near returns a text that differs from text in one character.
func near(r *rand.Rand, text string) string {
	s := []rune(text)
	if len(s) == 0 {
		return "<call>"
	}
	i := r.IntN(len(s))
	c := rune(' ' + r.IntN(95))
	switch r.IntN(4) {
	case 0:
		return string(s[:i]) + string(s[i+1:])
	case 1:
		return string(s[:i]) + string(c) + string(s[i:])
	case 2:
		return string(s[:i])
	}
	s[i] = c
	return string(s)
}

// texts returns samples of the grammar, the calls in them as the writer writes them,
// and texts that differ from those in one character.
func texts(t *testing.T, g *constrain.Grammar, c *sig.Catalog, d format.Tags, seed uint64, n int) []string {
	t.Helper()
	r := random(seed)
	var all []string
	for i := range n {
		text := g.Sample(r, 1+i*7%300)
		all = append(all, text, near(r, text))
		segments, err := parse.Message(c, text, &parse.Options{Tags: d, AllowInCode: true, AllowAfterMalformed: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range segments {
			if s.Call == nil {
				continue
			}
			p, err := sig.PlanOptions{}.Plan(c.Lookup([]byte(s.Call.Name)))
			if err != nil {
				t.Fatal(err)
			}
			o := &parse.FormatOptions{Tags: d, JSON: p.JSON}
			written, err := parse.FormatCall(c, s.Call.Name, s.Call.Input, o)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, written, near(r, written))
		}
	}
	return all
}

// compare checks that the engines agree with package constrain on the texts. It
// returns how many of them the grammar derives.
func compare(t *testing.T, e *engines, g *constrain.Grammar, all []string) (derived int) {
	t.Helper()
	a := e.ask(t, question{GBNF: g.GBNF(), EBNF: g.GBNF(), Tag: string(g.StructuralTag()), Texts: all})
	for name, v := range map[string]verdicts{"llama.cpp": a.Llama, "xgrammar": a.Xgrammar, "xgrammar's structural tag": a.Tag} {
		if v.fault != "" || len(v.list) != len(all) {
			t.Errorf("%s does not accept the grammar: %s\n%s", name, v.fault, g.GBNF())
			return 0
		}
	}
	own := readGBNF(t, g.GBNF())
	for i, text := range all {
		want := own.match(text)
		if want {
			derived++
		}
		if a.Llama.list[i] != want || a.Xgrammar.list[i] != want || a.Tag.list[i] != want {
			t.Errorf("%q: %t here, %t by llama.cpp, %t by xgrammar, %t as a structural tag", text, want, a.Llama.list[i], a.Xgrammar.list[i], a.Tag.list[i])
			if t.Failed() {
				return derived
			}
		}
	}
	return derived
}

func TestEnginesAgree(t *testing.T) {
	e := startEngines(t)
	names, list := catalogs(t, volume(16))
	for i, c := range list {
		t.Run(names[i], func(t *testing.T) {
			g, err := constrain.New(c, constrain.Options{})
			if err != nil {
				t.Fatal(err)
			}
			n := volume(8)
			all := texts(t, g, c, format.Tags{}, uint64(i), n)
			if derived := compare(t, e, g, all); derived < len(all)/3 || derived == len(all) {
				t.Errorf("%d of %d texts are derived", derived, len(all))
			}
		})
	}
}

func TestEnginesTakeHostileCatalogs(t *testing.T) {
	e := startEngines(t)
	c := compile(t, hostile)
	for _, d := range []format.Tags{{}, {Open: "<<", Close: ">>"}, {Open: `"`, Close: `"`}, {Open: "<|a|>", Close: "<|b|>"}, {Open: "/\\n", Close: "#]\""}, {Open: "^[a-z]", Close: "(?:x)"}} {
		if d != (format.Tags{}) && (&format.Format{Call: d}).Validate() != nil {
			continue
		}
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			g, err := constrain.New(c, constrain.Options{Tags: d})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, e, g, texts(t, g, c, d, 1, volume(15)))
		})
	}
}

func TestEnginesTakeModes(t *testing.T) {
	e := startEngines(t)
	_, list := catalogs(t, 0)
	c := list[0]
	for _, o := range []constrain.Options{{Required: true}, {Last: true}, {Required: true, Last: true}, {Required: true, Tools: []string{c.Tools()[0].Name}}, {Bare: true, Required: true}, {Format: format.Hermes}, {Format: format.GemmaFence}, {Format: format.Qwen3Coder}} {
		g, err := constrain.New(c, o)
		if err != nil {
			t.Fatal(err)
		}
		all := append(texts(t, g, c, format.Tags{}, 1, volume(10)), "", "prose", "a <call>")
		a := e.ask(t, question{GBNF: g.GBNF(), EBNF: g.GBNF(), Tag: string(g.StructuralTag()), Texts: all})
		if a.Tag.fault != "" || a.Llama.fault != "" || a.Xgrammar.fault != "" {
			t.Fatalf("%+v: %+v", o, a)
		}
		own := readGBNF(t, g.GBNF())
		for i, text := range all {
			want := own.match(text)
			if a.Llama.list[i] != want || a.Xgrammar.list[i] != want || a.Tag.list[i] && !want {
				t.Errorf("%+v: %q: %t here, %t by llama.cpp, %t by xgrammar, %t as a structural tag", o, text, want, a.Llama.list[i], a.Xgrammar.list[i], a.Tag.list[i])
			}
		}
	}
}

// Five hundred tools are not a problem.
func TestEnginesTakeManyTools(t *testing.T) {
	e := startEngines(t)
	var tools []sig.Tool
	for i := range 500 {
		schema, err := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{
			fmt.Sprintf("a%d", i): map[string]any{"type": "string"}, "b": map[string]any{"enum": []any{i, "x"}}}})
		if err != nil {
			t.Fatal(err)
		}
		tools = append(tools, sig.Tool{Name: fmt.Sprintf("tool%d", i), Schema: schema})
	}
	c := compile(t, tools)
	g, err := constrain.New(c, constrain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, e, g, texts(t, g, c, format.Tags{}, 1, 5))
}
