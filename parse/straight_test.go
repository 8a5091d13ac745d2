package parse

import (
	"testing"

	"github.com/callwire/callwire/sig"
)

// What is lost of the straight way costs no correctness, and so no other test
// notices: these say by which way each argument is read.

const straightTools = `[
	{"name":"t","inputSchema":{"type":"object","properties":{
		"a":{"type":"string"},"b":{"type":"integer"},"c":{"type":"array","items":{"type":"string"}},
		"d":{"type":"object","properties":{"e":{"type":"string"},"f":{"type":"object","properties":{"g":{"type":"boolean"},"h":{}}},"i":{"type":"number"}}},
		"j":{"enum":["x","y",1]}}}},
	{"name":"dotted","inputSchema":{"type":"object","properties":{"d":{"type":"object","properties":{"e":{"type":"string"}}},"d.e":{"type":"string"}}}},
	{"name":"u"},
	{"name":"exactly8"},
	{"name":"aNameOfMoreThanSixteen"}]`

// inCall returns a parser behind the opener of text, and what is ahead of it.
func inCall(t *testing.T, options Options, text string) (*Parser, []byte) {
	t.Helper()
	catalog, err := sig.Compile(straightTools)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewParser(catalog, options)
	if err != nil {
		t.Fatal(err)
	}
	p.Feed([]byte(text))
	if _, opened := p.lex.Jump(); !opened {
		t.Fatalf("%q begins no call", text)
	}
	p.begin(p.lex.Start())
	w, _ := p.lex.Ahead()
	return p, w
}

func TestKnown(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
	}{
		{"<call>t a=1</call>", 1},
		{"<call>u</call>", 1},
		{"<call>exactly8 a=1</call>", 8},
		{"<call>exactly8</call>", 8},
		{"<call>aNameOfMoreThanSixteen a=1</call>", 22},
		{"<call>aNameOfMoreThanSixteen</call>", 22},
		{"<call>exactly8", 0}, // more may come
		{"<call>exactly8<", 0},
		{"<call>t<b></call>", 0},
		{"<call>t\na=1</call>", 0}, // left to those who read on
		{"<call>té a=1</call>", 0},
		{"<call>other a=1</call>", 0},
	} {
		p, w := inCall(t, Options{}, c.text)
		tool, n := p.known(w)
		if tool == nil {
			n = 0
		}
		if n != c.n {
			t.Errorf("%q: %d bytes are a name, want %d", c.text, n, c.n)
		}
		if n > 0 && tool.Name != c.text[6:6+n] {
			t.Errorf("%q: %s", c.text, tool.Name)
		}
	}
	options := Options{}
	options.Limits.Name = 8
	p, w := inCall(t, options, "<call>exactly8 a=1</call>")
	if tool, _ := p.known(w); tool == nil {
		t.Error("a name as long as the limit is not known")
	}
	p, w = inCall(t, options, "<call>aNameOfMoreThanSixteen a=1</call>")
	if tool, _ := p.known(w); tool != nil {
		t.Error("a name beyond the limit is known")
	}
}

// ways reads the call in one go, as pairs does. It returns a letter for each
// thing that was done: u for arguments of usual, g for the groups of step, s for
// an argument of single, and a point for the close tag; a question mark where
// none of them reads on.
func ways(t *testing.T, options Options, text string) string {
	p, w := inCall(t, options, text)
	at := p.lex.NameEnd(w)
	if at == 0 {
		t.Fatalf("%q has no name", text)
	}
	if p.called(p.lex.Offset(), p.lex.Offset()+at, nil) != StartPart {
		t.Fatalf("%q does not start", text)
	}
	for s := ""; ; {
		next, closed := p.usual(w, at)
		if next > at {
			s += "u"
		}
		at = next
		if !closed && p.step(w, at) {
			s += "g"
			continue
		}
		key := p.lex.SpaceEnd(w, at)
		if closed || p.lex.Closes(w, key) {
			return s + "."
		}
		eq, dots := p.lex.PathEnd(w, key)
		if eq == 0 {
			return s + "?"
		}
		end := p.single(w, key, eq, dots)
		if end == 0 {
			return s + "?"
		}
		s += "s"
		at = end
	}
}

func TestWays(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		// In the order of the schema.
		{`t`, "."},
		{`t a=x`, "u."},
		{`t a=x b=1`, "u."},
		{`t a="x y" b=-12 c=["p","q"]`, "u."},
		{`t a='x' b=1 c=[p, q]`, "u."},
		{`t a="x" b=4.0`, "u."},
		{`t a="it's \"q\" é"`, "u."},

		// Groups begin, go on and end.
		{`t a=x b=1 c=["p"] d.e=y`, "ugu."},
		{`t a=x b=1 c=["p"] d.e=y d.f.g=true d.f.h=z d.i=1.5 j=x`, "ugugugugu."},
		{`t a=x b=1 c=["p"] d.e=y j=x`, "ugugu."},

		// Out of order, with properties left out, behind odd blanks.
		{`t b=1`, "s."},
		{`t b=1 a=x`, "ss."},
		{`t a=x j=y`, "us."},
		{`t  a=x`, "s."},
		{"t\na=x b=1", "su."},
		{`t a=x d.e=y`, "us."},
		{`t a=x d.e=y d.f.g=true d.f.h=z d.i=1.5 j=x`, "usgugugu."},
		{`t a=x other=1 an.other=2`, "us?"},
		{`t d.i=1 d.e=x`, "ss."},
		{`t d.f.h=1 a=x`, "ss."},

		// Nothing is known of the arguments.
		{`u a=x`, "s."},
		{`u a=x b="y z" c=1 d=true`, "ssss."},
		{`u a.b=x a.c=1`, "?"},

		// Questions.
		{`t b=x`, "?"},
		{`t a=x b=x`, "u?"},
		{`t a=x a=y`, "u?"},
		{`t j=z`, "?"},
		{`t a=x j=1`, "u?"}, // a number in an enum
		{"t a=x\n", "?"},
		{`t b="1"`, "?"},
		{`t a="\d"`, "?"},
		{`t d.e=x a=y d.i=1`, "ss?"},
		{`dotted d.e=x`, "?"},
	} {
		text := "<call>" + c.body + "</call>"
		if got := ways(t, Options{}, text); got != c.want {
			t.Errorf("{`%s`, %q},", c.body, got)
		}
	}
}

// What none of these ways reads, because of the blanks around it, is still read
// without a token, and leaves little to be reset, unless there is a question.
func TestPlain(t *testing.T) {
	for _, c := range []struct {
		body  string
		plain bool
	}{
		{"t\ta=x\tb=12\t", true},
		{"t\ta=\"x y\"\t", true},
		{"t\ta='x \"y'\t", true},
		{"t\tc=[p, 'q', \"r\"]\t", true},
		{"t\td.e=x\t", true},
		{"t\ta=\"\\d\"\t", false},
		{"t\tb=x\t", false},
		{"t\tc=[1]\t", false},
	} {
		p, _ := inCall(t, Options{}, "<call>"+c.body+"</call>")
		for part := p.Next(); part != CallPart; part = p.Next() {
			if part == NoPart {
				t.Fatalf("%q is no call", c.body)
			}
		}
		if p.plain != c.plain {
			t.Errorf("%q: plain is %t", c.body, p.plain)
		}
	}
}
