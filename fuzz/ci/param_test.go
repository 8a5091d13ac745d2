package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParameters(t *testing.T) {
	dir := t.TempDir()
	source := `package p

func FuzzTwo(f *testing.F) {
	f.Add("", nil, 1)
	f.Fuzz(func(t *testing.T, name string, in, cuts []byte, n int) { f.Log(n) })
}

func FuzzNone(f *testing.F) { f.Fuzz(check) }
`
	if err := os.WriteFile(filepath.Join(dir, "p_test.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := parameters(dir, "FuzzTwo")
	if err != nil {
		t.Fatal(err)
	}
	want := []param{{"name", "string"}, {"in", "[]byte"}, {"cuts", "[]byte"}, {"n", "int"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(param{})); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"FuzzNone", "FuzzMissing"} {
		if _, err := parameters(dir, name); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
