package lexeme

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

// every calls f with each byte at each place of texts of up to 70 letters.
func every(f func(text []byte, at int, c byte)) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqr"
	for _, n := range []int{1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 70} {
		for at := range n {
			for c := range 256 {
				text := []byte(letters[:n])
				text[at] = byte(c)
				f(text, at, byte(c))
			}
		}
	}
}

func TestBelow(t *testing.T) {
	every(func(text []byte, at int, c byte) {
		x := load(text, 0)
		for _, limit := range []byte{1, ' ' + 1, '\'' + 1, 0x7f, 0x80} {
			want := 8 // none
			for i := 7; i >= 0; i-- {
				if i >= len(text) || text[i] < limit {
					want = i
				}
			}
			if got := lowest(below(x, limit)); got != want {
				t.Fatalf("%q: the first below %#x is %d, want %d", text, limit, got, want)
			}
		}
		var eight [8]byte
		copy(eight[:], text)
		want := bytes.IndexByte(eight[:], c)
		if want < 0 {
			want = 8
		}
		if got := lowest(equal(x, c)); got != want {
			t.Fatalf("%q: the first %q is %d, want %d", text, c, got, want)
		}
	})
}

// lowest returns the place of the byte with the lowest bit of x; 8 if none.
func lowest(x uint64) int {
	n := 0
	for ; n < 8 && x&0xff == 0; n++ {
		x >>= 8
	}
	return n
}

// plainIn is copyPlain, byte by byte.
func plainIn(w []byte, quote byte) (n int, high bool) {
	for n < len(w) && w[n] >= ' ' && w[n] != '"' && w[n] != '\\' && w[n] != quote {
		high = high || w[n] >= utf8.RuneSelf
		n++
	}
	return n, high
}

func TestCopyPlain(t *testing.T) {
	every(func(text []byte, _ int, _ byte) {
		for _, quote := range []byte{'"', '\''} {
			want, high := plainIn(text, quote)
			for _, size := range []int{len(text) + 8, len(text), len(text) / 2} {
				dst := make([]byte, size)
				n, seen := copyPlain(dst, text, quote)
				if n != want && (n < size-7 || n > want || size > len(text)) {
					t.Fatalf("%q into %d bytes: %d are plain, want %d", text, size, n, want)
				}
				if n == want && seen != 0 != high {
					t.Fatalf("%q: high bytes %x", text, seen)
				}
				if !bytes.Equal(dst[:n], text[:n]) {
					t.Fatalf("%q became %q", text[:n], dst[:n])
				}
			}
		}
		if want, _ := plainIn(text, '"'); plainLen(text) != want {
			t.Fatalf("%q: %d bytes are plain, want %d", text, plainLen(text), want)
		}
	})
}

// Of long strings, all blocks of 32 plain bytes are copied, and none with a byte
// that is not.
func TestCopyWords(t *testing.T) {
	every(func(text []byte, at int, c byte) {
		text = append(text, text...)
		plain, _ := plainIn(text, '"')
		want := plain / 32 * 32
		dst := make([]byte, len(text))
		n, seen := copyWords(dst, text)
		if n != want || !bytes.Equal(dst[:n], text[:n]) {
			t.Fatalf("%q: %d bytes were copied, want %d: %q", text, n, want, dst[:n])
		}
		if high := n > at && c >= utf8.RuneSelf; seen&highs != 0 != high {
			t.Fatalf("%q: high bytes %x", text, seen)
		}
		if n, _ = copyWords(dst[:min(len(dst), 40)], text); n > 32 {
			t.Fatalf("%d bytes were copied into 40", n)
		}
	})
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

func TestReformatString(t *testing.T) {
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
						out, n, flags, _ := reformat(append(make([]byte, 0, capacity), "out"...),
							[]byte(w+string(quote)+"z"), quote)
						if n != len(w) || string(out) != "out"+head+want+tail || flags != c.flags {
							t.Fatalf("%s in %c: %d of %d bytes are %s with flags %b, want %s with %b", w, quote, n, len(w), out, flags, want, c.flags)
						}
						if c.flags&Literal != 0 {
							continue
						}
						text := string(quote) + w + string(quote)
						out, end := AppendString(append(make([]byte, 0, capacity), "out"...),
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

func TestReformatNothing(t *testing.T) {
	for _, w := range []string{`"`, `"abc`, `"abc\"`, `"abc\`, "\"\xff\"",
		"\"abcdefghijklm\xc3\"", "\"\xff\\n\"", `"\d"`, `"ab'`, `'ab"`} {
		if out, end := AppendString([]byte("out"), []byte(w), 0); end != 0 {
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
		out, n, flags, _ := reformat([]byte("out"), []byte(c.text), '"')
		if n != c.n || string(out) != "out"+c.text[:n] || flags != 0 {
			t.Errorf("%q: %d bytes are %q with flags %b", c.text, n, out, flags)
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
		flags := First | Last
		for i := range len(c.content) {
			switch b := c.content[i]; {
			case b == '\\':
				flags |= Escaped
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
