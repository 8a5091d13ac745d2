package constrain

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/sig"
)

const ping = `[{"name":"ping","inputSchema":{"type":"object","properties":{"host":{"type":"string"},"n":{"type":"integer","minimum":1,"maximum":9}},"required":["host"]}}]`

func TestFormats(t *testing.T) {
	g := newGrammar(t, compile(t, ping), Options{Required: true, Last: true, Tags: format.Tags{Open: "<<", Close: ">>"}})
	call := `call-ping ::= " host=" value (" n=" integer)?
value ::= word | double | single
integer ::= [1-9]
word ::= [^\u0000-\u0020\u0022'<>\u005b{\u007f] [^\u0000-\u0020\u0022'<>\u007f]*
double ::= "\"" double-rest
single ::= "'" single-rest
double-rest ::= "\"" | [^\u0000-\u001f\u0022\u005c\u007f] double-rest | "\\" escape double-rest
single-rest ::= "'" | [^\u0000-\u001f'\u005c\u007f] single-rest | "\\" escape single-rest
escape ::= [\u0022'/\u005cbfnrt] | "u" ([0-9A-CEFa-cef] [0-9A-Fa-f]{3} | [Dd] [0-7] [0-9A-Fa-f]{2})
`
	want := `root ::= "<" ask | [^<] root
call ::= "ping" call-ping
ask ::= "<" call ">>" | [^<] root
` + call
	if got := g.GBNF(); got != want || g.EBNF() != want {
		t.Errorf("%s", got)
	}
	want = `{"type":"structural_tag","format":{"type":"triggered_tags","triggers":["<<"],"tags":[{"type":"tag","begin":"<<","content":{"type":"grammar","grammar":` +
		quoted("root ::= \"ping\" call-ping\n"+call) + `},"end":">>"}],"at_least_one":true,"stop_after_first":true}}`
	if got := string(g.StructuralTag()); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	want = `start: OPEN r_call ">>"
OPEN: /(?:[^<]|<[^<])*<</
r_call: "ping" r_call_ping
r_call_ping: " host=" r_value (" n=" T_INTEGER)?
r_value: T_WORD | T_DOUBLE | T_SINGLE
T_INTEGER: /[1-9]/
T_WORD: /[^\x00-\x20\x22'<>\x5b{\x7f][^\x00-\x20\x22'<>\x7f]*/
T_DOUBLE: /"(?:[^\x00-\x1f\x22\x5c\x7f]|\\(?:[\x22'\x2f\x5cbfnrt]|u(?:[0-9A-CEFa-cef][0-9A-Fa-f]{3}|[Dd][0-7][0-9A-Fa-f]{2})))*"/
T_SINGLE: /'(?:[^\x00-\x1f'\x5c\x7f]|\\(?:[\x22'\x2f\x5cbfnrt]|u(?:[0-9A-CEFa-cef][0-9A-Fa-f]{3}|[Dd][0-7][0-9A-Fa-f]{2})))*'/
`
	if got := g.Lark(); got != want {
		t.Errorf("%s", got)
	}
}

func TestCustomTool(t *testing.T) {
	g := newGrammar(t, compile(t, ping), Options{Required: true, Last: true})
	if got, want := string(g.CustomTool()), `{"type":"grammar","grammar":{"syntax":"lark","definition":`+quoted(g.Lark())+`}}`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// With Bare there are only calls.
func TestBare(t *testing.T) {
	c := compile(t, `[{"name":"a","inputSchema":{"type":"object","properties":{}}}]`)
	for want, o := range map[string]Options{
		`start: ("<call>" r_call "</call>")+`: {Required: true},
		`start: "<call>" r_call "</call>"`:    {Required: true, Last: true},
		`start: ("<call>" r_call "</call>")*`: {},
		`start: ("<call>" r_call "</call>")?`: {Last: true},
	} {
		o.Bare = true
		g := newGrammar(t, c, o)
		if got := g.Lark(); !strings.HasPrefix(got, want+"\nr_call: ") || strings.Contains(got, "TEXT") {
			t.Errorf("%s\nwant %s", got, want)
		}
		if got, want := string(g.StructuralTag()), `{"type":"structural_tag","format":{"type":"grammar","grammar":`+quoted(g.GBNF())+`}}`; got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
		checkShape(t, g)
		for range 20 {
			if text := g.Sample(random(9), 50); !match(g, text) || strings.Trim(text, "<cal>/") != "" {
				t.Errorf("%q", text)
			}
		}
	}
}

// Without tools there is only prose without openers.
func TestFormatsWithoutTools(t *testing.T) {
	g := newGrammar(t, nil, Options{Tags: format.Tags{Open: "<<", Close: ">>"}})
	const rules = "root ::= (\"<\" prose | [^<] root)?\nprose ::= ([^<] root)?\n"
	if got := g.GBNF(); got != rules {
		t.Errorf("%s", got)
	}
	if got, want := string(g.StructuralTag()), `{"type":"structural_tag","format":{"type":"grammar","grammar":`+quoted(rules)+`}}`; got != want {
		t.Errorf("%s", got)
	}
	if got := g.Lark(); !strings.HasPrefix(got, "start: TEXT?\nTEXT: /") || strings.Contains(got, "OPEN") {
		t.Errorf("%s", got)
	}
	if text, err := g.Regex(); err != nil || !regexp.MustCompile(text).MatchString("a < b <") || regexp.MustCompile(text).MatchString("<<") {
		t.Errorf("%s, %v", text, err)
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
		checkReads(t, c, wire, text)
	}
	if noted(few) == "" || len(few.Notes()) != len(some.Notes()) {
		t.Errorf("%s%s", noted(few), noted(some))
	}
}

func quoted(text string) string {
	return string(encode(text))
}

// ruleLine matches every line of GBNF. Engines disagree on syntax that it does not
// match.
var ruleLine = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]* ::= ("(\\["\\n]|\\u[0-9a-f]{4}|\\U[0-9a-f]{8}|[^"\\\x00-\x1f\x7f])*"|\[\^?([!#-,./0-Z_a-~:-@]|\\u00[0-7][0-9a-f]|-)+\]|[A-Za-z][A-Za-z0-9-]*|[()|?*+ ]|\{[0-9]+(,[0-9]*)?\})+$`)

func TestPortable(t *testing.T) {
	all := catalogs(t)
	all["hostile"] = compile(t, []sig.Tool{{Name: "é\u2028😀", Schema: json.RawMessage(`{"type":"object","properties":{"\"\\\n":{"enum":["\u0000\u0007f","\\xff","[^]-]","é\u2028\U0001f600"]},"a":{"type":"string","pattern":"^[\\]^\\\\-]*$"}}}`)}})
	for name, c := range all {
		g := newGrammar(t, c, Options{})
		names := make(map[string]bool)
		for _, line := range strings.Split(strings.TrimSuffix(g.GBNF(), "\n"), "\n") {
			if !ruleLine.MatchString(line) {
				t.Errorf("%s: %s", name, line)
			}
			rule, _, _ := strings.Cut(line, " ")
			if names[strings.ToLower(rule)] {
				t.Errorf("%s: %s twice", name, rule)
			}
			names[strings.ToLower(rule)] = true
		}
		if !names["root"] {
			t.Errorf("%s: no root", name)
		}
		checkShape(t, g)
	}
}

// checkShape fails for grammars with which engines would loop forever.
func checkShape(t *testing.T, g *Grammar) {
	t.Helper()
	if err := g.Rules().Check(); err != nil {
		t.Error(err)
	}
}
