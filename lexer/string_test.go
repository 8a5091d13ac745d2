package lexer_test

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
)

func TestString(t *testing.T) {
	checkBody(t, []rule{
		{"an empty string", `t a=""`, `Name(t) _ Key(a) = String("")`},
		{"blanks and punctuation", `t a="x = [y], {z}"`, `Name(t) _ Key(a) = String("x = [y], {z}")`},
		{"the other quote is content", `t a="it's" b='"'`, `Name(t) _ Key(a) = String("it's") _ Key(b) = String('"')`},
		{"line ends may stand in it", "t a=\"x\ny\"", "Name(t) _ Key(a) = String(\"x\ny\")+Control"},
		{"controls may stand in it", "t a=\"\x00\"", "Name(t) _ Key(a) = String(\"\x00\")+Control"},
		{"U+007F is not one that JSON escapes", "t a=\"\x7f\"", "Name(t) _ Key(a) = String(\"\x7f\")"},
		{"runes", `t a="é😀"`, `Name(t) _ Key(a) = String("é😀")`},
		{"an escaped quote does not end it", `t a="x\"y"`, `Name(t) _ Key(a) = String("x\"y")+Escaped+QuoteEsc`},
		{"an escaped backslash before the quote", `t a="x\\"`, `Name(t) _ Key(a) = String("x\\")+Escaped`},
		{"a backslash before anything else is literal", `t a="\d+"`, `Name(t) _ Key(a) = String("\d+")+Escaped+Literal`},
		{"a backslash before a rune is literal", `t a="\é"`, `Name(t) _ Key(a) = String("\é")+Escaped+Literal`},
		{"a long string", `t a="` + strings.Repeat("0123456789", 9) + `"`, `Name(t) _ Key(a) = String("` + strings.Repeat("0123456789", 9) + `")`},
	})
}

// Pieces of a string are cut between units, and each says whether it is the
// first and the last one.
func TestPiecesAreWholeUnits(t *testing.T) {
	const content = `aé😀\n\ud83d\ude00\ud83dx\"`
	units := map[int]bool{}
	for i, at := 0, 1; i < len(content); { // offsets count from the opening quote
		units[at] = true
		n := len(string([]rune(content[i:])[:1]))
		if content[i] == '\\' {
			n, _ = lexeme.Escape([]byte(content[i:] + `"`))
		}
		i, at = i+n, at+n
	}
	const before = `<call>t a=`
	text := before + `"` + content + `"</call>`
	for cut := len(before) + 1; cut <= len(before)+1+len(content); cut++ {
		l, err := lexer.New(lexer.Config{})
		if err != nil {
			t.Fatal(err)
		}
		var pieces []lexer.Token
		for _, chunk := range []string{text[:cut], text[cut:]} {
			l.Feed([]byte(chunk))
			for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
				for _, k := range toks {
					if k.Kind == lexer.String {
						pieces = append(pieces, k)
					}
				}
			}
		}
		for i, k := range pieces {
			if first := k.Flags&lexer.First != 0; first != (i == 0) {
				t.Errorf("cut %d: piece %d of %d: First is %v", cut, i, len(pieces), first)
			}
			if last := k.Flags&lexer.Last != 0; last != (i == len(pieces)-1) {
				t.Errorf("cut %d: piece %d of %d: Last is %v", cut, i, len(pieces), last)
			}
			if at := k.Start - len(before); i > 0 && !units[at] && at != len(content)+1 {
				t.Errorf("cut %d: a piece begins inside a unit, at %q", cut, text[k.Start:])
			}
		}
	}
}
