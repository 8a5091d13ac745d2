// Package golden compares what a test produced with a file under testdata.
//
//	golden.Assert(t, page, "page.md")
//
// go test -update writes the files.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Update reports whether the test run rewrites golden files.
var Update = flag.Bool("update", false, "rewrite golden files")

// Assert fails the test if got differs from the file of that name under testdata. With
// -update it writes the file instead.
func Assert(t testing.TB, got, name string) {
	t.Helper()
	file := filepath.Join("testdata", filepath.FromSlash(name))
	if *Update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(Get(t, name)), got); diff != "" {
		t.Errorf("%s differs (-want +got); go test -update accepts it:\n%s", file, diff)
	}
}

// Get returns the file of that name under testdata.
func Get(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(name)))
	if err != nil {
		t.Fatalf("%v; go test -update writes it", err)
	}
	return data
}
