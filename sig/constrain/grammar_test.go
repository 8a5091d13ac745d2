package constrain

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/sig"
)

const weather = `{"type":"object","properties":{"days":{"type":"integer","minimum":1,"maximum":16},"location":{"type":"string"},"units":{"enum":["metric","imperial"]}},"required":["location"]}`

// What a grammar derives between its tags, and what it does not.
func TestCalls(t *testing.T) {
	for _, c := range []struct {
		name, schema string
		yes, no      []string // texts after the name
	}{
		{"order", weather,
			[]string{" location=Rome", " location=Rome days=3", ` location="New York" days=16 units=metric`, ` location='say "hi"'`},
			[]string{" days=3 location=Rome", " location=Rome units=metric days=3", " days=3", " location=New York", " location=Rome units=kelvin", " location=Rome days=17", " location=Rome days=0", " location=", " location=Rome  days=3", " location=Rome other=1", ` {"location":"Rome"}`}},
		{"booleans", `{"type":"object","properties":{"b":{"type":"boolean"}}}`,
			[]string{"", " b=true", " b=false"},
			[]string{" b=True", ` b="true"`, " b=1", " b=true b=true"}},
		{"integers", `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`,
			[]string{" n=0", " n=-1", " n=1234567890123456"},
			[]string{" n=01", " n=1.0", " n=12345678901234567", " n=", " n=x", " n=--1"}},
		{"numbers", `{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}`,
			[]string{" n=0", " n=-1.5", " n=1e3", " n=2.5E-10"},
			[]string{" n=.5", " n=1.", " n=1e", " n=1e9999", " n=NaN"}},
		{"number range", `{"type":"object","properties":{"n":{"type":"number","minimum":1,"maximum":100}},"required":["n"]}`,
			[]string{" n=1", " n=1.5", " n=99.99", " n=100", " n=100.0", " n=10"},
			[]string{" n=0", " n=0.5", " n=100.1", " n=101", " n=-1", " n=1e1", " n=1e3"}},
		{"fractions as bounds", `{"type":"object","properties":{"n":{"type":"number","minimum":-0.25,"exclusiveMaximum":1.5}},"required":["n"]}`,
			[]string{" n=-0.25", " n=-0.250", " n=-0.2", " n=0", " n=0.0000001", " n=-0.25", " n=1", " n=1.4999"},
			[]string{" n=-0.251", " n=-0.3", " n=1.5", " n=1.50", " n=2", " n=-1", " n=1e-7"}},
		{"a bound that is not enforced", `{"type":"object","properties":{"n":{"type":"number","minimum":1e30}},"required":["n"]}`,
			[]string{" n=1e30", " n=1.5e+300", " n=0"},
			[]string{" n="}},
		{"integer range", `{"type":"object","properties":{"n":{"type":"integer","exclusiveMinimum":-21,"exclusiveMaximum":306}},"required":["n"]}`,
			[]string{" n=0", " n=-20", " n=-9", " n=305", " n=299", " n=100"},
			[]string{" n=-21", " n=306", " n=400", " n=1000", " n=00"}},
		{"null", `{"type":"object","properties":{"s":{"type":["string","null"]}},"required":["s"]}`,
			[]string{" s=null", ` s="null"`, " s=x"},
			[]string{" s="}},
		{"boolean or string", `{"type":"object","properties":{"s":{"type":["string","boolean"]}},"required":["s"]}`,
			[]string{" s=true", ` s="True"`, " s=Tru", " s=trues", " s=falſe"},
			[]string{" s=True", " s=TRUE", " s=False"}},
		{"enum", `{"type":"object","properties":{"e":{"enum":["a b","42",42,true,"True","null",null,"it's","say \"x\"","","[x","<call>",[1,{"k":"v"}]]}},"required":["e"]}`,
			[]string{` e="a b"`, " e=42", ` e="42"`, " e=true", ` e="True"`, " e=null", ` e="null"`, ` e="it's"`, ` e='say "x"'`, ` e=""`, ` e="[x"`, ` e="\u003ccall>"`, ` e=[1,{"k":"v"}]`},
			[]string{" e=True", " e=[1]", " e=43", " e=a", " e=x"}},
		{"const", `{"type":"object","properties":{"e":{"const":"metric"}},"required":["e"]}`,
			[]string{" e=metric"},
			[]string{` e="metric"`, " e=metrics"}},
		{"never", `{"type":"object","properties":{"e":false,"a":{"type":"boolean"}}}`,
			[]string{"", " a=true"},
			[]string{" e=x", " e=null", " e="}},
		{"nested", `{"type":"object","properties":{"r":{"type":"object","properties":{"from":{"type":"integer"},"to":{"type":"integer"}},"required":["to"]}}}`,
			[]string{"", " r.to=1", " r.to=1 r.from=2"},
			[]string{" r.from=2", " r.from=2 r.to=1", ` r={"to":1}`, " r={}"}},
		{"nested and optional", `{"type":"object","properties":{"r":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}},"required":["r"]}`,
			[]string{" r.a=1", " r.b=2", " r.a=1 r.b=2", " r={}", ` {"r":{}}`, ` {"r": {"b": 2}}`},
			[]string{"", " r.b=2 r.a=1", ` r={"a":1}`}},
		{"array", `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":3}}}`,
			[]string{` a=["x"]`, ` a=["x", "y"]`, ` a=["x","y","z"]`},
			[]string{" a=[]", ` a=["x",]`, " a=[x]", " a=['x']", ` a=["x",  "y"]`, ` a=["1","2","3","4"]`, " a=[1]"}},
		{"tuple", `{"type":"object","properties":{"a":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false,"minItems":1}}}`,
			[]string{` a=["x"]`, ` a=["x",1]`},
			[]string{" a=[]", " a=[1]", ` a=["x",1,2]`}},
		{"array of none", `{"type":"object","properties":{"a":{"type":"array","items":false}}}`,
			[]string{" a=[]"},
			[]string{" a=[1]"}},
		{"objects in arrays", `{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"string"}},"required":["y"]}}}}`,
			[]string{` a=[{"y":"s"}]`, ` a=[{"y":"s","x":1}, {"y": ""}]`},
			[]string{` a=[{"x":1}]`, " a=[{}]", ` a=[{"y":"s",}]`, ` a=[{"x":1,"y":"s"}]`}},
		{"recursion", `{"type":"object","properties":{"n":{"$ref":"#/$defs/node"}},"$defs":{"node":{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#/$defs/node"}},"required":["v"]}}}`,
			[]string{" n.v=1", ` n.v=1 n.next={"v":2,"next":{"v":3}}`},
			[]string{` n.next={"v":1}`}},
		{"length", `{"type":"object","properties":{"s":{"type":"string","minLength":2,"maxLength":3}},"required":["s"]}`,
			[]string{" s=ab", " s=日本語", ` s="a\n"`, " s='abc'"},
			[]string{" s=a", " s=abcd", ` s=""`, ` s="\n"`, ` s="\u0041\u0042\u0043\u0044"`}},
		{"pattern", `{"type":"object","properties":{"s":{"type":"string","pattern":"^[a-z]+ ?\"?\\d{2}$"}},"required":["s"]}`,
			[]string{" s=a12", ` s="ab 12"`, ` s='ab"12'`, ` s="ab\"12"`},
			[]string{" s=12", ` s="ab  12"`, ` s=ab"12`, " s=a1"}},
		{"unanchored", `{"type":"object","properties":{"s":{"type":"string","pattern":"@"}},"required":["s"]}`,
			[]string{" s=a@b", ` s="\n@ "`},
			[]string{" s=ab", ` s="ab"`}},
		{"pattern and length", `{"type":"object","properties":{"s":{"type":"string","pattern":"^[a-z]*$","maxLength":2}},"required":["s"]}`,
			[]string{" s=ab", ` s=""`, ` s="ab"`},
			[]string{" s=abc", " s=A"}},
		{"date", `{"type":"object","properties":{"s":{"type":"string","format":"date"}},"required":["s"]}`,
			[]string{" s=2024-02-29", ` s="2024-02-29"`},
			[]string{" s=2024-13-01", " s=today"}},
		{"date-time", `{"type":"object","properties":{"s":{"type":"string","format":"date-time"}},"required":["s"]}`,
			[]string{" s=2024-02-29T23:59:60Z", " s=2024-02-29T00:00:00.123+02:00"},
			[]string{" s=2024-02-29", " s=2024-02-29T25:00:00Z"}},
		{"uuid", `{"type":"object","properties":{"s":{"type":"string","format":"uuid"}},"required":["s"]}`,
			[]string{" s=123e4567-e89b-12d3-a456-426614174000"},
			[]string{" s=123e4567"}},
		{"untyped", `{"type":"object","properties":{"v":{}}}`,
			[]string{" v=1", " v=x", " v=true", " v=True", ` v=""`, ` v=[1,["x"]]`, ` v={"a":1}`, " v={}", " v.a=1", " v.a.b=[]", ` {"v":{"a":{}}}`},
			[]string{` v={"a":1,"b":2}`, " v.a=1 v.b=2", ` v={"a":1`}},
		{"map", `{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"integer"}}}}`,
			[]string{" m.a=1", ` m={"a":1}`, ` m={"a b": 1}`, " m={}"},
			[]string{" m.a=x", ` m={"a":"1"}`, " m.=1", " m.a.b=1"}},
		{"map of maps", `{"type":"object","additionalProperties":{"type":"object","additionalProperties":{"type":"object","additionalProperties":{"type":"integer"}}}}`,
			[]string{"", " a={}", " a.b={}", " a.b.c=1", ` a={"b":{"c":1}}`, ` a.b={"c":1}`},
			[]string{" a=1", " a.b=1", " a.b.c=x", " a.b.c.d=1"}},
		{"map of objects", `{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"object","properties":{"a":{"type":"integer"}}}}}}`,
			[]string{` m.k={"a":1}`, " m.k={}", ` m={"k":{"a":1}}`},
			[]string{" m.k.a=1", " m.k=1"}},
		{"no arguments", `{"type":"object","properties":{}}`,
			[]string{""},
			[]string{" ", " {}", " a=1"}},
		{"not a path", `{"type":"object","properties":{"due date":{"type":"string"},"n":{"type":"integer"}},"required":["n"]}`,
			[]string{` {"n":1}`, ` {"n": 1, "due date": "x"}`},
			[]string{"", " n=1", " {}", ` {"due date":"x","n":1}`}},
		{"dots", `{"type":"object","properties":{"a.b":{"type":"integer"},"a.c":{"type":"integer"}}}`,
			[]string{" a.b=1", " a.b=1 a.c=2"},
			[]string{" a.c=2 a.b=1"}},
		{"strings", `{"type":"object","properties":{"s":{"type":"string"}},"required":["s"]}`,
			[]string{` s=""`, ` s="\\d+ \"x\" \u00e9\n"`, " s=a=b", ` s=C:\x`, " s=true", " s=42", ` s='\''`, ` s="</call>"`, ` s="<\/call>"`},
			[]string{" s=O'Brien", " s=\"a\n b\"", ` s="\d"`, ` s="\ud800"`, " s=<x", " s=[x", " s={x", ` s="x"y`, ` s="x`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			catalog := one(t, c.schema)
			g := newGrammar(t, catalog, Options{})
			for _, body := range c.yes {
				text := "<call>t" + body + "</call>"
				if !matchCall(g, text) {
					t.Errorf("%s is not derived", text)
				}
				checkReads(t, catalog, wire, text)
			}
			for _, body := range c.no {
				if text := "<call>t" + body + "</call>"; matchCall(g, text) {
					t.Errorf("%s is derived", text)
				}
			}
			if t.Failed() {
				t.Log(g.GBNF())
			}
		})
	}
}

func TestModes(t *testing.T) {
	c := compile(t, `[{"name":"a","inputSchema":{"type":"object","properties":{}}},{"name":"ab","inputSchema":{"type":"object","properties":{}}}]`)
	texts := []string{"", "Hi.", "<call>a</call>", "Hi <<call>ab</call> and <call>a</call>.", "<call>a</call> there", "<call>ab</call><call>ab</call>", "<call>b</call>", "<call>", "half <cal"}
	for _, test := range []struct {
		o    Options
		want string // y or n for each text
	}{
		{Options{}, "yyyyyynny"},
		{Options{Required: true}, "nnyyyynnn"},
		{Options{Last: true}, "yyynnnnny"},
		{Options{Required: true, Last: true}, "nnynnnnnn"},
		{Options{Tools: []string{"ab"}}, "yynnnynny"},
		{Options{Required: true, Tools: []string{"ab"}}, "nnnnnynnn"},
		{Options{Required: true, Tools: []string{"a"}, Last: true}, "nnynnnnnn"},
		{Options{Bare: true}, "ynynnynnn"},
		{Options{Bare: true, Last: true}, "ynynnnnnn"},
		{Options{Bare: true, Required: true}, "nnynnynnn"},
		{Options{Bare: true, Required: true, Last: true}, "nnynnnnnn"},
	} {
		g := newGrammar(t, c, test.o)
		for i, text := range texts {
			if want := test.want[i] == 'y'; match(g, text) != want {
				t.Errorf("%+v: %q: %t", test.o, text, !want)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	c := compile(t, `[{"name":"t"},{"name":"no name"},{"name":"never","inputSchema":{"type":"object","properties":{"a":false},"required":["a"]}},
		{"name":"endless","inputSchema":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"required":["n"],"$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"required":["n"]}}}}]`)
	for _, o := range []Options{{Tools: []string{"x"}}, {Tools: []string{"no name"}, Required: true}, {Tools: []string{"never"}, Required: true}, {Tools: []string{"endless"}, Required: true}, {Tags: format.Tags{Open: "a", Close: "b"}}} {
		_, err := New(c, o)
		var tags *format.Error
		if slices.Equal(o.Tools, []string{"x"}) && !errors.Is(err, ErrUnknownTool) || o.Required && !errors.Is(err, ErrNoTool) || o.Tools == nil && !errors.As(err, &tags) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	g := newGrammar(t, c, Options{})
	for name, want := range map[string]bool{"t": true, "no name": false, "never": false, "endless": false} {
		if got := match(g, "<call>"+name+"</call>") || match(g, "<call>"+name+" a=1</call>"); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if want := "no name  name left-out\n"; !strings.Contains(noted(g), want) || strings.Count(noted(g), "left-out") != 3 {
		t.Errorf("%s", noted(g))
	}
	for _, c := range []*sig.Catalog{nil, compile(t, "[]")} {
		g := newGrammar(t, c, Options{})
		if !match(g, "prose <cal") || match(g, "<call>") || matchCall(g, "<call></call>") {
			t.Error(g.GBNF())
		}
		if _, err := New(c, Options{Required: true}); !errors.Is(err, ErrNoTool) {
			t.Error(err)
		}
	}
}

// There is a note for every difference between grammar and schema, and no other.
func TestNotes(t *testing.T) {
	for schema, want := range map[string]string{
		weather: "",
		`{"type":"object","properties":{"s":{"type":"string","format":"uri"}}}`:                                                                                                             "t s format widened\n",
		`{"type":"object","properties":{"s":{"type":"string","pattern":"(?=x)"}}}`:                                                                                                          "t s pattern widened\n",
		`{"type":"object","properties":{"s":{"type":"string","pattern":"^\\p{L}+$"}}}`:                                                                                                      "t s pattern widened\n",
		`{"type":"object","properties":{"s":{"type":"string","maxLength":5000}}}`:                                                                                                           "t s maxLength widened\n",
		`{"type":"object","properties":{"s":{"type":"string","maxLength":50}}}`:                                                                                                             "",
		`{"type":"object","properties":{"a":{"type":"array","maxItems":2001,"uniqueItems":true}}}`:                                                                                          "t a uniqueItems widened\nt a maxItems widened\nt a[] additionalProperties narrowed\n",
		`{"type":"object","properties":{"n":{"type":"integer","multipleOf":5}}}`:                                                                                                            "t n multipleOf widened\n",
		`{"type":"object","properties":{"n":{"type":"number","exclusiveMinimum":0,"maximum":1.5}}}`:                                                                                         "",
		`{"type":"object","properties":{"n":{"type":"number","maximum":1e-50}}}`:                                                                                                            "t n maximum widened\n",
		`{"type":"object","properties":{"n":{"type":"integer","minimum":1e20}}}`:                                                                                                            "",
		`{"type":"object","properties":{"n":{"type":"integer","minimum":1e21}}}`:                                                                                                            "t n minimum widened\n",
		`{"type":"object","properties":{"n":{"type":"integer","minimum":0.2,"maximum":0.8}}}`:                                                                                               "t n minimum widened\n",
		`{"type":"object","properties":{"n":{"type":"number","minimum":0}}}`:                                                                                                                "",
		`{"type":"object","properties":{"m":{"type":"object"}}}`:                                                                                                                            "t m additionalProperties narrowed\n",
		`{"type":"object","additionalProperties":{"type":"object","additionalProperties":{"type":"boolean"}}}`:                                                                              "t  additionalProperties narrowed\nt * additionalProperties narrowed\n",
		`{"type":"object","additionalProperties":{"type":"object","properties":{"a":{"type":"boolean"}}}}`:                                                                                  "t  additionalProperties narrowed\nt * additionalProperties narrowed\n",
		`{"type":"object","properties":{"a":{"type":"boolean"}},"additionalProperties":true}`:                                                                                               "t  additionalProperties narrowed\n",
		`{"type":"object","properties":{"a":{"type":"boolean"}},"minProperties":1}`:                                                                                                         "t  minProperties widened\n",
		`{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"boolean"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`:                                                    "t  anyOf widened\nt  required widened\n",
		`{"type":"object","properties":{"v":{"oneOf":[{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"boolean"}}}]}}}`: "t v anyOf widened\nt v required widened\n",
		`{"type":"object","properties":{"v":{"oneOf":[{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"]},{"type":"string"}]}}}`:                                       "",
		`{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"v":{"type":"integer"},"n":{"$ref":"#/$defs/n"}}}}}`:                          "t n.n $ref narrowed\n",
	} {
		if got := noted(newGrammar(t, one(t, schema), Options{})); got != want {
			t.Errorf("%s:\n%swant\n%s", schema, got, want)
		}
	}
}

// Equal catalogs have equal grammars, byte for byte.
func TestSameText(t *testing.T) {
	for name, c := range catalogs(t) {
		first := newGrammar(t, c, Options{})
		for range 3 {
			if newGrammar(t, c, Options{}).GBNF() != first.GBNF() {
				t.Fatalf("%s has several grammars", name)
			}
		}
	}
}

// many returns a catalog of n different tools.
func many(t testing.TB, n int) *sig.Catalog {
	tools := make([]sig.Tool, n)
	for i := range tools {
		tools[i] = sig.Tool{Name: fmt.Sprintf("tool%d", i), Schema: fmt.Appendf(nil, `{"type":"object","properties":{"a%d":{"type":"string"},"b":{"enum":["x%d","y"]},"c":{"type":"array","items":{"type":"object","properties":{"k%d":{"type":"integer","maximum":%d}},"required":["k%d"]}},"d":{"type":"object","properties":{"e":{"type":"string","maxLength":%d}}}},"required":["a%d"]}`, i, i, i, 10*i+7, i, 10+i%50, i)}
	}
	return compile(t, tools)
}

func TestLinear(t *testing.T) {
	const n = 250
	c, twice := many(t, n), many(t, 2*n)
	size := func(c *sig.Catalog) int { return len(newGrammar(t, c, Options{}).GBNF()) }
	if a, b := size(c), size(twice); b > 2*a+a/10 {
		t.Errorf("%d bytes for %d tools, %d for twice as many", a, n, b)
	}
	allocs := func(c *sig.Catalog) float64 {
		return testing.AllocsPerRun(1, func() { newGrammar(t, c, Options{}) })
	}
	if a, b := allocs(c), allocs(twice); b > 2.2*a {
		t.Errorf("%.0f allocations for %d tools, %.0f for twice as many", a, n, b)
	}
}

func BenchmarkNew(b *testing.B) {
	c := many(b, 500)
	for b.Loop() {
		newGrammar(b, c, Options{})
	}
}
