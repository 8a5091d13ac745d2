package spec

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/callwire/callwire/corpus"
)

// written writes a document of the given chapters and two rules. The error is the mistake.
func written(files map[string]string) (text string, err error) {
	defer func() {
		if mistake := recover(); mistake != nil {
			err = fmt.Errorf("%v", mistake)
		}
	}()
	d := newDocument()
	d.Rules = nil
	for _, id := range []string{"x.one", "x.two"} {
		d.Rules = append(d.Rules, &rule{Rule: corpus.Rule{ID: id, Text: "It is so."}})
		d.target(id, id, code(id))
	}
	d.productions = readProductions("P = <a> .", "", nil)
	chapters := fstest.MapFS{}
	for name, text := range files {
		chapters["chapters/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	d.readChapters(chapters)
	calls, _ := d.markdowns()
	d.write("page", d)
	return string(calls), nil
}

func TestChapters(t *testing.T) {
	text, err := written(map[string]string{
		"02-second.md": "# Second {#second}\n\n{{rule x.two}}\n\nOf *two*, see [[x.one]] and [[here]].\n\n## Here {#here}\n",
		"01-first.md":  "# First {#first}\n\nProse.\n\n```text\n{{rule no.directive}}\n```\n\n{{rule x.one}}\n\n{{production P}}\n",
		"a-last.md":    "# Last {#last}\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	last := -1
	for _, want := range []string{
		"[1 First](#first)", "[A Last](#last)", "## 1 First", "{{rule no.directive}}", `<a id="x.one"></a>`, "**It is so.**", "P = <a> .",
		"## 2 Second", `<a id="x.two"></a>`, "Of *two*, see [`x.one`](#x.one) and [2.1 Here](#here).", "### 2.1 Here", "## A Last",
	} {
		i := strings.Index(text, want)
		if i < 0 || i < last {
			t.Errorf("%q is not there, or too early:\n%s", want, text)
		}
		last = i
	}
}

func TestWrongChapters(t *testing.T) {
	const all = "{{rule x.one}}\n{{rule x.two}}\n{{production P}}\n"
	for text, want := range map[string]string{
		"no title\n":                                 "not a title",
		"# T {#t}\n{{rule x.one}}\n":                 "the rule x.two is not in the chapters",
		"# T {#t}\n{{rule x.one}}\n{{rule x.two}}\n": "the production P is in 0 places",
		"# T {#t}\n{{rule}}\n":                       "there is no rule",
		"# T {#t}\n{{rule x.three}}\n":               "no rule x.three",
		"# T {#t}\n{{rule x.one}}\n{{rule x.one}}\n": "the rule x.one is in two places",
		"# T {#t}\n{{rule x.one a/b}}\n":             "no case a/b",
		"# T {#t}\n" + all + "{{production P}}\n":    "the production P is in 2 places",
		"# T {#t}\n" + all + "{{production Q}}\n":    "no production Q",
		"# T {#t}\n" + all + "{{table none}}\n":      "no table",
		"# T {#t}\n" + all + "{{nothing}}\n":         "no directive nothing",
		"# T {#t}\n" + all + "{{ rule x.one }}\n":    "not a directive",
		"# T {#t}\n" + all + "[[y.none]]\n":          "[[y.none]] refers to nothing",
	} {
		if _, err := written(map[string]string{"01-t.md": text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
