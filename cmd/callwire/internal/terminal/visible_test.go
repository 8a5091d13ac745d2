package terminal

import (
	"testing"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain, é, 界, 👩‍💻":   "plain, é, 界, 👩‍💻",
		"a\nb\tc":            "a\nb\tc",
		"a\r\nb\r":           "a\nb" + `\u000d`,
		"\x1b[31m\x00\x7f":   `\u001b[31m\u0000\u007f`,
		"\u2028\u200b\ufeff": `\u2028\u200b\ufeff`,
		"\U000e0041\u3164a":  `\udb40\udc41\u3164a`,
		"\xff \x00":          "\ufffd " + `\u0000`,
	} {
		if got := VisibleText(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got, want := Visible("a\n\tb\x1b"), `a  b\u001b`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
