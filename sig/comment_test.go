package sig

import "testing"

func TestBalanced(t *testing.T) {
	for text, want := range map[string]string{
		"f(x)": "f(x)", "a) b": "a] b", "(a": "[a", "((a)": "[(a)", "a)(b": "a][b",
	} {
		if got := balanced(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
