package lexer_test

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
)

func TestString(t *testing.T) {
	checkBody(t, []rule{
		{"an empty string", `t a=""`, `Name(t) _ Key(a) = String("")`},
		{"blanks and punctuation", `t a="x = [y], {z}"`, `Name(t) _ Key(a) = String("x = [y], {z}")`},
		{"the other quote is content", `t a="it's" b='"'`, `Name(t) _ Key(a) = String("it's") _ Key(b) = String('"')`},
		{"line ends may stand in it", "t a=\"x\ny\"", "Name(t) _ Key(a) = String(\"x\ny\")+Control"},
		{"controls may stand in it", "t a=\"\x00\"", "Name(t) _ Key(a) = String(\"\x00\")+Control"},
		{"U+007F is not one that JSON escapes", "t a=\"\x7f\"", "Name(t) _ Key(a) = String(\"\x7f\")"},
		{"runes", `t a="é😀"`, `Name(t) _ Key(a) = String("é😀")`},
		{"an escaped quote does not end it", `t a="x\"y"`, `Name(t) _ Key(a) = String("x\"y")+Escaped+QuoteEsc`},
		{"an escaped backslash before the quote", `t a="x\\"`, `Name(t) _ Key(a) = String("x\\")+Escaped`},
		{"a backslash before anything else is literal", `t a="\d+"`, `Name(t) _ Key(a) = String("\d+")+Escaped+Literal`},
		{"a backslash before a rune is literal", `t a="\é"`, `Name(t) _ Key(a) = String("\é")+Escaped+Literal`},
		{"a long string", `t a="` + strings.Repeat("0123456789", 9) + `"`, `Name(t) _ Key(a) = String("` + strings.Repeat("0123456789", 9) + `")`},
	})
}

// escapes are the units of strings: all bytes that belong together, what they
// mean, and their flags.
var escapes = []struct {
	name, unit, means string
	kind              lexer.Flags
}{
	{"a double quote", `\"`, `"`, lexer.QuoteEsc},
	{"a single quote", `\'`, `'`, lexer.QuoteEsc},
	{"a backslash", `\\`, `\`, 0},
	{"a slash", `\/`, `/`, 0},
	{"a backspace", `\b`, "\b", 0},
	{"a form feed", `\f`, "\f", 0},
	{"a line feed", `\n`, "\n", 0},
	{"a carriage return", `\r`, "\r", 0},
	{"a tab", `\t`, "\t", 0},
	{"four digits", `\u0041`, "A", 0},
	{"digits in both cases", `\u00eF`, "ï", 0},
	{"the first code point", `\u0000`, "\x00", 0},
	{"the last before the surrogates", `\ud7ff`, "\ud7ff", 0},
	{"the first behind the surrogates", `\ue000`, "\ue000", 0},
	{"the last of four digits", `\uffff`, "\uffff", 0},
	{"a pair of surrogates", `\ud83d\ude00`, "😀", 0},
	{"the first pair", `\ud800\udc00`, "\U00010000", 0},
	{"the last pair", `\udbff\udfff`, "\U0010ffff", 0},
	{"a high surrogate alone is literal", `\ud83d`, `\ud83d`, lexer.Literal},
	{"a low surrogate alone is literal", `\ude00`, `\ude00`, lexer.Literal},
	{"the first high surrogate alone", `\ud800`, `\ud800`, lexer.Literal},
	{"the last high surrogate alone", `\udbff`, `\udbff`, lexer.Literal},
	{"the first low surrogate alone", `\udc00`, `\udc00`, lexer.Literal},
	{"the last low surrogate alone", `\udfff`, `\udfff`, lexer.Literal},
	{"a letter that names nothing", `\d`, `\d`, lexer.Literal},
	{"an upper-case escape is none", `\N`, `\N`, lexer.Literal},
	{"a digit", `\0`, `\0`, lexer.Literal},
	{"too few digits", `\u`, `\u`, lexer.Literal},
}

func TestEscape(t *testing.T) {
	for _, e := range escapes {
		for _, behind := range []string{`"`, "x", " ", `\"`, `\n`, `\ud83d`, "é"} {
			text := []byte(e.unit + behind)
			if e.unit == `\ud83d` && behind == `\ud83d` {
				text = append(text, '"')
			}
			n, kind := lexer.Escape(text)
			if n != len(e.unit) || kind != e.kind {
				t.Errorf("%s: Escape(%q) = %d, %v; want %d, %v", e.name, text, n, kind, len(e.unit), e.kind)
			}
		}
	}
}

// What may go on behind the end is no unit yet.
func TestEscapeNeedsMore(t *testing.T) {
	for _, text := range []string{`\`, `\u`, `\u0`, `\u00`, `\u004`, `\ud83d`, `\ud83d\`, `\ud83d\u`, `\ud83d\ude`, `\ud83d\ude0`} {
		if n, _ := lexer.Escape([]byte(text)); n != 0 {
			t.Errorf("Escape(%q) = %d, want 0", text, n)
		}
	}
}

func TestUnescape(t *testing.T) {
	for _, e := range escapes {
		got := string(lexer.AppendUnescaped([]byte("<"), []byte("a"+e.unit+"z"+e.unit)))
		if want := "<a" + e.means + "z" + e.means; got != want {
			t.Errorf("%s: got %q, want %q", e.name, got, want)
		}
		r, n := lexer.Unescape([]byte(e.unit + "z"))
		literal := e.kind&lexer.Literal != 0
		switch {
		case n != len(e.unit):
			t.Errorf("%s: %d bytes, want %d", e.name, n, len(e.unit))
		case literal && r != -1, !literal && string(r) != e.means:
			t.Errorf("%s: got %q", e.name, r)
		}
	}
	for _, c := range []struct{ name, content, want string }{
		{"a rune behind a backslash stays whole", `\é`, `\é`},
		{"two high surrogates before a low one", `\ud83d\ud83d\ude00`, `\ud83d😀`},
		{"too few digits, then text", `\u12 4`, `\u12 4`},
		{"a backslash at the end", `x\`, `x\`},
		{"text alone", "é\x00", "é\x00"},
		{"nothing", "", ""},
	} {
		if got := string(lexer.AppendUnescaped(nil, []byte(c.content))); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// Pieces of a string are cut between units, and each says whether it is the
// first and the last one.
func TestPiecesAreWholeUnits(t *testing.T) {
	const content = `aé😀\n\ud83d\ude00\ud83dx\"`
	units := map[int]bool{}
	for i, at := 0, 1; i < len(content); { // offsets count from the opening quote
		units[at] = true
		n := len(string([]rune(content[i:])[:1]))
		if content[i] == '\\' {
			n, _ = lexer.Escape([]byte(content[i:] + `"`))
		}
		i, at = i+n, at+n
	}
	const before = `<call>t a=`
	text := before + `"` + content + `"</call>`
	for cut := len(before) + 1; cut <= len(before)+1+len(content); cut++ {
		l, err := lexer.New(lexer.Config{})
		if err != nil {
			t.Fatal(err)
		}
		var pieces []lexer.Token
		for _, chunk := range []string{text[:cut], text[cut:]} {
			l.Feed([]byte(chunk))
			for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
				for _, k := range toks {
					if k.Kind == lexer.String {
						pieces = append(pieces, k)
					}
				}
			}
		}
		for i, k := range pieces {
			if first := k.Flags&lexer.First != 0; first != (i == 0) {
				t.Errorf("cut %d: piece %d of %d: First is %v", cut, i, len(pieces), first)
			}
			if last := k.Flags&lexer.Last != 0; last != (i == len(pieces)-1) {
				t.Errorf("cut %d: piece %d of %d: Last is %v", cut, i, len(pieces), last)
			}
			if at := k.Start - len(before); i > 0 && !units[at] && at != len(content)+1 {
				t.Errorf("cut %d: a piece begins inside a unit, at %q", cut, text[k.Start:])
			}
		}
	}
}
