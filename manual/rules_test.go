package manual

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// The manual shows the close tag in a string as the writer puts it there.
func TestEscapedClose(t *testing.T) {
	for _, d := range []parse.Tags{{Open: "<call>", Close: "</call>"}, {Open: "<c>", Close: "//c>"}, {Open: "//c>", Close: "</c>"}, {Open: "@c", Close: "@/c"}, {Open: "<c>", Close: "~c~"}} {
		written, err := parse.FormatCall(sig.AnyTool, "t", []byte(`{"a":"x `+d.Close+`"}`), &parse.FormatOptions{Tags: d})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := escapedClose(d), strings.TrimSuffix(strings.TrimPrefix(written, d.Open+`t a="x `), `"`+d.Close); got != want {
			t.Errorf("%s: the manual shows %s, the writer writes %s", d.Close, got, want)
		}
	}
}

// Of a signature that is notation which is in no quotes, comment or description.
func TestNotation(t *testing.T) {
	for line, want := range map[string]string{
		"": "", "t a=1 - b=2": "t a=1", "t a-b": "t a-b", `t a:"="|"\"="|x`: "t a:||x", "t a:`{\"=\":1}`|`\\`=2": "t a:|=2", "t a (x = (y) z) b=1": "t a b=1", "t a (x)": "t a", "t(x)": "t(x)",
		"t a:{b:[int] (c) d} (e)": "t a:{b:[int] d}", `t "x`: "t ", "t a (b)(c)": "t a(c)", "t a () b": "t a b",
	} {
		if got := notNotation.ReplaceAllString(line, ""); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
