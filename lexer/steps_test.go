package lexer_test

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
)

// growing are texts of about n bytes that ask for a second look at what was seen:
// half tags, openers without calls, open quotes, damage.
var growing = []struct {
	name string
	text func(n int) string
}{
	{"prose", func(n int) string { return strings.Repeat("text < ", n/7) }},
	{"half openers", func(n int) string { return strings.Repeat("<call<cal", n/9) }},
	{"openers and whitespace", func(n int) string { return "<call>" + strings.Repeat(" ", n) }},
	{"a name", func(n int) string { return "<call>" + strings.Repeat("t", n) }},
	{"a word of half tags", func(n int) string { return "<call>t a=" + strings.Repeat("</cal", n/5) }},
	{"an item of blanks", func(n int) string { return "<call>t a=[x" + strings.Repeat(" ", n) }},
	{"a string", func(n int) string { return `<call>t a="` + strings.Repeat("x", n) }},
	{"a string of runes", func(n int) string { return `<call>t a="` + strings.Repeat("é", n/2) }},
	{"a string of backslashes", func(n int) string { return `<call>t a="` + strings.Repeat(`\`, n) }},
	{"damage of openers", func(n int) string { return "<call>t(" + strings.Repeat("<call>\n", n/7) }},
	{"damage of quotes", func(n int) string { return "<call>t(" + strings.Repeat(` "'`, n/3) }},
	{"damage of arrays", func(n int) string { return "<call>t(" + strings.Repeat("[{", n/2) }},
	{"calls", func(n int) string { return strings.Repeat("<call>t a=1</call>", n/18) }},
	{"malformed calls", func(n int) string { return strings.Repeat("<call>t(</call>", n/15) }},
}

func steps(t *testing.T, text string, size int) int {
	t.Helper()
	l, err := lexer.New(lexer.Config{Limits: lexer.Limits{Bytes: 1 << 30, Depth: 1 << 30, Name: 1 << 30}})
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(text); i += size {
		l.Feed([]byte(text[i:min(len(text), i+size)]))
		for len(l.Tokens()) > 0 {
		}
	}
	l.Close()
	for len(l.Tokens()) > 0 {
	}
	return l.Steps()
}

// Twice the text is twice the steps, whatever the chunks, and no byte is looked
// at more than a few times; a count that is too small counts nothing.
func TestStepsAreLinear(t *testing.T) {
	const n = 6300
	for _, g := range growing {
		for _, size := range []int{1, 2, 7, 4096, 1 << 20} {
			small, large := g.text(n), g.text(2*n)
			once, twice := steps(t, small, size), steps(t, large, size)
			if float64(twice) > 2.1*float64(once) {
				t.Errorf("%s, chunks of %d: %d steps for %d bytes, %d for %d", g.name, size, once, len(small), twice, len(large))
			}
			if once < len(small)/4 || once > 6*len(small) {
				t.Errorf("%s, chunks of %d: %d steps for %d bytes", g.name, size, once, len(small))
			}
		}
	}
}
