package sig

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOneLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"Get the weather", "Get the weather"},
		{"  a\n\n\tb\r\n c  ", "a b c"},
		{"a\u2028b\u0085c\u00a0d", "a b c d"},
		{"a\x00\x1b[31mb\x7f", "a [31mb"},
		{"\u202eevil\u202c", "evil"},
		{"a\U000e0041\ufeff\u200b\u00adb", "ab"},
		{"a\u061c\u180e\ufff9\ufffb\U0001bca0\U0001d173\u3164\uffa0b", "ab"},
		{"\u0600١", "\u0600١"},
		{"👩\u200d💻 ok", "👩\u200d💻 ok"},
		{"\xffa", "\ufffda"},
		{"\n", ""},
		{"a  b", "a b"}, {" a", "a"}, {"a ", "a"}, {"a b~", "a b~"},
	} {
		if got := oneLine(c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"Get the weather", 100, "Get the weather"},
		{"Get the weather", 15, "Get the weather"},
		{"Get the weather", 14, "Get the…"},
		{"Get the weather, now", 17, "Get the weather…"},
		{"Get it. Or leave it.", 12, "Get it."},
		{"Get it. Or leave it at once.", 20, "Get it. Or leave it…"},
		{"Use e.g. this or that thing", 10, "Use e.g.…"},
		{"Use e.g. this", 9, "Use e.g.…"},
		{strings.Repeat("x", 50), 10, "…"},
		{"天気を調べる関数です", 5, "天気を調…"},
		{"天気。天気を調べる", 5, "天気。"},
		{"abc", 0, ""},
	} {
		got := cut(c.text, c.n)
		if got != c.want {
			t.Errorf("%q to %d: got %q, want %q", c.text, c.n, got, c.want)
		}
		if n := utf8.RuneCountInString(got); n > max(c.n, len("…")) {
			t.Errorf("%q has %d characters", got, n)
		}
	}
}
