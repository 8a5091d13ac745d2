package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwire/callwire/spec"
)

func TestSpec(t *testing.T) {
	files := spec.Files()
	var everything []string
	want := map[string][]byte{}
	for _, f := range files {
		everything = append(everything, f.Name)
		want[f.Name] = f.Text
	}
	for format, names := range map[string][]string{
		"": everything, "json": {spec.StatesFile, spec.ClassesFile, spec.CodesFile, spec.RulesFile}, "ebnf": {spec.GrammarFile}, "prompts": {spec.PromptsFile}, "md": {spec.MarkdownFile}, "html": {spec.HTMLFile},
	} {
		dir := filepath.Join(t.TempDir(), "new", "folder")
		args := []string{"spec", "--out", dir}
		if format != "" {
			args = append(args, "--format", format)
		}
		var stdout, stderr strings.Builder
		if code := run(args, nil, &stdout, &stderr); code != exitOK || stdout.String()+stderr.String() != "" {
			t.Errorf("%q: code %d, %s%s", args, code, stdout.String(), stderr.String())
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != len(names) {
			t.Errorf("%q: %v, %v", args, entries, err)
		}
		for _, name := range names {
			got, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || !bytes.Equal(got, want[name]) {
				t.Errorf("%q: %s is not the specification: %v", args, name, err)
			}
		}
	}
}
