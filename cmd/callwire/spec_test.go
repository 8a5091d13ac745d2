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
	files, err := spec.Files()
	if err != nil {
		t.Fatal(err)
	}
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

func TestSpecOnStandardOutput(t *testing.T) {
	var stdout, stderr strings.Builder
	if code := run([]string{"spec", "--format", "md"}, nil, &stdout, &stderr); code != exitOK {
		t.Fatal(stderr.String())
	}
	if !strings.Contains(stdout.String(), "# The callwire format "+spec.Version) {
		t.Errorf("%.200s", stdout.String())
	}
}

func TestSpecComplains(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	taken := t.TempDir()
	if err := os.Mkdir(filepath.Join(taken, spec.HTMLFile), 0o700); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"":                                  "needs --out DIR",
		"--format pdf --out x":              "--format is md, prompts, html, json or ebnf",
		"--out " + file + " --format md":    "cannot make the folder " + file,
		"--out " + taken + " --format html": "cannot write " + filepath.Join(taken, spec.HTMLFile) + ": is a directory",
		"more":                              "takes no argument",
	} {
		var stdout, stderr strings.Builder
		code := run(append([]string{"spec"}, strings.Fields(args)...), nil, &stdout, &stderr)
		if code != exitFailed || !strings.Contains(stderr.String(), want) || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("spec %s: code %d, %q, want %q", args, code, stderr.String(), want)
		}
	}
}
