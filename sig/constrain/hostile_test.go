package constrain

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/sig"
)

// Catalogs for which a careless generator would be slow or wrong, or its output large.
func TestHostileCatalogs(t *testing.T) {
	deep := func(n int, required string) string {
		return strings.Repeat(`{"type":"object","properties":{"a":`, n) + `{"type":"string"}` + strings.Repeat(`}`+required+`}`, n)
	}
	deepArrays := strings.Repeat(`{"type":"array","items":`, 100) + `{"type":"string"}` + strings.Repeat("}", 100)
	properties := func(n int, required bool) string {
		var b strings.Builder
		names := make([]string, n)
		for i := range n {
			fmt.Fprintf(&b, `,"p%d":{"type":"boolean"}`, i)
			names[i] = fmt.Sprintf("p%d", i)
		}
		s := `{"type":"object","properties":{` + b.String()[1:] + `}`
		if required {
			list, _ := json.Marshal(names)
			s += `,"required":` + string(list)
		}
		return s + "}"
	}
	var dag strings.Builder // every object has two of the next kind: 2^40 paths
	dag.WriteString(`{"type":"object","properties":{"x":{"$ref":"#/$defs/d0"}},"$defs":{`)
	for i := range 40 {
		fmt.Fprintf(&dag, `"d%d":{"type":"object","properties":{"l":{"$ref":"#/$defs/d%d"},"r":{"$ref":"#/$defs/d%d"}}},`, i, i+1, i+1)
	}
	dag.WriteString(`"d40":{"type":"object","properties":{"n":{"type":"integer"}}}}}`)
	var words []string
	for i := range 5000 {
		words = append(words, strings.Repeat("a", i%500)+fmt.Sprint(i))
	}
	enum, _ := json.Marshal(words)
	var patterns strings.Builder
	for i := range 600 {
		fmt.Fprintf(&patterns, `,"p%d":{"type":"string","pattern":"^(a|b)*a(a|b){%d}$"}`, i, i%12)
	}
	for name, schema := range map[string]string{
		"deep objects":           deep(100, ""),
		"deep required objects":  deep(100, `,"required":["a"]`),
		"almost too deep":        deep(55, `,"required":["a"]`),
		"deep arrays":            `{"type":"object","properties":{"a":` + deepArrays + `}}`,
		"3000 properties":        properties(3000, false),
		"3000 required":          properties(3000, true),
		"a graph of objects":     dag.String(),
		"5000 words":             `{"type":"object","properties":{"e":{"enum":` + string(enum) + `}},"required":["e"]}`,
		"600 patterns":           `{"type":"object","properties":{` + patterns.String()[1:] + `}}`,
		"a bomb of a pattern":    `{"type":"object","properties":{"s":{"type":"string","pattern":"((a{1,100}){1,100}){1,100}"}}}`,
		"huge bounds":            `{"type":"object","properties":{"s":{"type":"string","minLength":1e300,"maxLength":1e308},"a":{"type":"array","minItems":1e300},"n":{"type":"integer","minimum":-1e300,"maximum":1e300},"m":{"type":"number","minimum":1e300}}}`,
		"bounds that are none":   `{"type":"object","properties":{"s":{"type":"string","minLength":-1,"maxLength":0.5},"a":{"type":"array","minItems":3,"maxItems":1},"n":{"type":"integer","minimum":5,"maximum":3}}}`,
		"a never in every place": `{"type":"object","properties":{"a":false,"b":{"type":"array","items":false,"minItems":1},"c":{"type":"object","properties":{"x":false},"required":["x"]},"d":{"type":"array","prefixItems":[{"type":"integer"},false]}}}`,
		"recursion everywhere":   `{"type":"object","properties":{"n":{"$ref":"#"},"l":{"type":"array","items":{"$ref":"#"}},"m":{"type":"object","additionalProperties":{"$ref":"#"}}}}`,
		"members of all kinds":   `{"type":"object","properties":{"e":{"enum":[{},{"a":{}},[],[[]],1e400,-0,0.10,"` + strings.Repeat("x", 1<<17) + `",{"a":1,"a":2},"\ud800",` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `]}},"required":["e"]}`,
		"dots":                   `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"integer"},"b.c":{"type":"integer"}}},"a.b":{"type":"integer"},"x.y.z":{"type":"integer"}}}`,
		"patterned":              `{"type":"object","properties":{"o":{"type":"object","patternProperties":{"^a":{"type":"integer"}},"additionalProperties":false},"p":{"type":"object","patternProperties":{"^a":{"type":"integer"}},"additionalProperties":{"type":"boolean"}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			c := one(t, schema)
			for _, d := range []format.Tags{{}, {Open: "_a", Close: "-1"}, {Open: "::", Close: "//"}} {
				g := newGrammar(t, c, Options{Tags: d})
				if n := len(g.GBNF()); n > 2000+40*len(schema) {
					t.Errorf("%d bytes of schema become %d", len(schema), n)
				}
				checkShape(t, g)
				r := random(7)
				for i := range min(60, max(1, *samples/80)) {
					text := g.Sample(r, i*i/4)
					if i%10 == 0 && !match(g, text) {
						t.Fatalf("%.200q is a sample and not derived", text)
					}
					checkReads(t, c, under(d), text)
					if t.Failed() {
						return
					}
				}
			}
		})
	}
}

// Tools with the same name become one, and all of 10,000 tools are there.
func TestManyTools(t *testing.T) {
	c := compile(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"integer"}}}},{"name":"t","inputSchema":{"type":"object","properties":{"b":{"type":"integer"}}}},{"name":"T","inputSchema":{"type":"object","properties":{}}}]`)
	g := newGrammar(t, c, Options{})
	if !match(g, "<call>t a=1</call><call>T</call>") || match(g, "<call>t b=1</call>") {
		t.Error(g.GBNF())
	}
	var tools []sig.Tool
	for i := range 10000 {
		tools = append(tools, sig.Tool{Name: fmt.Sprintf("%x", i*i) + "t", Schema: []byte(`{"type":"object","properties":{}}`)})
	}
	for i := range tools {
		tools[i].Name = "t" + tools[i].Name
	}
	g = newGrammar(t, compile(t, tools), Options{})
	for i := range tools {
		if i%500 == 0 && !matchCall(g, "<call>"+tools[i].Name+"</call>") {
			t.Error(tools[i].Name)
		}
	}
}

// TestInvisibleText: what hides or turns text is escaped, for a grammar is read on
// terminals too.
func TestInvisibleText(t *testing.T) {
	const hidden = "a\u202e\u2028\u0085\ufeff\ufe0f\U000e0041\U000e0100b"
	value, _ := json.Marshal(hidden)
	catalog, err := sig.Compile([]byte(`[{"name":"t` + hidden + `","inputSchema":{"type":"object","properties":{"k` + hidden + `":{"const":` + string(value) + `},"p":{"type":"string","pattern":"^x` + hidden + `[ab]+$"}},"required":["k` + hidden + `"]}}]`))
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(catalog, Options{})
	if err != nil {
		t.Fatal(err)
	}
	regex, err := g.Regex()
	if err != nil {
		t.Fatal(err)
	}
	last := map[string]rune{"Lark": 0xffff, "regex": 0xff} // that has an escape
	for name, text := range map[string]string{"GBNF": g.GBNF(), "Lark": g.Lark(), "tag": string(g.StructuralTag()), "regex": regex} {
		most, some := last[name]
		for _, r := range text {
			if r != '\n' && sig.Invisible(r) && (!some || r <= most) {
				t.Errorf("%s shows %U as it is:\n%q", name, r, text)
				break
			}
		}
	}
}
