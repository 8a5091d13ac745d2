package tokens

import (
	_ "embed" // of the page
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

//go:embed page.tmpl
var page string

// Page shows the report: in full for one vocabulary, in totals for the others.
func (r Report) Page(vocabulary string) bench.Page {
	others := slices.Clone(r.Counts)
	at := slices.IndexFunc(others, func(c Count) bool { return c.Vocabulary == vocabulary })
	return bench.NewPage(page, map[string]any{
		"Tools": r.Tools, "Calls": r.Calls, "Forms": forms, "ManyTools": manyTools,
		"Count": r.Counts[at], "Others": slices.Delete(others, at, at+1),
		"Shown": []string{Wire, native, bare, "hermes", "qwen3-coder"},
	}, template.FuncMap{
		"count": terminal.Count,
		"minus": func(a, b int) int { return a - b },
		"ratio": func(format string, a, b int) string {
			return fmt.Sprintf(format, float64(a)/float64(b))
		},
		"short": func(call string) string { return short(call, 39) },
	})
}

// short returns a call in one line of at most n runes, without its tags.
func short(text string, n int) string {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<call>"), "</call>")
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= n {
		return string(runes)
	}
	return string(runes[:n-1]) + "…"
}
