package spec_test

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/spec"
)

// The files are what would be generated now.
func TestGenerated(t *testing.T) {
	for _, f := range spec.Files() {
		got, err := os.ReadFile(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, f.Text) {
			t.Errorf("%s is stale: run go generate ./spec", f.Name)
		}
	}
}

// Every link from one document into the other has its target there.
func TestLinksBetweenDocuments(t *testing.T) {
	texts, known := map[string]string{}, map[string]bool{}
	for _, f := range spec.Files()[:2] {
		texts[f.Name] = string(f.Text)
		for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(string(f.Text), -1) {
			known[f.Name+"#"+m[1]] = true
		}
	}
	links := 0
	for name, text := range texts {
		for _, m := range regexp.MustCompile(`\]\(([A-Z]+\.md#[^)]+)\)`).FindAllStringSubmatch(text, -1) {
			if links++; !known[m[1]] {
				t.Errorf("%s: %s leads nowhere", name, m[1])
			}
		}
	}
	if links < 50 {
		t.Errorf("only %d links", links)
	}
}

// generated returns the file of that name.
func generated(t *testing.T, name string) string {
	t.Helper()
	files := spec.Files()
	i := slices.IndexFunc(files, func(f spec.File) bool { return f.Name == name })
	return string(files[i].Text)
}

// The page needs nothing but itself, and says so to a browser that looks for an icon.
func TestSelfContained(t *testing.T) {
	const noIcon = `<link rel="icon" href="data:,">`
	page := generated(t, spec.HTMLFile)
	if !strings.Contains(page, noIcon) {
		t.Error("browsers ask for favicon.ico")
	}
	page = strings.Replace(page, noIcon, "", 1)
	for _, wrong := range []string{"<script src", "<link", "<iframe", "<img", "@import", " src=", "url(", " onclick="} {
		if strings.Contains(page, wrong) {
			t.Errorf("the page has %s", wrong)
		}
	}
	for _, m := range regexp.MustCompile(`href="([^#"][^"]*)"`).FindAllStringSubmatch(page, -1) {
		t.Errorf("the page refers to %s", m[1])
	}
}

// Every reference within a file has its target, and no target is there twice.
func TestReferences(t *testing.T) {
	targets := regexp.MustCompile(` id="([^"]+)"`)
	for name, c := range map[string]struct {
		text       string
		references *regexp.Regexp
	}{
		spec.HTMLFile:     {generated(t, spec.HTMLFile), regexp.MustCompile(` href="#([^"]+)"`)},
		spec.MarkdownFile: {generated(t, spec.MarkdownFile), regexp.MustCompile(`\]\(#([^)]+)\)`)},
	} {
		known := map[string]bool{}
		for _, m := range targets.FindAllStringSubmatch(c.text, -1) {
			if known[m[1]] {
				t.Errorf("%s: the id %s is given twice", name, m[1])
			}
			known[m[1]] = true
		}
		found := c.references.FindAllStringSubmatch(c.text, -1)
		if len(found) < 150 {
			t.Errorf("%s: only %d references", name, len(found))
		}
		for _, m := range found {
			if !known[m[1]] {
				t.Errorf("%s: #%s leads nowhere", name, m[1])
			}
		}
	}
}

// The page is well-formed as far as nesting goes.
func TestNesting(t *testing.T) {
	void := map[string]bool{"meta": true, "link": true, "input": true, "wbr": true, "br": true, "hr": true, "circle": false}
	var open []string
	page := generated(t, spec.HTMLFile)
	for _, m := range regexp.MustCompile(`<(/?)([a-z][a-z0-9]*)[^>]*?(/?)>`).FindAllStringSubmatch(page, -1) {
		switch {
		case void[m[2]] || m[3] == "/":
		case m[1] == "":
			open = append(open, m[2])
		case len(open) == 0 || open[len(open)-1] != m[2]:
			t.Fatalf("</%s> closes %q", m[2], open)
		default:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("not closed: %q", open)
	}
}
