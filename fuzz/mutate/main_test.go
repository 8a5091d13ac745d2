package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shown matches a command in a page, with its arguments.
var shown = regexp.MustCompile(`go run \./fuzz/mutate([^\n#]*)`)

// TestShownCommands: the commands in the pages are valid, and every pattern in them
// matches a mutant.
func TestShownCommands(t *testing.T) {
	m, err := openModule(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	patterns := 0
	for _, page := range []string{"doc.go", "../README.md", "../../README.md", "../../.ci/run"} {
		text, err := os.ReadFile(filepath.FromSlash(page))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range shown.FindAllSubmatch(text, -1) {
			o, err := parse(words(string(found[1])), os.Stderr)
			if err != nil {
				t.Errorf("%s: %s: %v", page, found[0], err)
				continue
			}
			if o.only == "" {
				continue
			}
			patterns++
			if _, err := choose(m, o, nil, new(Report)); err != nil {
				t.Errorf("%s: %s: %v", page, found[0], err)
			}
		}
	}
	if patterns < 4 {
		t.Errorf("%d patterns are shown", patterns)
	}
}

// words splits a command as a shell does, with single quotes only.
func words(command string) []string {
	var all []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}
