package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain, é, 界, 👩‍💻": "plain, é, 界, 👩‍💻",
		"a\nb\tc":          "a\nb\tc",
		"a\r\nb":           "a\nb",
		"a\rb\r\r\n\r":     "a␍b␍\n␍",
		"\x1b[31m\x00\x7f": "␛[31m␀␡",
		"\u009b31m \u202e": `\u009b31m \u202e`,
		"\xff \xc3":        "\ufffd \ufffd",
	} {
		var c cleaner
		if got := string(c.flush(c.append(nil, []byte(in)))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		var got []byte
		for i := range len(in) {
			got = c.append(got, []byte(in[i:i+1]))
		}
		if got = c.flush(got); string(got) != want {
			t.Errorf("%q byte by byte: %q, want %q", in, got, want)
		}
	}
	if got, want := visible([]byte("a\n\tb\x1b")), "a  b␛"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCells(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "é": 1, "e\u0301": 1, "世界": 4, "🎉": 2, "…│": 2} {
		if got := cells(text); got != want {
			t.Errorf("%q takes %d columns, want %d", text, got, want)
		}
	}
}

// FuzzCleaner cuts a text in two: what is shown is the same, and nothing in it
// moves the cursor.
func FuzzCleaner(f *testing.F) {
	f.Add([]byte("a\r\n\x1b[2J\xc2\x9b é"), 3)
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		cut = min(max(cut, 0), len(text))
		var c cleaner
		whole := string(c.flush(c.append(nil, text)))
		parts := c.append(nil, text[:cut])
		if parts = c.flush(c.append(parts, text[cut:])); string(parts) != whole {
			t.Errorf("%q cut at %d: %q, want %q", text, cut, parts, whole)
		}
		if !utf8.ValidString(whole) || strings.ContainsFunc(whole, func(r rune) bool {
			return r < ' ' && r != '\n' && r != '\t' || mustEscape(r)
		}) {
			t.Errorf("%q shows as %q", text, whole)
		}
	})
}
