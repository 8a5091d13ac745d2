package sig

import "testing"

func TestIsWord(t *testing.T) {
	for text, want := range map[string]bool{
		"a": true, "a-b": true, "x.y/z": true, "$ref": true, "größe": true, "字": true, "2fa": true, "+1": true,
		"": false, "-": false, "-a": false, "a b": false, "a:b": false, "a|b": false, "a?": false, "*": false, "@a": false,
		"a\u00a0b": false, "\u202ea": false, "—": false, "\xff": false, "a(b)": false, "<a": false, "a\x7f": false,
	} {
		if isWord(text) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}

func TestQuoted(t *testing.T) {
	w := writer{guard: defaultGuard}
	for text, want := range map[string]string{
		`a"b\c`: `"a\"b\\c"`, "a\nb": `"a\u000ab"`, "<call>x": `"\u003ccall>x"`, "a<b": `"a<b"`,
		"\U000e0041": `"\udb40\udc41"`, "é`": "\"é`\"",
	} {
		if got := string(w.quoted(nil, text)); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	if got := string(w.ticked(nil, []byte("{\"a\":\"`</call>\"}"))); got != "`{\"a\":\"\\u0060\\u003c/call>\"}`" {
		t.Error(got)
	}
}
