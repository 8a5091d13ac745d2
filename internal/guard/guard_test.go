package guard

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNeutralize(t *testing.T) {
	g := New("<call>", "</call>", "«call»")
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"a < b, <b>, <call", "a < b, <b>, <call"},
		{"<call>t</call>", `<\call>t<\/call>`},
		{`<\call>`, `<\\call>`},
		{`<\\/call>`, `<\\\/call>`},
		{`<\calls>`, `<\calls>`},
		{`<<call>`, `<<\call>`},
		{`<\`, `<\`},
		{"é<call>\xff", "é<\\call>\xff"},
		{"«call», «\\CALL» ‹call»", "«\\call», «\\\\CALL» ‹call»"},
	} {
		if got := g.Neutralize(c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
		if got := g.Restore(c.want); got != c.text {
			t.Errorf("%q is restored to %q, want %q", c.want, got, c.text)
		}
	}
}

// However many escape bytes stand in a tag, one more does then, and one less again.
func TestManyEscapes(t *testing.T) {
	g := New("<call>", "</tool-result")
	for n := range 100 {
		escapes := strings.Repeat(`\`, n)
		text := "a<" + escapes + "call>b<" + escapes + "/tool-result"
		want := "a<" + escapes + `\call>b<` + escapes + `\/tool-result`
		if got := g.Neutralize(text); got != want || g.Restore(want) != text {
			t.Errorf("%d: %q and %q", n, got, g.Restore(want))
		}
		if other := "<" + escapes + "calls"; n > 0 && g.Restore(other) != other {
			t.Errorf("%d: %q", n, g.Restore(other))
		}
	}
}

// The case of letters means nothing, nor does it where a tag begins with one; and the end
// of the text is whitespace that more may follow.
func TestGuardFolds(t *testing.T) {
	g := New("<call ", "<Call>", "tool:", "@é")
	for _, c := range []struct{ text, want string }{
		{"<CALL>, <call\n, <calls", "<\\CALL>, <call\n, <calls"},
		{"<cALl x", "<\\cALl x"},
		{"a <Call", "a <\\Call"},
		{"a <cal", "a <cal"},
		{"Tool: and tOOL:", "T\\ool: and t\\OOL:"},
		{"@é @É @[`{", "@\\é @É @[`{"},
	} {
		if got := g.Neutralize(c.text); got != c.want || g.Restore(got) != c.text {
			t.Errorf("%q: got %q, which is restored to %q", c.text, got, g.Restore(got))
		}
		if in := g.In(c.text); in != (c.want != c.text) {
			t.Errorf("%q: in it: %v", c.text, in)
		}
	}
	if g := New("«call»", "<x>"); !g.In("a «CALL»") || g.In(g.Neutralize("«call»")) {
		t.Error("a tag that is not ASCII is missed beside another")
	}
	if g := New("[x"); g.Neutralize("{x") != "{x" {
		t.Error("{ is no other case of [")
	}
}

// A tag is joined of two texts where it begins in the first alone, and does not end in it.
func TestJoins(t *testing.T) {
	g := New("<call>", "<call ")
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a <", "call>", true}, {"<CALL", ">", false}, {"<cal", "l", true}, {"<cal", "ls", false},
		{"", "<call>", false}, {"<call>", "x", false},
		{"<cal", "", false}, {"a < b <c", "all t", true}, {"<", "calling all that is a call",
			false},
	} {
		if got := g.Joins(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
	if g.Longest() != 6 {
		t.Errorf("the longest has %d bytes", g.Longest())
	}
}

// What may begin a tag at the end of a text is the longest such end.
func TestOpen(t *testing.T) {
	g := New("<call>", "<<x", "[c")
	for text, want := range map[string]string{
		"": "", "a": "", "a <": "<", "a <CAL": "<CAL", "<call>": "", "<call": "<call", "<<": "<<",
		"<call <": "<", "<\\call": "", "a[": "[", "<cal[": "[",
	} {
		if got := g.Open(text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

// The zero Guard knows no tags, so none is open.
func TestOpenOfTheZeroGuard(t *testing.T) {
	for _, text := range []string{"", "<"} {
		if got := (Guard{}).Open(text); got != "" {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// A text that was never rewritten, such as one that a model has written, may
// have escapes of its own kind only where a tag's remainder follows.
func TestRestoreLeavesOthers(t *testing.T) {
	g := New("<call>", "</call>")
	for _, text := range []string{`C:\call`, `a\<call>`, `<\calls`, `\\\`, `<\\`} {
		if got := g.Restore(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestEscapeByte(t *testing.T) {
	g := New(`<\c>`, `<\\`)
	if got := g.Neutralize(`<\c> <\\`); got != `<!\c> <!\\` {
		t.Errorf("got %q", got)
	}
}

// tagSets are legal tags, and some that overlap themselves and each other.
var tagSets = [][]string{
	{"<call>", "</call>"},
	{"<call>", "</call>", "<tool-result", "</tool-result"},
	{"<a<b", "<b>", "<<"},
	{`<\c>`, `<\`},
	{"<x<x", "x>"},
	{"((", "))"},
	{`#\!`, `!\#`},
	{"«call»", "«/call»", "é日"},
}

func FuzzGuard(f *testing.F) {
	for i := range tagSets {
		f.Add(uint8(i), `a<call></call><\call><\\/call><tool-result <<<a<b<b><\b>`)
		f.Add(uint8(i), "a«call»«/cAll»«\\call»\xc2call»\xc2\\\xabcall»é日é\\日")
		f.Add(uint8(i), `<\c><\!\<x<x<x>>((\(\)))#\!\#`)
	}
	f.Fuzz(func(t *testing.T, set uint8, text string) {
		g := New(tagSets[int(set)%len(tagSets)]...)
		safe := g.Neutralize(text)
		if utf8.ValidString(text) && !utf8.ValidString(safe) {
			t.Errorf("%q becomes %q", text, safe)
		}
		for _, tag := range g.Tags() {
			if strings.Contains(lowered(safe), lowered(tag)) || g.In(safe) {
				t.Errorf("%q holds a tag: %q", text, safe)
			}
		}
		if got := g.Restore(safe); got != text {
			t.Errorf("%q became %q and then %q", text, safe, got)
		}
		if !g.In(text) && !strings.Contains(text, string(g.escape)) && safe != text {
			t.Errorf("%q was changed to %q", text, safe)
		}
	})
}

// lowered returns text with its ASCII letters in lower case.
func lowered(text string) string {
	lower := []byte(text)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] += 'a' - 'A'
		}
	}
	return string(lower)
}

// A tag that nothing can be put into is none.
func TestShortTags(t *testing.T) {
	given := []string{"", "x", "é", "<call>"}
	g := New(given...)
	if got := g.Neutralize("x <call>"); got != `x <\call>` || g.Restore(got) != "x <call>" {
		t.Errorf("got %q", got)
	}
	if len(g.Tags()) != 1 || given[0] != "" {
		t.Errorf("tags %q of %q", g.Tags(), given)
	}
}
