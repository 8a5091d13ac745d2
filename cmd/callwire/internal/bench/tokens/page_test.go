package tokens

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/golden"
)

// sample is a report with figures that nobody has counted.
func sample() Report {
	figures := func(n int) map[Form]int {
		return map[Form]int{Wire: n, Native: 3 * n, Bare: 2 * n, Hermes: 2*n + 1, XML: n + 1, Python: n - 1}
	}
	c := Count{
		Vocabulary: "o200k_base",
		Calls:      []map[Form]int{figures(10), figures(20)},
		Total:      figures(30),
		Envelope:   figures(16),
		Unspaced:   44,
		Savings:    []Saving{{Native, 60, 32, 28}, {Bare, 30, 16, 14}, {Hermes, 31, 17, 14}, {XML, 1, 1, 0}, {Python, -1, -1, 0}},
		Prompt:     Prompt{Manual: 200, Signatures: 120, Definitions: 400, Functions: 410},
		Announced:  []Definition{{"wire, parameters off", 190, "3 descriptions, wholly or in part; 1 constraint"}, {"wire, parameters short", 200, "nothing"}, {"JSON", 400, "nothing"}},
		Large:      []Catalogue{{"JSON", 9000}, {"wire, lazy: found by a search", 150}},
		Tags:       []Tags{{"((", "))", 26, 198}, {"<calls>", "</calls>", 31, 201}},
		BreakEven:  []BreakEven{{Native, 400, Span{1, 0}, Span{1, 0}}, {Native, 0, Span{7, 0}, Span{2, 0}}},
	}
	other := c
	other.Vocabulary, other.Total = "cl100k_base", figures(29)
	return Report{
		Tools: 1,
		Calls: []Call{
			{"getTime", map[Form]string{Wire: "<call>getTime timezone=Asia/Tokyo</call>", XML: "<getTime>…"}},
			{"getTime", map[Form]string{Wire: `<call>getTime timezone="America/Argentina/Buenos_Aires" at="…"</call>`}},
		},
		Prices: DefaultPrices,
		Counts: []Count{c, other},
	}
}

// TestJSON: the members of the report are what they were. A new one may join
// them; go test -update writes the file anew.
func TestJSON(t *testing.T) {
	text, err := json.MarshalIndent(sample(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Assert(t, string(text)+"\n", "report.json")
}

// TestPage holds what people see.
func TestPage(t *testing.T) {
	var text, markdown strings.Builder
	if err := sample().Page("o200k_base").WriteText(&text, 100); err != nil {
		t.Fatal(err)
	}
	if err := sample().Page("cl100k_base").WriteMarkdown(&markdown); err != nil {
		t.Fatal(err)
	}
	golden.Assert(t, text.String(), "page.txt")
	golden.Assert(t, markdown.String(), "page.md")
}

func TestSpan(t *testing.T) {
	for s, want := range map[Span]string{
		{}: "never", {1, 0}: "always", {9, 0}: "from 9 calls on", {1, 1}: "with 1 call only", {1, 7}: "up to 7 calls", {2, 7}: "2 to 7 calls",
	} {
		if got := s.String(); got != want {
			t.Errorf("%+v: %q, want %q", [2]int{s.From, s.Until}, got, want)
		}
	}
}
