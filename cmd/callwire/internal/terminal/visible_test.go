package terminal

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/unseen"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain, é, 界, 👩‍💻":   "plain, é, 界, 👩‍💻",
		"a\nb\tc":            "a\nb\tc",
		"a\r\nb":             "a\nb",
		"a\rb\r\r\n\r":       "a␍b␍\n␍",
		"\x1b[31m\x00\x7f":   "␛[31m␀␡",
		"\u009b31m \u202e":   `\u009b31m \u202e`,
		"\u2028\u200b\ufeff": `\u2028\u200b\ufeff`,
		"\U000e0041\u3164a":  `\udb40\udc41\u3164a`,
		"\xff \xc3":          "\ufffd \ufffd",
	} {
		var c Cleaner
		if got := string(c.Flush(c.Append(nil, []byte(in)))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		var got []byte
		for i := range len(in) {
			got = c.Append(got, []byte(in[i:i+1]))
		}
		if got = c.Flush(got); string(got) != want {
			t.Errorf("%q byte by byte: %q, want %q", in, got, want)
		}
	}
	if got, want := Visible("a\n\tb\x1b"), "a  b␛"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// FuzzCleaner cuts a text in two: what is shown is the same, and nothing in it
// moves the cursor.
func FuzzCleaner(f *testing.F) {
	f.Add([]byte("a\r\n\x1b[2J\xc2\x9b é"), 3)
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		cut = min(max(cut, 0), len(text))
		var c Cleaner
		whole := string(c.Flush(c.Append(nil, text)))
		parts := c.Append(nil, text[:cut])
		if parts = c.Flush(c.Append(parts, text[cut:])); string(parts) != whole {
			t.Errorf("%q cut at %d: %q, want %q", text, cut, parts, whole)
		}
		if !utf8.ValidString(whole) || strings.ContainsFunc(whole, func(r rune) bool {
			return r != '\n' && r != '\t' && unseen.Is(r)
		}) {
			t.Errorf("%q shows as %q", text, whole)
		}
	})
}
