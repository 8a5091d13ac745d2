package constrain

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/callwire/callwire/fuzz"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/unseen"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

func TestModes(t *testing.T) {
	c := compile(t, `[{"name":"a","inputSchema":{"type":"object","properties":{}}},{"name":"ab","inputSchema":{"type":"object","properties":{}}}]`)
	texts := []string{"", "Hi.", "<call>a</call>", "Hi <<call>ab</call> and <call>a</call>.", "<call>a</call> there", "<call>ab</call><call>ab</call>", "<call>b</call>", "<call>", "half <cal"}
	for _, test := range []struct {
		o    Options
		want string // y or n for each text
		lark string // the start rule
	}{
		{Options{}, "yyyyyynny", `(T_OPEN r_call "</call>")* T_PROSE?`},
		{Options{Required: true}, "nnyyyynnn", `(T_OPEN r_call "</call>")+ T_PROSE?`},
		{Options{Last: true}, "yyynnnnny", `(T_OPEN r_call "</call>" | T_PROSE)?`},
		{Options{Required: true, Last: true}, "nnynnnnnn", `T_OPEN r_call "</call>"`},
		{Options{Tools: []string{"ab"}}, "yynnnynny", `(T_OPEN r_call "</call>")* T_PROSE?`},
		{Options{Required: true, Tools: []string{"a"}, Last: true}, "nnynnnnnn", `T_OPEN r_call "</call>"`},
		{Options{Bare: true}, "ynynnynnn", `("<call>" r_call "</call>")*`},
		{Options{Bare: true, Last: true}, "ynynnnnnn", `("<call>" r_call "</call>")?`},
		{Options{Bare: true, Required: true}, "nnynnynnn", `("<call>" r_call "</call>")+`},
		{Options{Bare: true, Required: true, Last: true}, "nnynnnnnn", `"<call>" r_call "</call>"`},
	} {
		g := newGrammar(t, c, test.o)
		for i, text := range texts {
			if want := test.want[i] == 'y'; match(g, text) != want {
				t.Errorf("%+v: %q: %t", test.o, text, !want)
			}
		}
		if start, _, _ := strings.Cut(g.Lark(), "\n"); start != "start: "+test.lark {
			t.Errorf("%+v: %s", test.o, start)
		}
		if whole := strings.Contains(string(g.StructuralTag()), `"format":{"type":"grammar"`); whole != test.o.Bare {
			t.Errorf("%+v: %s", test.o, g.StructuralTag())
		}
		checkShape(t, g)
	}
}

// The tags around all calls are where the writer writes them.
func TestSection(t *testing.T) {
	c := compile(t, ping)
	text, err := parse.FormatCall(c, "ping", []byte(`{"n":1}`), &parse.FormatOptions{Format: format.KimiK2})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		o := Options{Format: format.KimiK2, Required: i&1 > 0, Last: i&2 > 0, Bare: i&4 > 0}
		g := newGrammar(t, c, o)
		if !match(g, text) || match(g, text+text) != (!o.Last && !o.Bare) {
			t.Errorf("%+v: %s", o, g.GBNF())
		}
	}
}

const ping = `[{"name":"ping","inputSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":1,"maximum":9}},"required":["n"]}}]`

func TestFormats(t *testing.T) {
	tags := format.Tags{Open: "<<", Close: ">>"}
	g := newGrammar(t, compile(t, ping), Options{Required: true, Last: true, Tags: tags})
	none := newGrammar(t, nil, Options{Tags: tags})
	const call = "call-ping ::= \" n=\" integer\ninteger ::= [1-9]\n"
	const rules = "root ::= prose?\nprose ::= \"<\" prose-2 | [^<] prose-3\nprose-2 ::= ([^<] prose-3)?\nprose-3 ::= (\"<\" prose-2 | [^<] prose-3)?\n"
	for _, c := range [][2]string{
		{g.GBNF(), "root ::= open call \">>\"\nopen ::= \"<\" (\"<\" | [^<] open) | [^<] open\ncall ::= \"ping\" call-ping\n" + call},
		{string(g.StructuralTag()), `{"type":"structural_tag","format":{"type":"triggered_tags","triggers":["<<"],"tags":[{"type":"tag","begin":"<<","content":{"type":"grammar","grammar":` +
			quote("root ::= \"ping\" call-ping\n"+call) + `},"end":">>"}],"at_least_one":true,"stop_after_first":true}}`},
		{g.Lark(), "start: T_OPEN r_call \">>\"\nT_OPEN: /(?:<[^<]|[^<])*<</\nr_call: \"ping\" r_call_ping\nr_call_ping: \" n=\" T_INTEGER\nT_INTEGER: /[1-9]/\n"},
		{none.GBNF(), rules},
		{string(none.StructuralTag()), `{"type":"structural_tag","format":{"type":"grammar","grammar":` + quote(rules) + `}}`},
		{none.Lark(), "start: T_PROSE?\nT_PROSE: /(?:<[^<]|[^<])(?:<[^<]|[^<])*<?|</\n"},
	} {
		if c[0] != c[1] {
			t.Errorf("%s\nwant %s", c[0], c[1])
		}
	}
	if text, err := none.Regex(); err != nil || !regexp.MustCompile(text).MatchString("a < b <") || regexp.MustCompile(text).MatchString("<<") {
		t.Errorf("%s, %v", text, err)
	}
}

func TestErrors(t *testing.T) {
	c := compile(t, `[{"name":"t"},{"name":"no name"},{"name":"never","inputSchema":{"type":"object","properties":{"a":false},"required":["a"]}},
		{"name":"endless","inputSchema":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"required":["n"],"$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"required":["n"]}}}}]`)
	for _, test := range []struct {
		c    *sig.Catalog
		o    Options
		want error
	}{
		{c, Options{Tools: []string{"x"}}, ErrUnknownTool},
		{c, Options{Tools: []string{"no name"}, Required: true}, errNoTool},
		{c, Options{Tools: []string{"never"}, Required: true}, errNoTool},
		{c, Options{Tools: []string{"endless"}, Required: true}, errNoTool},
		{nil, Options{Required: true}, errNoTool},
		{nil, Options{Format: format.MorphXML}, errNoGrammar},
		{nil, Options{Format: format.DeepSeekV31}, errNoGrammar},
		{nil, Options{Tags: format.Tags{Open: "<<", Close: "-5"}}, errNoGrammar},
		{nil, Options{Format: format.Hermes, Tags: format.Tags{Open: "«", Close: "</tool_call>"}}, errNoGrammar},
		{nil, Options{Format: format.Hermes, Tags: format.Tags{Open: "<tool_call>", Close: "»"}}, errNoGrammar},
	} {
		if _, err := New(test.c, test.o); !errors.Is(err, test.want) {
			t.Errorf("%+v: %v", test.o, err)
		}
	}
	var bad *format.Error
	if _, err := New(c, Options{Tags: format.Tags{Open: "a", Close: "b"}}); !errors.As(err, &bad) {
		t.Error(err)
	}
	own := *format.Wire
	own.Call = format.Tags{Open: "[[", Close: "]]"}
	if _, err := New(c, Options{Format: &own}); !errors.As(err, &bad) {
		t.Error(err)
	}
	g := newGrammar(t, c, Options{})
	var left []string
	for _, n := range g.Notes() {
		if n.Kind == leftOut {
			left = append(left, n.Tool+" "+n.Keyword)
		}
	}
	if got := strings.Join(left, ", "); got != "no name name, never required, endless required" || !match(g, "<call>t</call>") {
		t.Errorf("%s\n%s", got, g.GBNF())
	}
}

// FreeKeys allows more free names, which a model may then repeat.
func TestFreeKeys(t *testing.T) {
	c := one(t, `{"type":"object","properties":{"m":{"type":"object"},"v":{}}}`)
	few, some := newGrammar(t, c, Options{}), newGrammar(t, c, Options{FreeKeys: 3})
	for text, want := range map[string][2]bool{
		`<call>t m.a=1</call>`:                             {true, true},
		`<call>t m.a=1 m.b=2 m.c=3</call>`:                 {false, true},
		`<call>t m.a=1 m.b=2 m.c=3 m.d=4</call>`:           {false, false},
		`<call>t m={"a":1, "b":2}</call>`:                  {false, true},
		`<call>t v=[{"a":{"b":1,"c":2},"d":[]}]</call>`:    {false, true},
		`<call>t v=[{"a":1,"b":2,"c":3,"d":4}]</call>`:     {false, false},
		`<call>t {"m":{"a":1},"v":{"b":[{"c":1}]}}</call>`: {true, true},
	} {
		if matchCall(few, text) != want[0] || matchCall(some, text) != want[1] {
			t.Errorf("%s: %t, %t", text, matchCall(few, text), matchCall(some, text))
		}
	}
}

// A Grammar that New did not make derives prose.
func TestZero(t *testing.T) {
	for _, g := range []*Grammar{nil, {}, newGrammar(t, nil, Options{}), newGrammar(t, compile(t, "[]"), Options{})} {
		regex, err := g.Regex()
		if err != nil || !match(g, "prose <cal") || match(g, "<call>t</call>") || len(g.Notes()) > 0 {
			t.Errorf("%v is not the grammar of prose:\n%s", g, g.GBNF())
		}
		if !strings.Contains(string(g.StructuralTag()), "prose") || len(regex) == 0 || !match(g, g.Sample(random(1), 3)) {
			t.Error("there is no other format of it")
		}
	}
}

// ruleLine matches every line of GBNF. Engines disagree on syntax that it does not
// match.
var ruleLine = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]* ::= ("(\\["\\n]|\\u[0-9a-f]{4}|\\U[0-9a-f]{8}|[^"\\\x00-\x1f\x7f])*"|\[\^?([!#-,./0-Z_a-~:-@]|\\u00[0-7][0-9a-f]|-)+\]|[A-Za-z][A-Za-z0-9-]*|[()|?*+ ]|\{[0-9]+(,[0-9]*)?\})+$`)

// Equal catalogs have equal grammars, byte for byte, in syntax on which engines agree, and
// with what is invisible escaped.
func TestPortable(t *testing.T) {
	all := fuzz.Catalogs(t)
	const hidden = `a\u202e\u2028\u0085\ufeff\ufe0f\udb40\udc41\udb40\udd00b`
	all["hidden"] = compile(t, `[{"name":"t`+hidden+`","inputSchema":{"type":"object","properties":{"k`+hidden+`":{"const":"`+hidden+`"},"p":{"type":"string","pattern":"^x`+hidden+`[ab]+$"}},"required":["k`+hidden+`"]}}]`)
	all["hostile"] = compile(t, []sig.Tool{{Name: "é\u2028😀", Schema: json.RawMessage(`{"type":"object","properties":{"\"\\\n":{"enum":["\u0000\u0007f","\\xff","[^]-]","é\u2028\U0001f600"]},"a":{"type":"string","pattern":"^[\\]^\\\\-]*$"}}}`)}})
	for name, c := range all {
		g := newGrammar(t, c, Options{})
		if newGrammar(t, c, Options{}).GBNF() != g.GBNF() {
			t.Fatalf("%s has several grammars", name)
		}
		names := make(map[string]bool)
		for line := range strings.Lines(g.GBNF()) {
			if line = strings.TrimSuffix(line, "\n"); !ruleLine.MatchString(line) {
				t.Errorf("%s: %s", name, line)
			}
			rule, _, _ := strings.Cut(strings.ToLower(line), " ")
			if names[rule] {
				t.Errorf("%s: %s twice", name, rule)
			}
			names[rule] = true
		}
		if !names["root"] {
			t.Errorf("%s: no root", name)
		}
		checkShape(t, g)
		regex, err := g.Regex()
		if err != nil && name == "hidden" {
			t.Fatal(err)
		}
		last := map[string]rune{"Lark": 0xffff, "regex": 0xff} // that has an escape
		for syntax, text := range map[string]string{"GBNF": g.GBNF(), "Lark": g.Lark(), "tag": string(g.StructuralTag()), "regex": regex} {
			most, some := last[syntax]
			for _, r := range text {
				if r != '\n' && unseen.Is(r) && (!some || r <= most) {
					t.Errorf("%s shows %U as it is:\n%q", syntax, r, text)
					break
				}
			}
		}
	}
}

// Tools with the same name become one, and all of 5,000 tools are there.
func TestManyTools(t *testing.T) {
	tools := []sig.Tool{
		{Name: "t", Schema: []byte(`{"type":"object","properties":{"a":{"type":"integer"}}}`)},
		{Name: "t", Schema: []byte(`{"type":"object","properties":{"b":{"type":"integer"}}}`)},
	}
	for i := range 5000 {
		tools = append(tools, sig.Tool{Name: fmt.Sprintf("t%xt", i*i), Schema: []byte(`{"type":"object","properties":{}}`)})
	}
	g := newGrammar(t, compile(t, tools), Options{})
	for i := 2; i < len(tools); i += 250 {
		if !matchCall(g, "<call>"+tools[i].Name+"</call>") {
			t.Error(tools[i].Name)
		}
	}
	if !matchCall(g, "<call>t a=1</call>") || matchCall(g, "<call>t b=1</call>") {
		t.Error("the first tool of a name counts")
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
	cost := func(n int) (size int, allocs float64) {
		c := many(t, n)
		allocs = testing.AllocsPerRun(1, func() { size = len(newGrammar(t, c, Options{}).GBNF()) })
		return size, allocs
	}
	size, allocs := cost(n)
	twice, twiceAllocs := cost(2 * n)
	if twice > 2*size+size/10 || twiceAllocs > 2.2*allocs {
		t.Errorf("%d bytes and %.0f allocations for %d tools, %d and %.0f for twice as many", size, allocs, n, twice, twiceAllocs)
	}
}

func BenchmarkNew(b *testing.B) {
	c := many(b, 500)
	for b.Loop() {
		newGrammar(b, c, Options{})
	}
}
