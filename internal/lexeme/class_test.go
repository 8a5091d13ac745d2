package lexeme

import (
	"strings"
	"testing"
)

// The whitespace of calls and that of JSON are the same four bytes.
func TestSpace(t *testing.T) {
	for i := range 256 {
		c := byte(i)
		want := c == ' ' || c == '\t' || c == '\n' || c == '\r'
		if got := ClassOf(c)&Space != 0; got != want {
			t.Errorf("%q in a call: %t, want %t", c, got, want)
		}
		if got := IsSpace(c); got != want {
			t.Errorf("%q in JSON: %t, want %t", c, got, want)
		}
		if got := strings.IndexByte(Whitespace, c) >= 0; got != want {
			t.Errorf("%q in Whitespace: %t, want %t", c, got, want)
		}
	}
	if n := SkipSpace([]byte(" \t\n\r\v"), 1); n != 4 {
		t.Errorf("%d bytes are skipped, want 4", n)
	}
}

// A backslash begins these escapes, and before every other byte it is itself.
func TestEscapes(t *testing.T) {
	escapes := map[byte]string{
		'"': `"`, '\'': `'`, '\\': `\`, '/': "/",
		'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'u': "A",
	}
	for i := range 256 {
		c := byte(i)
		text := []byte{'\\', c, '0', '0', '4', '1'}
		want, found := escapes[c]
		switch {
		case !found:
			want = string(text)
		case c != 'u':
			want += "0041"
		}
		if got := string(AppendUnescaped(nil, text)); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
