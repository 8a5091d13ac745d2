package grammar

import (
	"strings"
	"testing"
)

func TestUnquote(t *testing.T) {
	for _, test := range []struct {
		written, text string
	}{
		{`plain`, "plain"},
		{`\" \' \\ \/ \b \f \n \r \t`, "\" ' \\ / \b \f \n \r \t"},
		{`\u0041\u00e9\u00E9\u4e2d\u0000`, "Aéé中\x00"},
		{`\ud83d\ude00 \uD83D\uDE00`, "😀 😀"},
		{`\uFFFF\ufffd`, "\uffff\ufffd"},

		// A backslash that does not begin an escape is literal.
		{`\d+ \. \é C:\x`, `\d+ \. \é C:\x`},
		{"\\\n", "\\\n"},
		{`\u \u12 \u12g4 \U0041 \u 0041 \u+041`, `\u \u12 \u12g4 \U0041 \u 0041 \u+041`},
		{`\ud83d`, `\ud83d`},
		{`\ude00`, `\ude00`},
		{`\ud83d\u0041`, `\ud83dA`},
		{`\ud83d\ud83d\ude00`, `\ud83d😀`},
		{`\ude00\ud83d`, `\ude00\ud83d`},
		{`\ud83d\ude0`, `\ud83d\ude0`},
		{`\ud83d\n`, "\\ud83d\n"},
		{`\u\u0041`, `\uA`},
		{`\\u0041`, `\u0041`},
		{`\\\u0041`, `\A`},
		{`\u\"`, `\u"`},
	} {
		for _, quote := range []string{`"`, `'`} {
			if got := unquote(quote + test.written + quote); got != test.text {
				t.Errorf("%s is %q, want %q", test.written, got, test.text)
			}
		}
	}
}

func TestUnitAt(t *testing.T) {
	for _, test := range []struct {
		quoted string
		at     int
		unit   int
	}{
		{`"abc"`, 2, 2},
		{`"a\nb"`, 2, 2},
		{`"a\nb"`, 3, 2},
		{`"a\nb"`, 4, 4},
		{`"\\n"`, 3, 3},
		{`"\u0041x"`, 6, 1},
		{`"\u0041x"`, 7, 7},
		{`"\ud83d\ude00x"`, 12, 1},
		{`"\ud83d\u0041x"`, 8, 7},
		{`"\u004"`, 3, 3},
		{`"x\`, 2, 2},
	} {
		if got := unitAt(test.quoted, test.at); got != test.unit {
			t.Errorf("offset %d of %s is in the unit at %d, want %d", test.at, test.quoted, got, test.unit)
		}
	}
}

// A string reads the same however it is written.
func TestStringsInEveryForm(t *testing.T) {
	const text = `<call>t "</call>" '\' \u0041 😀`
	forms := []string{
		`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`,
		`'` + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + `'`,
		`"` + strings.NewReplacer(`\`, `\u005c`, `"`, `\u0022`, `😀`, `\ud83d\uDE00`).Replace(text) + `"`,
	}
	for _, form := range forms {
		call := readOne(t, `<call>t a=`+form+`</call>`)
		if got := call.Arguments[0].Value.String.Text(); got != text {
			t.Errorf("%s is %q", form, got)
		}
	}
}
