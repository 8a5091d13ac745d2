package lexeme

import (
	"strings"
	"testing"
)

// The classes of bytes as the language lists them.
func letter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }
func blank(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func beginsName(c byte) bool {
	return letter(c) || c == '_' || c == '$' || c == '@' || c >= 0x80
}
func inName(c byte) bool {
	return beginsName(c) || digit(c) || c == '-' || c == '.' || c == '/' || c == ':'
}
func inKey(c byte) bool {
	return !blank(c) && c >= 0x20 && c != 0x7f && !strings.ContainsRune(`=.<>"'[]{},`, rune(c))
}

// eachByte calls f with every byte, and with text that holds it: those from 0x80
// up as the beginning of a rune, which is what the text must be anyway.
func eachByte(f func(c byte, text string)) {
	for c := range 0x80 {
		f(byte(c), string(rune(c)))
	}
	for _, r := range "\u0080é߿ࠀ\uffff😀\U0010ffff" {
		f(string(r)[0], string(r))
	}
}

func TestIsName(t *testing.T) {
	eachByte(func(c byte, text string) {
		if got := IsName([]byte(text)); got != beginsName(c) {
			t.Errorf("%q begins a name: %v", text, got)
		}
		if got := IsName([]byte("a" + text + "z")); got != inName(c) {
			t.Errorf("%q is in a name: %v", text, got)
		}
	})
	if IsName("") {
		t.Error("nothing is a name")
	}
}

func TestIsKey(t *testing.T) {
	eachByte(func(c byte, text string) {
		for _, key := range []string{text, "a" + text, text + "z"} {
			if got := IsKey([]byte(key)); got != inKey(c) {
				t.Errorf("%q is a key: %v", key, got)
			}
		}
	})
	if IsKey("") {
		t.Error("nothing is a key")
	}
}

func TestIsPath(t *testing.T) {
	for path, want := range map[string]bool{"a": true, "a.b.c-d": true, "é.$x": true, "": false,
		".": false, "a.": false, ".a": false, "a..b": false, "a b": false, "a=b": false,
		"a.<": false} {
		if got := IsPath(path); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
}
