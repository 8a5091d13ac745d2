package lexer_test

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
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

// Every byte, in every place of a call, plays the role that its class gives it.
func TestClasses(t *testing.T) {
	first := func(text string) string { // the lexemes up to the fault
		s := show(read(t, lexer.Config{}, text))
		bytewise := show(read(t, lexer.Config{}, strings.Split(text, "")...))
		if s != bytewise {
			t.Errorf("%q is read as %s, and byte by byte as %s", text, s, bytewise)
		}
		return s
	}
	eachByte(func(c byte, x string) {
		for _, p := range []struct {
			place  string
			before string
			after  string
			token  string // of the byte, if it has the role
			has    bool
		}{
			{"first of a name", "<call>", "t</call>", "Name(" + x + "t)", beginsName(c)},
			{"in a name", "<call>t", "u</call>", "Name(t" + x + "u)", inName(c)},
			{"first of a key", "<call>t ", "a=1</call>", "Key(" + x + "a)", inKey(c)},
			{"in a key", "<call>t a", "b=1</call>", "Key(a" + x + "b)", inKey(c)},
			{"first of a bare word", "<call>t a=", "b</call>", "Bare(" + x + "b)", !blank(c) && !strings.ContainsRune(`"'[{`, rune(c))},
			{"in a bare word", "<call>t a=b", "c</call>", "Bare(b" + x + "c)", !blank(c)},
			{"first of an item", "<call>t a=[", "b]</call>", "Bare(" + x + "b)", !blank(c) && !strings.ContainsRune(`"'[{,]}`, rune(c))},
			{"in an item", "<call>t a=[b", "c]</call>", "Bare(b" + x + "c)", !strings.ContainsRune(",]}\r\n", rune(c))},
			{"first of a member", "<call>t a={", "b:1}</call>", "Key(" + x + "b)", inKey(c) && c != ':'},
			{"in a member", "<call>t a={b", "c:1}</call>", "Key(b" + x + "c)", inKey(c) && c != ':'},
			{"in a string", `<call>t a="b`, `c"</call>`, `String("b` + x + `c")`, c != '"'},
		} {
			got := first(p.before + x + p.after)
			if has := strings.Contains(got, p.token); has != p.has {
				t.Errorf("%q %s: %v, want %v: %s", x, p.place, has, p.has, got)
			}
		}
	})
}
