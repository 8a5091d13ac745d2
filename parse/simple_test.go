package parse

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// What the simple path loses costs no correctness, and so no other test notices:
// these say which path reads each argument.

const simpleTools = `[
	{"name":"t","inputSchema":{"type":"object","properties":{
		"a":{"type":"string"},"b":{"type":"integer"},"c":{"type":"array","items":{"type":"string"}},
		"d":{"type":"object","properties":{"e":{"type":"string"},"f":{"type":"object","properties":{"g":{"type":"boolean"},"h":{}}},"i":{"type":"number"}}},
		"j":{"enum":["x","y",1]}}}},
	{"name":"dotted","inputSchema":{"type":"object","properties":{"d":{"type":"object","properties":{"e":{"type":"string"}}},"d.e":{"type":"string"}}}},
	{"name":"u"},
	{"name":"exactly8"},
	{"name":"aNameOfMoreThanSixteen"}]`

// inCall returns a parser after the opener of text, and what is ahead of it.
func inCall(t *testing.T, options Options, text string) (*Parser, []byte) {
	t.Helper()
	catalog, err := sig.Compile(simpleTools)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewParser(catalog, options)
	if err != nil {
		t.Fatal(err)
	}
	p.Feed([]byte(text))
	w, _, offset := p.lex.Peek()
	n, opened := p.tags.ConsumeSimpleText(w)
	if !opened {
		t.Fatalf("%q begins no call", text)
	}
	p.lex.Discard(n+len(p.tags.Open), lexer.AtName)
	p.begin(offset + n)
	w, _, _ = p.lex.Peek()
	return p, w
}

// ways reads the call in one go, as pairs does. It returns a letter for each argument: u
// for one that expected begins, s for one whose path is searched, and a point for the
// close tag; a question mark where the simple path does not read on.
func ways(t *testing.T, options Options, text string) string {
	p, w := inCall(t, options, text)
	n, _, _ := p.tags.ConsumeNameResumable(w, 0, len(w))
	if n == 0 {
		t.Fatalf("%q has no name", text)
	}
	start := p.seg.Start
	at := len(p.tags.Open) + n
	if p.called(w[:n], start+len(p.tags.Open)) != StartPart {
		t.Fatalf("%q does not start", text)
	}
	w = p.lex.Slice(start, len(text))
	for s := ""; ; {
		key := at + len(w[at:]) - len(strings.TrimLeft(string(w[at:]), " \t\r\n"))
		eq := p.expected(w, key)
		if eq > 0 {
			s += "u"
		} else if p.tags.ClosesAt(w, key) {
			return s + "."
		} else {
			dots := 0
			if eq, dots = p.tags.ConsumeSimplePath(w, key, 64); eq == 0 {
				return s + "?"
			}
			p.argument(start+key, start+eq, dots)
			s += "s"
		}
		out, end, _ := p.simpleValue(p.b.out, p.b.slot, w, eq+1, lexeme.PlainWord)
		if p.b.fault != "" || end == 0 {
			return s + "?"
		}
		p.b.out, at = out, end
	}
}

func TestWays(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		// In the order of the schema.
		{`t`, "."},
		{`t a=x`, "u."},
		{`t a=x b=1`, "uu."},
		{`t a="x y" b=-12 c=["p","q"]`, "uuu."},
		{`t a='x' b=1 c=[p, q]`, "uuu."},
		{`t a="x" b=4.0`, "uu."},
		{`t a="it's \"q\" é"`, "u."},

		// Groups begin, go on and end.
		{`t a=x b=1 c=["p"] d.e=y`, "uuuu."},
		{`t a=x b=1 c=["p"] d.e=y d.f.g=true d.f.h=z d.i=1.5 j=x`, "uuuuuuuu."},
		{`t a=x b=1 c=["p"] d.e=y j=x`, "uuuuu."},

		// Out of order, with properties left out, after odd blanks.
		{`t b=1`, "s."},
		{`t b=1 a=x`, "ss."},
		{`t a=x j=y`, "us."},
		{`t a=x j=1`, "us."}, // a number in an enum
		{`t  a=x`, "u."},
		{"t\na=x b=1", "uu."},
		{`t a=x d.e=y`, "us."},
		{`t a=x d.e=y d.f.g=true d.f.h=z d.i=1.5 j=x`, "usuuuu."},
		{`t a=x other=1 an.other=2`, "uss."},
		{`t d.i=1 d.e=x`, "ss."},
		{`t d.f.h=1 a=x`, "ss."},

		// Nothing is known of the arguments.
		{`u a=x`, "s."},
		{`u a=x b="y z" c=1 d=true`, "ssss."},
		{`u a.b=x a.c=1`, "ss."},

		// Questions.
		{`t b=x`, "s?"},
		{`t a=x b=x`, "uu?"},
		{`t a=x a=y`, "us?"},
		{`t j=z`, "s?"},
		{"t a=x\n", "u."},
		{`t b="1"`, "s?"},
		{`t a="\d"`, "u?"},
		{`t d.e=x a=y d.i=1`, "sss."},
		{`dotted d.e=x`, "s."},
	} {
		text := "<call>" + c.body + "</call>"
		if got := ways(t, Options{}, text); got != c.want {
			t.Errorf("{`%s`, %q},", c.body, got)
		}
	}
}

func TestSimpleList(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t","inputSchema":{"type":"object","properties":{
		"strings":{"type":"array","items":{"type":"string"}},"enum":{"type":"array","items":{"enum":["x","y"]}},
		"pair":{"prefixItems":[{"type":"string"},{"type":"integer"}]},"string":{"type":"string"}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	args := catalog.Lookup([]byte("t")).Args
	p, err := NewParser(catalog, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ property, text, want string }{
		{"", `["a"]`, `["a"]`},
		{"", `["a", "b","c"]`, `["a","b","c"]`},
		{"strings", `["a\n", "é"]`, `["a\n","é"]`},
		{"enum", `["x","y"]`, `["x","y"]`},
		{"pair", `["x"]`, `["x"]`},
		{"pair", `["x",1]`, `["x",1]`},
		{"", `[]`, `[]`},
		{"", `['a']`, `["a"]`},
		{"", `[a]`, `["a"]`},
		{"", `["a", b,1,true]`, `["a","b",1,true]`},
		{"strings", `[a, b-c]`, `["a","b-c"]`},
		{"enum", `[x]`, `["x"]`},

		// Left to the slow path.
		{"strings", `[1]`, ""},
		{"strings", `[a b]`, ""},
		{"", `[a,]`, ""},
		{"", `[,a]`, ""},
		{"", `[é]`, ""},
		{"", `[a`, ""},
		{"", `["a",  "b"]`, ""},
		{"", `[ "a"]`, ""},
		{"", `["a" ]`, ""},
		{"", `["a"`, ""},
		{"", `["a",`, ""},
		{"", `["a", `, ""},
		{"", `[`, ""},
		{"", `["a"}`, ""},
		{"enum", `["x","z"]`, ""},
		{"enum", `["\u0078"]`, ""},
		{"pair", `["x","1"]`, ""},
		{"string", `["x"]`, ""},
	} {
		var typ *sig.Type
		if c.property != "" {
			typ = args.Field([]byte(c.property)).Type
		}
		for _, after := range []string{"", " b=1"} {
			if after != "" && !strings.HasSuffix(c.text, "]") {
				continue
			}
			w := "a=" + c.text + after
			to := 2 + len(c.text)
			if c.want == "" {
				to = 0
			}
			out, end, _ := p.simpleValue([]byte("out"), typ, []byte(w), 2, lexeme.PlainWord)
			if want := "out" + c.want; end != to || end > 0 && string(out) != want {
				t.Errorf("%s %s: %s, the end is %d, want %s and %d", c.property, w, out, end, want, to)
			}
		}
	}
}
