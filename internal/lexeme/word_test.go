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
		for cut := c.start; cut < len(c.text); cut++ { // in two steps
			var q Quotes
			w := []byte(c.text)
			i, _, _ := tags.ConsumeWordResumable(w, c.start, c.start, cut, EndsWord, &q)
			i, tag, seen := tags.ConsumeWordResumable(w, c.start, i, len(w), EndsWord, &q)
			if want := len(w) - 1; i != want || tag != NoTag || seen >= 0x80 {
				t.Fatalf("%q from %d: the word ends at %d with the tag %v, want %d", c.text,
					c.start, i, tag, want)
			}
			if got := q.Flags() == Opened; got != c.opened {
				t.Errorf("%q from %d, looked at again at %d: opened %t", c.text, c.start, cut, got)
			}
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
		out, end := AppendWord(nil, w, 2)
		if end != want || SkipPlainWord(w, 2) != want || string(out) != `"`+string(w[2:want])+`"` {
			t.Fatalf("a=%q: %s to %d, want the end %d", text, out, end, want)
		}
	})
}
