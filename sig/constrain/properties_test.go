package constrain

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/fuzz"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// A grammar derives all that the writer writes, and nothing in which a strict reader
// finds an issue.

var samples = flag.Int("samples", 1200, "how many samples to read back, from the grammars of all catalogs, and a part of it for each catalog of TestHostileCatalogs; the gate uses 12000")

// tags are legal tags, some of which occur in numbers, names and JSON.
var tags = []format.Tags{
	{}, {Open: "<<", Close: ">>"}, {Open: "@call:", Close: ":end@"}, {Open: "_[", Close: "-x"}, {Open: "+a", Close: "-a-"},
	{Open: ":{", Close: ":["}, {Open: "<tool_call>", Close: "</tool_call>"}, {Open: "/t", Close: "/e"}, {Open: "-->", Close: "<--"}, {Open: "<|a|>", Close: "<|b|>"},
}

// custom is a format that is not in the table: its grammar needs nothing but its row.
var custom = &format.Format{
	Name: "custom", Body: format.Parameters, Call: format.Tags{Open: "[[call:", Close: "]]"},
	Function:  format.Marks{End: ">"},
	Parameter: format.Marks{Open: "<:", End: ">", Close: "<<:"},
}

func TestSamplesReadBack(t *testing.T) {
	all := fuzz.Catalogs(t)
	modes := []Options{{}, {Required: true}, {Required: true, Last: true}, {Required: true, Bare: true}}
	formats := append(Formats(), custom)
	for name, c := range all {
		for i, f := range append(formats, format.Wire) {
			n := 1 + *samples/(4*len(all)*len(modes))
			if i == len(formats) {
				n *= 4 // the wire format with all checks
			}
			for _, o := range modes {
				o.Format = f
				g := newGrammar(t, c, o)
				checkShape(t, g)
				r := random(1)
				for i := range n {
					text := g.Sample(r, 1+i%400)
					calls := checkReads(t, c, reading{format: f}, text)
					if o.Required && len(calls) == 0 || o.Last && len(calls) > 1 || i%20 == 0 && !match(g, text) {
						t.Errorf("%d calls in %q", len(calls), text)
					}
					if f != custom {
						checkWriting(t, g, c, reading{format: f}, calls)
					}
					if t.Failed() {
						t.Fatalf("%s, %s, %+v", f, name, o)
					}
				}
			}
		}
	}
}

// A grammar derives what the writer writes for values that were generated without it.
func TestWritingIsDerived(t *testing.T) {
	for name, c := range fuzz.Catalogs(t) {
		g := newGrammar(t, c, Options{})
		r := random(3)
		fit, n := 0, 0
		for _, tool := range c.Tools() {
			p, _ := tool.Plan(sig.Auto)
			for range 20 {
				n++
				input := inOrder(r, tool.Args, 4)
				if !tool.Args.Accepts([]byte(input)) {
					continue
				}
				fit++
				text, err := wire.write(c, &parse.Call{Name: tool.Name, Input: []byte(input)}, p.JSON)
				if err != nil || !matchCall(g, text) {
					t.Fatalf("%s: %v is not derived: %s", name, err, text)
				}
				checkReads(t, c, wire, text)
			}
		}
		if fit < n/2 {
			t.Errorf("%s: only %d of %d values fit", name, fit, n)
		}
	}
}

// inOrder returns an object that fits t, or nearly, with its properties in the order of
// grammars and its integers as they are usually written.
func inOrder(r fuzz.Source, t *sig.Type, depth int) string {
	if t == nil || t.Free&sig.Object == 0 || len(t.Fields) == 0 {
		switch {
		case t == nil:
			return []string{"1", "true", "null", `"a b"`, `"42"`, "[]", `[1,"x",[true]]`}[r.IntN(7)]
		case t.Free&sig.Array != 0 && t.Items != nil:
			return "[" + inOrder(r, t.Items, depth-1) + "]"
		case t.Free&sig.Object != 0:
			return "{}"
		case t.Limits != nil && slices.Contains(t.Limits.Formats, "uuid"):
			return `"123e4567-e89b-12d3-a456-426614174000"`
		case t.Limits != nil && len(t.Limits.Formats) > 0:
			return `"2024-02-29"`
		case t.Free&sig.Integer != 0:
			return strconv.Itoa(r.IntN(100))
		}
		return fuzz.Fit(r, t, depth)
	}
	var members []string
	for _, required := range []bool{true, false} {
		for _, f := range t.Fields {
			if f.Required == required && (required || depth > 0 && r.IntN(3) == 0) {
				members = append(members, string(f.JSONKey)+inOrder(r, f.Type, depth-1))
			}
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// drawn calls check for each of some samples of a grammar of drawn tools.
func drawn(t *testing.T, each int, options func(s fuzz.Source) []Options, check func(t *rapid.T, g *Grammar, c *sig.Catalog, f reading, text string)) {
	rapid.Check(t, func(t *rapid.T) {
		s := fuzz.Drawn(t)
		tools := fuzz.Tools(s)
		t.Logf("%s", tools)
		c, err := sig.Compile(tools)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range options(s) {
			g, err := New(c, o)
			if err != nil {
				t.Fatal(err)
			}
			for range each {
				text := g.Sample(s, s.IntN(200))
				if !match(g, text) {
					t.Fatalf("%q is a sample and not derived", text)
				}
				check(t, g, c, reading{o.Format, o.Tags}, text)
				if t.Failed() {
					t.FailNow()
				}
			}
		}
	})
}

// checkSandwich checks that a sample reads back, and that what was read is derived as the
// writer writes it. If the grammar has an object as JSON where the writer would write
// paths, the writer is told to write JSON.
func checkSandwich(t *rapid.T, g *Grammar, c *sig.Catalog, f reading, text string) {
	isNarrowed := make(map[string]bool)
	for _, n := range g.Notes() {
		if n.Kind == narrowed && (n.Keyword == "enum" || n.Keyword == "$ref" || strings.Contains(n.Message, "below free names")) {
			isNarrowed[n.Tool] = true
		}
	}
	calls := checkReads(t, c, f, text)
	if f.format == nil {
		checkRepair(t, c, f, text, calls)
	}
	checkWriting(t, g, c, f, slices.DeleteFunc(calls, func(s parse.Segment) bool { return isNarrowed[s.Call.Name] }))
}

func TestSandwich(t *testing.T) {
	drawn(t, 10, func(s fuzz.Source) []Options { return []Options{{Tags: tags[s.IntN(len(tags))]}} }, checkSandwich)
}

func TestProtocolSandwich(t *testing.T) {
	var all []Options
	for _, f := range []*format.Format{format.Hermes, format.GemmaFence, format.Qwen3Coder, format.GLM45, format.KimiK2} {
		all = append(all, Options{Format: f})
	}
	drawn(t, 4, func(fuzz.Source) []Options { return all }, checkSandwich)
}

// Catalogs for which a careless generator would be slow or wrong, or its output large.
func TestHostileCatalogs(t *testing.T) {
	repeat := func(n int, each string) string {
		var all []string
		for i := range n {
			all = append(all, strings.NewReplacer("N", fmt.Sprint(i), "M", fmt.Sprint(i%12)).Replace(each))
		}
		return strings.Join(all, ",")
	}
	deep := func(n int, open, inner, end string) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	object := func(properties string) string { return `{"type":"object","properties":{` + properties + `}}` }
	dag := repeat(40, `"dN":{"type":"object","properties":{"l":{"$ref":"#/$defs/eN"},"r":{"$ref":"#/$defs/eN"}}}`)
	for i := range 40 { // every object has two of the next kind: 2^40 paths
		dag = strings.ReplaceAll(dag, fmt.Sprintf("/e%d\"", i), fmt.Sprintf("/d%d\"", i+1))
	}
	for name, schema := range map[string]string{
		"deep objects":               deep(100, `{"type":"object","properties":{"a":`, `{"type":"string"}`, `}}`),
		"deep required objects":      deep(100, `{"type":"object","required":["a"],"properties":{"a":`, `{"type":"string"}`, `}}`),
		"almost too deep":            deep(55, `{"type":"object","required":["a"],"properties":{"a":`, `{"type":"string"}`, `}}`),
		"deep arrays":                object(`"a":` + deep(100, `{"type":"array","items":`, `{"type":"string"}`, "}")),
		"3000 properties":            object(repeat(3000, `"pN":{"type":"boolean"}`)),
		"3000 required":              `{"type":"object","required":[` + repeat(3000, `"pN"`) + `],"properties":{` + repeat(3000, `"pN":{"type":"boolean"}`) + `}}`,
		"a graph of objects":         `{"type":"object","properties":{"x":{"$ref":"#/$defs/d0"}},"$defs":{` + dag + `,"d40":{"type":"object","properties":{"n":{"type":"integer"}}}}}`,
		"5000 words":                 `{"type":"object","properties":{"e":{"enum":[` + repeat(2500, `"`+strings.Repeat("a", 200)+`N","N"`) + `]}},"required":["e"]}`,
		"600 patterns":               object(repeat(600, `"pN":{"type":"string","pattern":"^(a|b)*a(a|b){M}$"}`)),
		"a bomb of a pattern":        object(`"s":{"type":"string","pattern":"((a{1,100}){1,100}){1,100}"}`),
		"patterns of large programs": object(repeat(20, `"pN":{"type":"string","pattern":"`+strings.Repeat("[a-fN]{0,999}", 20)+`"}`)),
		"huge bounds":                object(`"s":{"type":"string","minLength":1e300,"maxLength":1e308},"a":{"type":"array","minItems":1e300},"n":{"type":"integer","minimum":-1e300,"maximum":1e300},"m":{"type":"number","minimum":1e300}`),
		"bounds of many digits":      object(`"n":{"type":"number","minimum":-123456789012345678901.1234567890123456789012,"maximum":123456789012345678901.1234567890123456789012}`),
		"bounds that are none":       object(`"s":{"type":"string","minLength":-1,"maxLength":0.5},"a":{"type":"array","minItems":3,"maxItems":1},"n":{"type":"integer","minimum":5,"maximum":3}`),
		"a never in every place":     object(`"a":false,"b":{"type":"array","items":false,"minItems":1},"c":{"type":"object","properties":{"x":false},"required":["x"]},"d":{"type":"array","prefixItems":[{"type":"integer"},false]}`),
		"recursion everywhere":       object(`"n":{"$ref":"#"},"l":{"type":"array","items":{"$ref":"#"}},"m":{"type":"object","additionalProperties":{"$ref":"#"}}`),
		"members of all kinds":       `{"type":"object","properties":{"e":{"enum":[{},{"a":{}},[],[[]],1e400,-0,0.10,"` + strings.Repeat("x", 1<<17) + `",{"a":1,"a":2},"\ud800",` + deep(70, "[", "", "]") + `]}},"required":["e"]}`,
		"dots":                       object(`"a":{"type":"object","properties":{"b":{"type":"integer"},"b.c":{"type":"integer"}}},"a.b":{"type":"integer"},"x.y.z":{"type":"integer"}`),
		"patterned":                  object(`"o":{"type":"object","patternProperties":{"^a":{"type":"integer"}},"additionalProperties":false},"p":{"type":"object","patternProperties":{"^a":{"type":"integer"}},"additionalProperties":{"type":"boolean"}}`),
	} {
		c := one(t, schema)
		for _, d := range []format.Tags{{}, {Open: "_a", Close: "-a"}, {Open: "::", Close: "//"}} {
			g := newGrammar(t, c, Options{Tags: d})
			if n := len(g.GBNF()); n > 2000+40*len(schema) {
				t.Errorf("%s: %d bytes of schema become %d", name, len(schema), n)
			}
			checkShape(t, g)
			r := random(7)
			for i := range min(60, max(1, *samples/80)) {
				text := g.Sample(r, i*i/4)
				if i%10 == 0 && !match(g, text) {
					t.Errorf("%s: %.200q is a sample and not derived", name, text)
				}
				checkReads(t, c, reading{tags: d}, text)
			}
		}
	}
}

// A grammar derives exactly the numbers in the range, as plain decimals.
func TestRanges(t *testing.T) {
	r := random(7)
	value := func() float64 {
		v := float64(r.IntN(2000)-1000) / math.Pow10(r.IntN(4))
		switch r.IntN(4) {
		case 0:
			v *= math.Pow10(r.IntN(16) - 8)
		case 1:
			v = math.Trunc(v)
		}
		return v + 0 // not -0
	}
	count := make(map[bool]int)
	for range 100 {
		low, high := value(), value()
		if low > high {
			low, high = high, low
		}
		bounds, _ := json.Marshal(map[string]any{
			[]string{"minimum", "exclusiveMinimum", "x"}[r.IntN(3)]: low,
			[]string{"maximum", "exclusiveMaximum", "y"}[r.IntN(3)]: high,
			"type": "number",
		})
		c := one(t, `{"type":"object","properties":{"n":`+string(bounds)+`},"required":["n"]}`)
		g := newGrammar(t, c, Options{Required: true, Last: true})
		if len(g.Notes()) > 0 {
			continue // the range is empty
		}
		typ := c.Tools()[0].Args.Fields[0].Type
		for range 40 {
			v := []float64{value(), value(), low, high, low + r.Float64()*(high-low)}[r.IntN(5)]
			text := strconv.FormatFloat(v, 'f', -1, 64)
			if _, fraction, _ := strings.Cut(text, "."); len(fraction) > maxFraction || text == "-0" {
				continue
			}
			want := typ.Accepts([]byte(text))
			count[want]++
			if got := matchCall(g, "<call>t n="+text+"</call>"); got != want {
				t.Fatalf("%s: %s: %t", bounds, text, got)
			}
		}
		for range 20 {
			for _, s := range checkReads(t, c, wire, g.Sample(r, 60)) {
				if !c.Tools()[0].Args.Accepts(s.Call.Input) {
					t.Fatalf("%s: %s", bounds, s.Call.Input)
				}
			}
		}
	}
	if count[true] < 500 || count[false] < 500 {
		t.Errorf("numbers are in a range, or not: %v", count)
	}
}

// flat is a schema with many kinds of values, none nested in its own kind.
const flat = `{"type":"object","properties":{
	"s":{"type":"string"},"n":{"type":"number"},"i":{"type":"integer","minimum":-5,"maximum":117},"e":{"enum":["a b","x","it's",7,null]},
	"l":{"type":"array","items":{"type":"string","maxLength":3}},"d":{"type":"string","format":"date"},"p":{"type":"string","pattern":"^[a-z]+/é?$"},
	"o":{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":["string","boolean"]}}}},"required":["s"]}`

// A regular expression matches what the grammar derives.
func TestRegex(t *testing.T) {
	for _, d := range []format.Tags{{}, {Open: "<<", Close: ">>"}, {Open: "(*aab", Close: "$^"}, {Open: "<" + strings.Repeat("{", 25), Close: ">" + strings.Repeat("}", 25)}} {
		for _, o := range []Options{{}, {Required: true}, {Required: true, Last: true}, {Last: true}} {
			o.Tags = d
			g := newGrammar(t, one(t, flat), o)
			text, err := g.Regex()
			if err != nil {
				t.Fatalf("%+v: %v", o, err)
			}
			re := regexp.MustCompile(text)
			r := random(1)
			for i := range 300 {
				text := g.Sample(r, i)
				if !re.MatchString(text) {
					t.Fatalf("%q is not matched by %s", text, re)
				}
				if text = fuzz.Near(r, text); re.MatchString(text) != match(g, text) {
					t.Fatalf("%q: %t, by %s", text, !match(g, text), re)
				}
			}
		}
	}
	if text, err := newGrammar(t, one(t, `{"type":"object","properties":{"v":{}}}`), Options{}).Regex(); !errors.Is(err, errNotFlat) {
		t.Errorf("%s, %v", text, err)
	}
}
