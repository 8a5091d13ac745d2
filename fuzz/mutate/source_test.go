package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A change to one function does not affect the sample of the others.
func TestSampleIsStable(t *testing.T) {
	functions := func(n int) string {
		var b strings.Builder
		for i := range 20 {
			fmt.Fprintf(&b, "func f%d(x int) bool { return x < 0 }\n", i)
		}
		return strings.Replace(b.String(), "x < 0", strings.Repeat("x+", n)+"x < 0", 1)
	}
	chosen := func(n int, seed uint64) map[string]bool {
		keys := map[string]bool{}
		for _, m := range sample(parsed(t, functions(n)).mutants(), 25, seed) {
			keys[m.key()+m.operator] = true
		}
		return keys
	}
	before, after, other := chosen(0, 1), chosen(3, 1), chosen(0, 2)
	if len(before) != 25 {
		t.Fatalf("%d mutants, want 25", len(before))
	}
	gone, shared := 0, 0
	for k := range before {
		if !after[k] {
			gone++
		}
		if other[k] {
			shared++
		}
	}
	if gone > 9 { // those of f0, or as many as it has now
		t.Errorf("%d of 25 mutants are not in the sample any more", gone)
	}
	if shared > 20 {
		t.Errorf("the samples of two seeds share %d of 25 mutants", shared)
	}
}

// A smaller sample is a prefix of a larger one.
func TestSampleBeginsSample(t *testing.T) {
	all := parsed(t, "func f(x int) bool { return x < 0 || x > 100 && x != 1000 }\n").mutants()
	whole := sample(all, 0, 1)
	if len(whole) != len(all) || len(sample(all, len(all)+1, 1)) != len(all) {
		t.Fatalf("%d of %d mutants", len(whole), len(all))
	}
	for n := 1; n < len(all); n++ {
		if some := sample(all, n, 1); len(some) != n || !slices.Equal(some, whole[:n]) {
			t.Errorf("a sample of %d has %d, or others", n, len(some))
		}
	}
}

// Mutants of one function with the same text are numbered in source order; others have no
// number.
func TestAlikeAreNumbered(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go": "package p\n\nfunc f(x int) {\n\tx++\n\tx--\n\tx++\n}\n\nfunc init() {\n\tf(1)\n}\n",
		"b.go": "package p\n\nfunc init() {\n\tf(1)\n}\n\nfunc g(x int) {\n\tx++\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	all, err := mutants(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	seen := map[string]bool{}
	for _, m := range all {
		if seen[m.key()] {
			t.Errorf("two mutants have the key %s", m.key())
		}
		seen[m.key()] = true
		if m.operator == "remove" {
			got = append(got, m.String())
		}
	}
	want := []string{
		"a.go:4: f remove: x++ => if false { x++ } #1",
		"a.go:5: f remove: x-- => if false { x-- }",
		"a.go:6: f remove: x++ => if false { x++ } #2",
		"a.go:10: init remove: f(1) => if false { f(1) } #1",
		"b.go:4: init remove: f(1) => if false { f(1) } #2",
		"b.go:8: g remove: x++ => if false { x++ }",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPackageWithoutMutants(t *testing.T) {
	if _, err := mutants(t.TempDir(), "."); err == nil {
		t.Error("no error for a folder without sources")
	}
	if _, err := mutants(t.TempDir(), "missing"); err == nil {
		t.Error("no error for a folder that is missing")
	}
}
