package tokens

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/internal/golden"
)

// TestForms: a call in every form.
func TestForms(t *testing.T) {
	suite, err := bench.Published()
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	texts, err := written(suite.Catalog, suite.Calls[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range forms {
		fmt.Fprintf(&log, "%s\n%s\n\n", f, texts[f])
	}
	golden.Assert(t, log.String(), "forms.txt")
}

// TestCounter counts texts whose tokens are known. A special token is text.
func TestCounter(t *testing.T) {
	for _, c := range []struct {
		vocabulary, text string
		want             int
	}{
		{"o200k_base", "", 0},
		{"o200k_base", "hello world", 2},
		{"o200k_base", "<call>getWeather location=Austin</call>", 11},
		{"cl100k_base", "tiktoken is great!", 6},
		{"cl100k_base", "<|endoftext|>", 7},
	} {
		count, err := Counter(c.vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		if got := count(c.text); got != c.want {
			t.Errorf("%s: %q has %d tokens, want %d", c.vocabulary, c.text, got, c.want)
		}
	}
	if _, err := Counter("none"); err == nil {
		t.Error("there is a vocabulary none")
	}
}
