package spec

import (
	"strings"
	"testing"
)

// TestEntries: every id has an entry with text, without marks of Markdown.
func TestEntries(t *testing.T) {
	d := theDocument()
	kinds := map[string]int{}
	for _, id := range IDs() {
		e := d.entry(id)
		if e.ID != id || e.Text == "" {
			t.Errorf("%s: %+v", id, e)
			continue
		}
		kinds[e.Kind]++
		for i, block := range strings.Split(e.Text, "```") {
			if i%2 == 0 && (strings.Contains(block, "](#") || strings.Contains(block, "<a id") || strings.Contains(block, "**")) {
				t.Errorf("%s: marks are left in %q", id, block)
			}
		}
	}
	for _, kind := range []string{"code", "rule", "case", "decision"} {
		if kinds[kind] < 20 {
			t.Errorf("%d entries of kind %s", kinds[kind], kind)
		}
	}
	if e := d.entry("Argument"); e.Kind != "production" || !strings.Contains(e.Text, `Argument = Path "=" Value? .`) {
		t.Errorf("%+v", e)
	}
	if e := d.entry("nothing"); e.Kind != "" {
		t.Error("nothing has an entry")
	}
}

// TestCodeEntry: a code is explained with how to fix it, the rule that is named
// after it first, and with a plain case of core.
func TestCodeEntry(t *testing.T) {
	e, ok := Explain("expected-equals")
	if !ok {
		t.Fatal("no entry")
	}
	for _, want := range []string{"expected = after the key", "write key=value", "Reported as: malformed", "<call>t a</call>\n"} {
		if !strings.Contains(strings.ToLower(e.Text), strings.ToLower(want)) {
			t.Errorf("no %q in %q", want, e.Text)
		}
	}
	if len(e.Rules) == 0 || e.Rules[0] != "error.expected-equals" {
		t.Errorf("rules %q", e.Rules)
	}
}

func TestPlainText(t *testing.T) {
	for in, want := range map[string]string{
		"a `b\\*c` and *d*\\*, [`e`](#f)": "a b\\*c and d*, e",
		"<a id=\"x\"></a>\n\n> q\n> r":    "q\nr",
		"one\n```text\n*as* it is\n```\n": "one\n```text\n*as* it is\n```",
		"```text\n```js↵\n*a*\n```\n*b*":  "```text\n```js↵\n*a*\n```\nb",
	} {
		if got := plainText(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
