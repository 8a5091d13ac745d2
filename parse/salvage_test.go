package parse_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Every repair of the table is made on its example, by its name, and reads it as the
// table says.
func TestRepairs(t *testing.T) {
	catalog := compiled(t, `[
		{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":["string","integer","boolean"]},"b":{"type":["string","integer"]}},"additionalProperties":false}},
		{"name":"u","inputSchema":{"type":"object","properties":{}}}]`)
	decided, err := os.ReadFile("../spec/decisions.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range parse.Repairs() {
		got := parse.Options{Salvage: true}.Text(r.Reads, catalog)
		want := parse.Text(r.As, catalog)
		if len(got) == 0 || got[0].Kind != parse.Call || got[0].Name != want[0].Name || string(got[0].Input) != string(want[0].Input) {
			t.Errorf("%s: %+v", r.Reads, got)
			continue
		}
		named := false
		for _, is := range got[0].Issues {
			named = named || is.Code == lexer.Repaired && is.Path == r.Name
		}
		if !named {
			t.Errorf("%s: %+v, want the repair %s", r.Reads, got[0].Issues, r.Name)
		}
		if segs := (parse.Options{Salvage: true, Strict: true}).Text(r.Reads, catalog); segs[0].Kind == parse.Call && string(segs[0].Input) == string(want[0].Input) {
			t.Errorf("%s is read under Strict", r.Reads)
		}
		if !strings.Contains(string(decided), "`"+r.Name+"`") {
			t.Errorf("nothing is decided of %s", r.Name)
		}
	}
}

// Strict, nothing is doubted: the writer writes such values bare.
func TestStrictDoubtsNothing(t *testing.T) {
	catalog := compiled(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}}]`)
	for _, text := range []string{`<call>t a=v, b=x</call>`, `<call>t a=v;</call>`, `<call>t a=“v”</call>`} {
		want := parse.Options{Strict: true}.Text(text, catalog)
		got := parse.Options{Strict: true, Salvage: true}.Text(text, catalog)
		if len(got) != 1 || got[0].Kind != parse.Call || string(got[0].Input) != string(want[0].Input) || len(got[0].Issues) > 0 {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// The marks of a block or a list in YAML are no part of a value, so that such a call is
// told; words that begin as they do are a value.
func TestBlocksAreNoWords(t *testing.T) {
	catalog := compiled(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}}]`)
	for value, want := range map[string]parse.Kind{
		"|\n  x y": parse.Malformed, "|-\n  x": parse.Malformed, ">\n  x": parse.Malformed, ">2-\n  x": parse.Malformed, "\n  - x": parse.Malformed,
		"x y": parse.Call, "-x y": parse.Call, "x\n- y": parse.Call, "|x| y": parse.Call, ">x y": parse.Call,
	} {
		got := parse.Options{Salvage: true}.Text("<call>t\na: "+value+"\n</call>", catalog)
		if len(got) != 1 || got[0].Kind != want {
			t.Errorf("%q: %+v", value, got)
		}
	}
}

// A quoted value is beyond doubt, whatever it holds and wherever the call ends.
func TestQuotedIsBeyondDoubt(t *testing.T) {
	for _, text := range []string{"<call>t a='x,b=2' </call>", "<call>t a='x,b=2'\n</call>", "<call>t a={b:'x,c=2'} </call>"} {
		for _, size := range []int{1, len(text)} {
			p, err := parse.NewParser(nil, parse.Options{Salvage: true})
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i < len(text); i += size {
				p.Feed([]byte(text[i : i+size]))
				for p.Next() != parse.NoPart {
				}
			}
			if s := p.Segment(); s.Kind != parse.Call || len(s.Issues) > 0 {
				t.Errorf("%q: %+v", text, s)
			}
		}
	}
}

// Commas in a word separate arguments perhaps, whatever the values are; in most URLs none
// does.
func TestCommasAreDoubtful(t *testing.T) {
	for text, want := range map[string]string{
		"<call>t a=x,b=y</call>":             "[doubtful]",
		"<call>t a=x,b=12:30</call>":         "[doubtful]",
		"<call>t a=12:30,b=y</call>":         "[doubtful]",
		"<call>t a=http://x/?b=1,2</call>":   "[]",
		"<call>t a=x,y:z</call>":             "[]",
		"<call>t a=x==y,b=z</call>":          "[doubtful]",
		"<call>t a=http://x/?b=1,c=2</call>": "[doubtful]",
	} {
		segs := parse.Options{Salvage: true}.Text(text, nil)
		codes := []lexer.Code{}
		for _, i := range segs[0].Issues {
			codes = append(codes, i.Code)
		}
		if got := fmt.Sprint(codes); segs[0].Kind != parse.Call || got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Words without quotes are one string only where the schema allows any.
func TestWordsOfOtherTypes(t *testing.T) {
	for schema, want := range map[string]parse.Kind{`{"type":"string"}`: parse.Call, `{"type":"integer"}`: parse.Malformed, `{"enum":["x y","z"]}`: parse.Malformed, `{"type":["string","array"]}`: parse.Malformed} {
		catalog := compiled(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"a":`+schema+`},"additionalProperties":false}}]`)
		if got := (parse.Options{Salvage: true}).Text("<call>t a=x y</call>", catalog); len(got) != 1 || got[0].Kind != want {
			t.Errorf("%s: %+v", schema, got)
		}
	}
}

// An apostrophe between letters is no quote, be they the first and the last of the alphabet.
func TestApostrophes(t *testing.T) {
	catalog := compiled(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}}]`)
	for value, want := range map[string]parse.Kind{"l'ami": parse.Call, "Z'A z'z": parse.Call, "é'é": parse.Call, "rock 'n roll": parse.Malformed, "@'a": parse.Malformed, "a'{": parse.Malformed} {
		got := parse.Options{Salvage: true}.Text("<call>t <a>"+value+"</a></call>", catalog)
		if len(got) != 1 || got[0].Kind != want || want == parse.Call && string(got[0].Input) != `{"a":"`+value+`"}` {
			t.Errorf("%q: %+v", value, got)
		}
	}
}

// A value that is empty may be the last thing in a chunk.
func TestSalvageOfEmptyValues(t *testing.T) {
	for _, text := range []string{"<call>tool key= a=1</call>", "<call>tool key= </call>"} {
		o := parse.Options{Salvage: true}
		want := o.Text(text, nil)
		for cut := range text {
			p, err := parse.NewParser(nil, o)
			if err != nil {
				t.Fatal(err)
			}
			for _, chunk := range []string{text[:cut], text[cut:]} {
				p.Feed([]byte(chunk))
				for p.Next() != parse.NoPart {
				}
			}
			if s := p.Segment(); len(want) != 1 || s.Kind != parse.Call || string(s.Input) != string(want[0].Input) || len(s.Issues) != len(want[0].Issues) {
				t.Errorf("%q and %q: %+v, want %+v", text[:cut], text[cut:], s, want)
			}
		}
	}
}

// A call that was open when its message broke off is never repaired, and one that
// ends with it only where nothing can follow.
func TestSalvageOfTruncated(t *testing.T) {
	catalog := compiled(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"additionalProperties":false}}]`)
	for text, whole := range map[string]bool{
		`<call>t {"a":"x"}`:       true,
		`<call>t a="x" b="y"`:     true,
		`<call>t a="x"`:           false,
		`<call>t a="x" b=y`:       false,
		`<call>t {"a":"x"`:        false,
		`<call>t a = "x"`:         false,
		`<call>t(a="x", b="y"`:    false,
		`<call t a="x" b="y"`:     false,
		`<call>t a="x" b="y"</ca`: false,

		`<call>t a="x"</tool_call>`: true,
	} {
		for _, abort := range []bool{false, true} {
			p, err := parse.NewParser(catalog, parse.Options{Salvage: true})
			if err != nil {
				t.Fatal(err)
			}
			p.Feed([]byte(text))
			calls := 0
			read := func() {
				for part := p.Next(); part != parse.NoPart; part = p.Next() {
					if part == parse.CallPart {
						calls++
					}
				}
			}
			read()
			if abort {
				p.Abort()
			} else {
				p.Close()
			}
			read()
			if (calls == 1) != (whole && !abort) {
				t.Errorf("%s: %d calls, aborted %t", text, calls, abort)
			}
		}
	}
}

// Well-formed calls cost no allocation under Salvage either.
func TestSalvageAllocatesNothing(t *testing.T) {
	p, err := parse.NewParser(nil, parse.Options{Salvage: true})
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(`Hi. <call>t a=x b="y z" c=[1,2]</call> and <call>u d=1</call>`)
	read := func() {
		p.Reset()
		p.Feed(text)
		for p.Next() != parse.NoPart {
		}
		p.Close()
		for p.Next() != parse.NoPart {
		}
	}
	read()
	if n := testing.AllocsPerRun(100, read); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// The work on damage is linear: twice as much of it takes at most thrice the memory,
// whatever it is made of.
func TestSalvageIsLinear(t *testing.T) {
	catalog := compiled(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}}]`)
	for _, unit := range []string{"a = x ", "x ", "a=x, ", ",", "a:", `"a"`, "&quot;", "<a>x</a>", `a="""`, "[", "--a ", "b=1,a=", "((", "`x` "} {
		cost := func(n int) float64 {
			text := "<call>t a = " + strings.Repeat(unit, n) + "</call>"
			o := parse.Options{Salvage: true, Limits: lexer.Limits{Arguments: 1 << 20}}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			o.Text(text, catalog)
			runtime.ReadMemStats(&after)
			return float64(after.TotalAlloc - before.TotalAlloc)
		}
		if small, large := cost(2000), cost(4000); large > 3*small+1<<16 {
			t.Errorf("%q: %v bytes, and for twice as much %v", unit, small, large)
		}
	}
}

func compiled(t *testing.T, tools string) *sig.Catalog {
	t.Helper()
	c, err := sig.Compile(tools)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A null is read as left out wherever it stands: also after a path has gone back into a
// group, or has led to what is not declared.
func TestNullAfterAnyPath(t *testing.T) {
	catalog := schemaCatalog(t, `{"properties":{"a":{"properties":{"x":{"type":"integer"},"y":{"type":"integer"}}},"b":{"type":"integer"},"n":{"type":"integer"}},"additionalProperties":{}}`)
	for text, want := range map[string]string{
		"<call>t a.x=1 b=1 n=null</call>":       `{"a":{"x":1},"b":1}`,
		"<call>t a.x=1 b=1 a.y=2 n=null</call>": `{"a":{"x":1,"y":2},"b":1}`,
		"<call>t c.x=1 n=null</call>":           `{"c":{"x":1}}`,
		"<call>t a.x=1 n=null b=1 a.y=2</call>": `{"a":{"x":1,"y":2},"b":1}`,
	} {
		segs := parse.Options{Salvage: true}.Text(text, catalog)
		if len(segs) != 1 || string(segs[0].Input) != want {
			t.Errorf("%s: %s, want %s", text, segs[0].Input, want)
		}
	}
}

// What looks like a near miss at first and is none has no say in where the damage of a
// later call ends.
func TestNearMissThatIsNone(t *testing.T) {
	for _, before := range []string{"<call\n`", "<CALL a ", "<call \x00"} {
		text := before + "<call>t/> and </call>"
		segs := parse.Options{Salvage: true}.Text(text, nil)
		if n := len(segs) - 1; n != 1 || segs[n].Start != len(before) || segs[n].End != len(text) {
			t.Errorf("%q: %v", text, segs)
		}
	}
}
