package lexeme

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// every calls f with each byte at each place of texts of up to 140 letters.
func every(f func(text []byte, at int, c byte)) {
	letters := strings.Repeat("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 3)
	for _, n := range []int{1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 70, 140} {
		for at := range n {
			for c := range 256 {
				text := []byte(letters[:n])
				text[at] = byte(c)
				f(text, at, byte(c))
			}
		}
	}
}

// TestEveryByte: wherever a byte is in a text, the text is copied as far as it is inside a string,
// and escaped as its meaning is.
func TestEveryByte(t *testing.T) {
	every(func(text []byte, _ int, c byte) {
		for _, quote := range []byte{'"', '\''} {
			n, flags, high := ConsumeStringResumable(text, 0, quote)
			out := AppendContent(nil, text[:n], flags, quote)
			isCut := n > len(text)-6 && n < len(text) && text[n] == '\\'
			ends := isCut || n == len(text) || text[n] == quote
			if !ends || bytes.IndexByte(text[:n], quote) >= 0 {
				t.Fatalf("%q in %c: stops at %d", text, quote, n)
			}
			want := AppendText(nil, AppendUnescaped(nil, text[:n]))
			if !bytes.Equal(out, want) || high != (bytes.IndexByte(text[:n], c) >= 0 && c >= 0x80) {
				t.Fatalf("%q in %c: %q, high %t", text, quote, out, high)
			}
		}
		var back string
		err := json.Unmarshal(AppendQuoted(nil, text), &back)
		if c < 0x80 && (err != nil || back != string(text)) {
			t.Fatalf("%q is written as %s", text, AppendQuoted(nil, text))
		}
		plain := bytes.IndexFunc(text, isSpecial)
		if plain < 0 {
			plain = len(text)
		}
		if i := SkipPlainASCII(text, 0); i != plain {
			t.Fatalf("%q: %d bytes are plain", text, i)
		}
	})
}

// isSpecial reports whether a string or a reader of strings cares about c.
func isSpecial(c rune) bool {
	return c < ' ' || c == '"' || c == '\'' || c == '\\' || c >= 0x80
}

// contents are insides of quoted strings, what stands for them in JSON if the
// quotes are " and if they are ' (nothing, where that quote ends them), and the flags
// of their tokens.
var contents = []struct {
	text, double, single string
	flags                Flags
}{
	{`plain`, `plain`, `plain`, 0},
	{`é 😀`, `é 😀`, `é 😀`, 0},
	{`\"`, `\"`, `\"`, Escaped | QuoteEsc},
	{`\'`, `'`, `'`, Escaped | QuoteEsc},
	{`\\`, `\\`, `\\`, Escaped},
	{`\n\t\r\b\f`, `\n\t\r\b\f`, `\n\t\r\b\f`, Escaped},
	{`\/`, `/`, `/`, Escaped},
	{`\u0041\u00e9`, `Aé`, `Aé`, Escaped},
	{`\u0022\u000a\u001f`, `\"\n\u001f`, `\"\n\u001f`, Escaped},
	{`\ud83d\ude00`, `😀`, `😀`, Escaped},
	{"a\nb\x01", `a\nb\u0001`, `a\nb\u0001`, Control},
	{"\x7f", "\x7f", "\x7f", 0},
	{`it's`, `it's`, "", 0},
	{`"q"`, "", `\"q\"`, 0},
	{`\d`, `\\d`, `\\d`, Escaped | Literal},
	{`\u12`, `\\u12`, `\\u12`, Escaped | Literal},
}

func TestStrings(t *testing.T) {
	for _, c := range contents {
		for i, want := range []string{c.double, c.single} {
			quote := `"'`[i]
			if want == "" { // the quote ends it
				continue
			}
			for _, before := range []int{0, 1, 7, 8, 9, 40, 100} {
				for _, after := range []int{0, 1, 8, 40} {
					for _, capacity := range []int{0, 1000} {
						head, tail := strings.Repeat("x", before), strings.Repeat("y", after)
						w := head + c.text + tail
						b := []byte(w + string(quote) + "z")
						n, flags, _ := ConsumeStringResumable(b, 0, quote)
						out := append(make([]byte, 0, capacity), "out"...)
						out = AppendContent(out, b[:n], flags, quote)
						isRight := string(out) == "out"+head+want+tail && flags&^Differs == c.flags
						if n != len(w) || !isRight {
							t.Fatalf("%s in %c: %d of %d bytes are %s, flags %b, want %s, %b",
								w, quote, n, len(w), out, flags, want, c.flags)
						}
						if c.flags&Literal != 0 {
							continue
						}
						text := string(quote) + w + string(quote)
						out, end, _ := AppendString(append(make([]byte, 0, capacity), "out"...),
							[]byte("z"+text+"z"), 1)
						if end != 1+len(text) || string(out) != `out"`+head+want+tail+`"` {
							t.Fatalf("%s: copied to %s, the end is %d", text, out, end)
						}
					}
				}
			}
		}
	}
}

func TestOpenStrings(t *testing.T) {
	for _, w := range []string{`"`, `"abc`, `"abc\"`, `"abc\`, "\"\xff\"",
		"\"abcdefghijklm\xc3\"", "\"\xff\\n\"", `"\d"`, `"ab'`, `'ab"`} {
		if out, end, _ := AppendString([]byte("out"), []byte(w), 0); end != 0 {
			t.Errorf("%q was copied: %q, %d", w, out, end)
		}
	}
	for _, c := range []struct {
		text string
		n    int
	}{
		{`abc\`, 3}, // what the backslash begins is still to come
		{`abc\u00e`, 3},
		{`abc\ud83d`, 3},
	} {
		if n, flags, _ := ConsumeStringResumable([]byte(c.text), 0, '"'); n != c.n || flags != 0 {
			t.Errorf("%q: %d bytes with flags %b", c.text, n, flags)
		}
	}
}

// The content of a quoted string becomes that of a JSON string, whatever its
// quote and whatever was noticed of it.
func TestAppendContent(t *testing.T) {
	for _, c := range []struct {
		name, content string
		quote         byte
		want          string
	}{
		{"nothing", "", '"', ""},
		{"text", "x é", '"', "x é"},
		{"an escape stays", `\n\"\\`, '"', `\n\"\\`},
		{"a needless one goes", `\u0041\/\'`, '"', `A/'`},
		{"a needed one gets its short form", `\u000a\u0000`, '"', `\n\u0000`},
		{"literal backslashes are doubled", `\d\q`, '"', `\\d\\q`},
		{"lone surrogates are literal", `\ud83dx`, '"', `\\ud83dx`},
		{"pairs are runes", `\ud83d\ude00`, '"', `😀`},
		{"raw controls are escaped", "a\nb\x01", '"', `a\nb\u0001`},
		{"a double quote in single ones", `"x"`, '\'', `\"x\"`},
		{"and beside an escape", `"\n"`, '\'', `\"\n\"`},
	} {
		flags := Flags(0)
		for i := range len(c.content) {
			switch b := c.content[i]; {
			case b == '\\':
				flags |= Escaped | Differs
			case b < 0x20:
				flags |= Control
			}
		}
		got := string(AppendContent([]byte("<"), []byte(c.content), flags, c.quote))
		if got != "<"+c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}
