package lexer_test

import (
	"testing"

	"github.com/callwire/callwire/lexer"
)

func TestKindNames(t *testing.T) {
	seen := map[string]bool{}
	for k := lexer.Text; k <= lexer.Cut; k++ {
		if s := k.String(); s == "" || seen[s] {
			t.Errorf("kind %d is called %q", k, s)
		} else {
			seen[s] = true
		}
	}
	for k, want := range map[lexer.Kind]string{lexer.Text: "Text", lexer.Equals: "Equals", lexer.Fault: "Fault", lexer.Cut: "Cut"} {
		if got := k.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
