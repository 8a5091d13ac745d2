package tokens

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/internal/golden"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// TestForms: a call in every form.
func TestForms(t *testing.T) {
	suite, err := bench.Published()
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	for _, f := range forms {
		text, err := write(f, suite.Catalog, suite.Calls[1])
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&log, "%s\n%s\n\n", f, text)
	}
	golden.Assert(t, log.String(), "forms.txt")
}

// TestMissing: a format that cannot write a call is left out.
func TestMissing(t *testing.T) {
	s := bench.Suite{Catalog: sig.AnyTool, Calls: []bench.Call{{Name: "t", Input: []byte(`{"a b":1}`)}}}
	r, err := Measure(s, parse.Tags{})
	page := r.Page(Vocabularies[0], true)
	if err != nil || len(r.Counts[0].Total) != len(r.Forms) || !strings.Contains(page, "yaml-xml cannot write all") {
		t.Errorf("%s, %v", page, err)
	}
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
