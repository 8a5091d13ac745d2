package grammar

import (
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"pgregory.net/rapid"
)

// symbols scans a text as one call and describes its tokens.
func symbols(text string) string {
	names := lexer.SymbolsByRune(definition{})
	s := newScanner(newTagIndex(text, DefaultDelims, 1<<20), 0)
	var parts []string
	for {
		t := s.next()
		if t.Type == symEnd {
			return strings.Join(parts, " ")
		}
		parts = append(parts, names[t.Type]+"("+t.Value+")")
	}
}

func TestScanner(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`<call>t</call>x`, `Open(<call>) Name(t) Close(</call>)`},
		{`<call> t a.b=1 c=</call>`, `Open(<call>) Space( ) Name(t) Space( ) Key(a) Punct(.) Key(b) Punct(=) Word(1) Space( ) Key(c) Punct(=) Close(</call>)`},
		{`<call>t a=["x", y z , {'k' : v}] </call>`, `Open(<call>) Name(t) Space( ) Key(a) Punct(=) Punct([) String("x") Punct(,) Item(y z) Punct(,) Punct({) String('k') Punct(:) Item(v) Punct(}) Punct(]) Space( ) Close(</call>)`},
		{`<call>t {k:v} </call>`, `Open(<call>) Name(t) Space( ) Punct({) MemberKey(k) Punct(:) Item(v) Punct(}) Space( ) Close(</call>)`},
		{`<call>t a="x`, `Open(<call>) Name(t) Space( ) Key(a) Punct(=) Unclosed("x)`},
		{`<call>t a=x</ca`, `Open(<call>) Name(t) Space( ) Key(a) Punct(=) Word(x) Truncated(</ca)`},
		{`<call>t a=x<call>u`, `Open(<call>) Name(t) Space( ) Key(a) Punct(=) Word(x) Open(<call>)`},
		{`<call>t a="x"y`, `Open(<call>) Name(t) Space( ) Key(a) Punct(=) String("x") Other(y)`},
		{"<call>\xff\xe2\x82a", "Open(<call>) Name(\xff\xe2\x82a)"},
		{"<call>t \xff.\xe2=\xc0", "Open(<call>) Name(t) Space( ) Key(\xff) Punct(.) Key(\xe2) Punct(=) Word(\xc0)"},
		{"<call>t a=\"\\\xff\xe2\"", "Open(<call>) Name(t) Space( ) Key(a) Punct(=) String(\"\\\xff\xe2\")"},
	} {
		if got := symbols(test.text); got != test.want {
			t.Errorf("%q\n got %s\nwant %s", test.text, got, test.want)
		}
	}
}

// For any bytes the scanner terminates, its tokens are in order and have the bytes at
// their positions, and there is only whitespace between them.
func TestScannerIsTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := "<call>" + drawText(t)
		s := newScanner(newTagIndex(text, DefaultDelims, 1<<20), 0)
		for end := 0; ; {
			token := s.next()
			if strings.Trim(text[end:token.start()], " \t\r\n") != "" {
				t.Fatalf("%q: nothing is read from %d to %d", text, end, token.start())
			}
			if got := text[token.start():token.end()]; got != token.Value {
				t.Fatalf("%q: token %q is at %q", text, token.Value, got)
			}
			if token.Type == symEnd {
				return
			}
			if token.end() <= end {
				t.Fatalf("%q: token %q is empty", text, token.Value)
			}
			end = token.end()
		}
	})
}

// drawText draws texts that exercise much of the grammar.
func drawText(t *rapid.T) string {
	part := rapid.SampledFrom([]string{
		"<call>", "</call>", "<call>t ", "<", "</c", " ", " ", "\n", "t", "a", "b=", "a=", "c.d=", "=", ".", "1", "x",
		`"`, `"`, `'`, `"x"`, `\`, "[", "]", "{", "}", ",", ":", "k:", "(", "\\u0041", "\xff", "\xe2", "\x82", "é", "\x00", "</call>",
	})
	return strings.Join(rapid.SliceOfN(part, 0, 30).Draw(t, "text"), "")
}
