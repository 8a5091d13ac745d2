package spec

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	got := table([]string{"a", "b"}, [][]string{{"x|y", code("`")}, {"", code("")}})
	want := "| a | b |\n|---|---|\n| x\\|y | `` ` `` |\n|  |  |\n"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Every table is used, and has a row for each line.
func TestTables(t *testing.T) {
	d, err := theDocument()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, c := range d.chapters {
		for _, p := range c.parts {
			if p.directive == "table" {
				used[p.arguments[0]] = true
			}
		}
	}
	for name, write := range tables {
		if !used[name] {
			t.Errorf("no chapter has the table %s", name)
		}
		lines := strings.Split(strings.TrimSpace(write(d)), "\n")
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
