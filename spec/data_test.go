package spec

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestClassesData holds some bytes against the classes as the text has them.
func TestClassesData(t *testing.T) {
	d := theDocument()
	var data struct{ Classes []classJSON }
	if err := json.Unmarshal(d.classesData(), &data); err != nil {
		t.Fatal(err)
	}
	for _, c := range data.Classes {
		want, ok := map[string]string{
			"space": "09-0A 0D 20", "control": "00-1F 7F", "name-first": "24 40-5A 5F 61-7A 80-FF", "name": "24 2D-3A 40-5A 5F 61-7A 80-FF",
			"escape": "22 27 2F 5C 62 66 6E 72 74-75", "before-quote": "09-0A 0D 20 28 2C 3A 3D 5B 7B",
		}[c.Name]
		if got := strings.Join(c.Bytes, " "); ok && got != want {
			t.Errorf("%s: %s, want %s", c.Name, got, want)
		}
		if len(c.Bytes) == 0 {
			t.Errorf("%s is empty", c.Name)
		}
	}
}

// TestReadersReadLess: who writes a reader reads the first document without the
// chapter on writing, and that is not too much.
func TestReadersReadLess(t *testing.T) {
	text := fileOf(t, MarkdownFile)
	before, writing, _ := strings.Cut(text, "<a id=\"writing\"></a>")
	_, after, ok := strings.Cut(writing, "<a id=\"streaming\"></a>")
	if n := len(strings.Fields(before + after)); !ok || n > 20000 {
		t.Errorf("%d words", n)
	}
}

// TestCoreLeavesNothingOpen: every rule of core is binding, and readers cannot differ
// under it.
func TestCoreLeavesNothingOpen(t *testing.T) {
	text := fileOf(t, MarkdownFile)
	rules, number := 0, 0
	for _, part := range strings.Split(text, "\n#### R")[1:] {
		before := number
		if _, err := fmt.Sscan(part, &number); err != nil || number <= before {
			t.Errorf("R%.20s follows R%d", part, before)
		}
		if part, _, _ = strings.Cut(part, "\n##"); !strings.Contains(part, "\n*core:* ") {
			continue
		}
		rules++
		if i := strings.Index(part, " MAY "); i >= 0 {
			t.Errorf("%s: %s", part[:strings.Index(part, "`")], part[max(0, i-60):i+30])
		}
	}
	if rules < 90 {
		t.Errorf("only %d rules", rules)
	}
}
