package manual

import "testing"

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
