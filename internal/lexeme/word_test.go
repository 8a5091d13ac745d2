package lexeme

import (
	"testing"
	"unicode/utf8"
)

// A single quote is introduced by the byte before it in its word, and by none at
// the first byte of it, whatever stands before the word.
func TestQuotesOfAWord(t *testing.T) {
	tags := NewTags("<call>", "</call>")
	for _, c := range []struct {
		text   string
		start  int
		opened bool
	}{
		{"='x ", 1, false},
		{"a='x ", 2, false},
		{"a=='x ", 2, true},
		{"a=('x ", 2, true},
		{"a=b'x ", 2, false},
		{"a=('x' ", 2, false},
		{"a=r\"x ", 2, true},
		{"a=r\"x\" ", 2, false},
		{"a=\"x ", 2, true},
		{"a=x' ", 2, false},
	} {
		w := []byte(c.text)
		i, tag := tags.ConsumeResumable(w, c.start, len(w), Word)
		if want := len(w) - 1; i != want || tag != NoTag {
			t.Fatalf("%q: the word ends at %d with the tag %v, want %d", c.text, i, tag, want)
		}
		if got := LostQuote(w[c.start:i]); got != c.opened {
			t.Errorf("%q from %d: opened %t", c.text, c.start, got)
		}
	}
}

func TestAppendWord(t *testing.T) {
	every(func(text []byte, at int, c byte) {
		want := 2 + len(text)
		switch {
		case c <= ' ', c == '<', c == '"', c == '\'', c == '\\', c >= utf8.RuneSelf:
			want = 2 + at
		}
		w := append([]byte("a="), text...)
		out, end := AppendWord(make([]byte, 0, 40), w, 2)
		if end != want || string(out) != string(w[2:want]) {
			t.Fatalf("a=%q: %s to %d, want the end %d", text, out, end, want)
		}
	})
}
