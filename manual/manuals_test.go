package manual

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/golden"
)

// testdata/manuals.txt has catalogs, each a line of JSON, and under each the manual of it: as
// it is by default, in 150 tokens where that is another, and with an example of each tool.
// After "load" comes what the loader is called with, for the catalog before it.
func TestManuals(t *testing.T) {
	var all strings.Builder
	put := func(text string) {
		fmt.Fprintf(&all, "\t%s\n", strings.ReplaceAll(text, "\n", "\n\t"))
	}
	var o Options
	lines := 0
	catalog := must(nil, o).Catalog()
	for line := range strings.Lines(string(golden.Get(t, "manuals.txt"))) {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		lines++
		all.WriteString(line)
		if input, ok := strings.CutPrefix(line, "load "); ok {
			put(must(catalog, o).Load([]byte(strings.TrimSpace(input))))
			continue
		}
		catalog = must(compile(t, line), o).Catalog()
		whole, budget := must(catalog, o).String(), must(catalog, Options{Budget: 150}).String()
		put(whole)
		if budget != whole {
			put("IN 150 TOKENS")
			put(budget)
		}
		for _, tool := range catalog.Tools() {
			if call := must(catalog, o).exampleOf(must(catalog, o).plans[tool.Name].Tool.Name); call != "" {
				put("EXAMPLE " + call)
			}
		}
	}
	if lines < 40 {
		t.Errorf("%d catalogs", lines)
	}
	golden.Assert(t, all.String(), "manuals.txt")
}
