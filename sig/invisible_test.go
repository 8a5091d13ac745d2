package sig

import "testing"

// Visible escapes invisible characters and nothing else.
func TestInvisible(t *testing.T) {
	for _, text := range []string{
		"\x00", "\t", "\n", "\r", "\x1b", "\x7f", "\u0080", "\u0085", "\u009f", "\u00ad", "\u034f", "\u061c", "\u115f", "\u17b4", "\u180e",
		"\u200b", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202e", "\u2060", "\u2064", "\u2066", "\u2069", "\u206f", "\u3164", "\ufeff",
		"\uffa0", "\ufff9", "\U0001bca0", "\U0001d173", "\U000e0001", "\U000e0041", "\U000e0100", "\U000e01ef", "\U000e0fff",
	} {
		r := []rune(text)[0]
		if !Invisible(r) || Visible("a"+text+"b") == "a"+text+"b" {
			t.Errorf("%U is not escaped", r)
		}
	}
	for _, text := range []string{"", " ", "a", "~", "\u00a0", "é", "e\u0301", "\u0600", "\u06dd", "👩\u200d💻", "❤\ufe0f", "न\u200cी", "日本", "\u2003", "\U0010ffff", "\ufffd"} {
		if got := Visible(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	for text, want := range map[string]string{"a\u202eb": `a\u202eb`, "\n\x1b": `\u000a\u001b`, "\U000e0041": `\udb40\udc41`, "é\xff": "é\ufffd"} {
		if got := Visible(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
