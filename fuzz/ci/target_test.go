package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// The targets are those that go test runs, in tests of either kind, and no other
// functions.
func TestTargets(t *testing.T) {
	dir := buggy(t)
	for name, text := range map[string]string{
		"a/x_test.go": `package a_test

import "testing"

func Fuzz(f *testing.F) {}

func Fuzzy() {}

type fake struct{}

func (fake) FuzzMethod(f *testing.F) {}
`,
		"a/other_test.go": "//go:build never\n\npackage a\n\nfunc FuzzNever(f *testing.F) {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := targets(context.Background(), filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	want := []target{
		{Package: "example.com/m/a", Target: "FuzzGood", Name: "a_fuzz_good"},
		{Package: "example.com/m/a", Target: "FuzzBad", Name: "a_fuzz_bad"},
		{Package: "example.com/m/a", Target: "FuzzSlow", Name: "a_fuzz_slow"},
		{Package: "example.com/m/a", Target: "FuzzSeed", Name: "a_fuzz_seed"},
		{Package: "example.com/m/a", Target: "Fuzz", Name: "a_fuzz"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(target{})); diff != "" {
		t.Error(diff)
	}
	if _, err := targets(context.Background(), t.TempDir()); err == nil {
		t.Error("a folder outside of any module is no error")
	}
	if err := os.WriteFile(filepath.Join(dir, "a", "x_test.go"), []byte("package a_test\n\nfunc ("), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := targets(context.Background(), dir); err == nil {
		t.Error("a file that is no Go is no error")
	}
}

// OSS-Fuzz finds the file of a target by its name: the one file in the folder and those
// below that holds the name. With another one its builds for coverage fail.
func TestNamesOfTargets(t *testing.T) {
	all, err := targets(t.Context(), root)
	if err != nil || len(all) < 10 {
		t.Fatal(all, err)
	}
	for _, target := range all {
		var files []string
		err := filepath.WalkDir(target.dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
				return err
			}
			text, err := os.ReadFile(path)
			if bytes.Contains(text, []byte(target.Target)) {
				files = append(files, path)
			}
			return err
		})
		if err != nil || len(files) != 1 {
			t.Errorf("%s is in %q: %v", target.Name, files, err)
		}
	}
}

// A pattern chooses targets by name, and one that chooses none is an error.
func TestSelected(t *testing.T) {
	all := []target{
		{Package: "x.y/lexer", Target: "FuzzText", Name: "lexer_fuzz_text"},
		{Package: "x.y/fuzz", Target: "FuzzRead", Name: "fuzz_fuzz_read"},
		{Package: "x.y/middleware", Target: "FuzzRead", Name: "middleware_fuzz_read"},
	}
	for pattern, want := range map[string]int{"": 3, "FuzzRead": 2, "^FuzzRead$": 2, "middleware_": 1, "lexer|fuzz_fuzz": 2, "x.y/fuzz.FuzzRead": 1} {
		got, err := selected(all, pattern)
		if err != nil || len(got) != want {
			t.Errorf("%q: %v, %v", pattern, got, err)
		}
	}
	for _, pattern := range []string{"FuzzNone", "("} {
		if got, err := selected(all, pattern); err == nil {
			t.Errorf("%q: %v", pattern, got)
		}
	}
}
