package spec

import (
	"strings"
	"testing"
)

func TestCode(t *testing.T) {
	for text, want := range map[string]string{"x|y": "`x\\|y`", "`": "`` ` ``", "": ""} {
		if got := tableCell(code(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Every table is used, and has a row for each line.
func TestTables(t *testing.T) {
	d := theDocument()
	used := map[string]bool{}
	for _, c := range d.Chapters {
		for _, p := range c.Parts {
			if p.Directive == "table" {
				used[p.Argument] = true
			}
		}
	}
	for _, table := range d.templates.Templates() {
		name, isTable := strings.CutPrefix(table.Name(), "table ")
		if !isTable {
			continue
		}
		if !used[name] && name != "codes of the page" {
			t.Errorf("no chapter has the table %s", name)
		}
		lines := strings.Split(strings.TrimSpace(d.table(name)), "\n")
		columns := strings.Count(strings.ReplaceAll(lines[0], `\|`, ""), "|")
		for _, line := range lines {
			if strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != columns {
				t.Errorf("%s: %q has not %d columns", name, line, columns-1)
			}
		}
		if len(lines) < 3 {
			t.Errorf("%s is empty", name)
		}
	}
}
