package lexeme

import "testing"

// units are the units of strings: all bytes that belong together, what they
// mean, and their flags.
var units = []struct {
	name, unit, means string
	kind              Flags
}{
	{"a double quote", `\"`, `"`, QuoteEsc},
	{"a single quote", `\'`, `'`, QuoteEsc},
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
	{"the first after the surrogates", `\ue000`, "\ue000", 0},
	{"the last of four digits", `\uffff`, "\uffff", 0},
	{"a pair of surrogates", `\ud83d\ude00`, "😀", 0},
	{"the first pair", `\ud800\udc00`, "\U00010000", 0},
	{"the last pair", `\udbff\udfff`, "\U0010ffff", 0},
	{"a high surrogate alone is literal", `\ud83d`, `\ud83d`, Literal},
	{"a low surrogate alone is literal", `\ude00`, `\ude00`, Literal},
	{"the first high surrogate alone", `\ud800`, `\ud800`, Literal},
	{"the last high surrogate alone", `\udbff`, `\udbff`, Literal},
	{"the first low surrogate alone", `\udc00`, `\udc00`, Literal},
	{"the last low surrogate alone", `\udfff`, `\udfff`, Literal},
	{"a letter that names nothing", `\d`, `\d`, Literal},
	{"an upper-case escape is none", `\N`, `\N`, Literal},
	{"a digit", `\0`, `\0`, Literal},
	{"too few digits", `\u`, `\u`, Literal},
}

func TestEscape(t *testing.T) {
	for _, e := range units {
		for _, after := range []string{`"`, "x", " ", `\"`, `\n`, `\ud83d`, "é"} {
			text := []byte(e.unit + after)
			if e.unit == `\ud83d` && after == `\ud83d` {
				text = append(text, '"')
			}
			n, kind := escape(text)
			if n != len(e.unit) || kind != e.kind {
				t.Errorf("%s: escape(%q) = %d, %v; want %d, %v", e.name, text, n, kind,
					len(e.unit), e.kind)
			}
		}
	}
}

// What may go on after the end is no unit yet.
func TestEscapeNeedsMore(t *testing.T) {
	for _, text := range []string{`\`, `\u`, `\u0`, `\u00`, `\u004`, `\ud83d`, `\ud83d\`,
		`\ud83d\u`, `\ud83d\ude`, `\ud83d\ude0`} {
		if n, _ := escape([]byte(text)); n != 0 {
			t.Errorf("escape(%q) = %d, want 0", text, n)
		}
	}
}

func TestUnescape(t *testing.T) {
	for _, e := range units {
		got := string(AppendUnescaped([]byte("<"), []byte("a"+e.unit+"z"+e.unit)))
		if want := "<a" + e.means + "z" + e.means; got != want {
			t.Errorf("%s: got %q, want %q", e.name, got, want)
		}
		r, n := unescape([]byte(e.unit + "z"))
		literal := e.kind&Literal != 0
		switch {
		case n != len(e.unit):
			t.Errorf("%s: %d bytes, want %d", e.name, n, len(e.unit))
		case literal && r != -1, !literal && string(r) != e.means:
			t.Errorf("%s: got %q", e.name, r)
		}
	}
	for _, c := range []struct{ name, content, want string }{
		{"a rune after a backslash stays whole", `\é`, `\é`},
		{"two high surrogates before a low one", `\ud83d\ud83d\ude00`, `\ud83d😀`},
		{"too few digits, then text", `\u12 4`, `\u12 4`},
		{"a backslash at the end", `x\`, `x\`},
		{"text alone", "é\x00", "é\x00"},
		{"nothing", "", ""},
	} {
		if got := string(AppendUnescaped(nil, []byte(c.content))); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
