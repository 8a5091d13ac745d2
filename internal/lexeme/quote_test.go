package lexeme

import (
	"encoding/json"
	"testing"
)

// A JSON string has the fewest escapes, and means what it was made of.
func TestAppendQuotedBytes(t *testing.T) {
	for c := range 0x80 {
		text := "a" + string(rune(c)) + "é" + string(rune(c)) + "😀"
		got := AppendQuoted([]byte("x"), []byte(text))[1:]
		var back string
		if err := json.Unmarshal(got, &back); err != nil || back != text {
			t.Errorf("%q is written as %s and read as %q, %v", text, got, back, err)
		}
		escaped := c < 0x20 || c == '"' || c == '\\'
		if long := len(got) > len(text)+2; long != escaped {
			t.Errorf("%q is written as %s", text, got)
		}
	}
	if got := string(AppendQuoted(nil, []byte("\b\f\n\r\t\x00\x1f\x7f/"))); got != `"\b\f\n\r\t\u0000\u001f`+"\x7f"+`/"` {
		t.Errorf("got %s", got)
	}
}

// The content of a quoted string becomes that of a JSON string, whatever its
// quote and whatever was noticed of it.
func TestAppendContent(t *testing.T) {
	for _, c := range []struct {
		name, content string
		quote         byte
		want          string
	}{
		{"nothing", "", '"', ""},
		{"text", "x é", '"', "x é"},
		{"an escape stays", `\n\"\\`, '"', `\n\"\\`},
		{"a needless one goes", `\u0041\/\'`, '"', `A/'`},
		{"a needed one gets its short form", `\u000a\u0000`, '"', `\n\u0000`},
		{"literal backslashes are doubled", `\d\q`, '"', `\\d\\q`},
		{"lone surrogates are literal", `\ud83dx`, '"', `\\ud83dx`},
		{"pairs are runes", `\ud83d\ude00`, '"', `😀`},
		{"raw controls are escaped", "a\nb\x01", '"', `a\nb\u0001`},
		{"a double quote in single ones", `"x"`, '\'', `\"x\"`},
		{"and beside an escape", `"\n"`, '\'', `\"\n\"`},
	} {
		flags := First | Last
		for i := range len(c.content) {
			switch b := c.content[i]; {
			case b == '\\':
				flags |= Escaped
			case b < 0x20:
				flags |= Control
			}
		}
		got := string(AppendContent([]byte("<"), []byte(c.content), flags, c.quote))
		if got != "<"+c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}
