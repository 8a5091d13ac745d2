package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var long = flag.Bool("long", false, "also run the tests that build many targets or wait, as the gate does")

func takesLong(t *testing.T) {
	t.Helper()
	if !*long {
		t.Skip("builds many targets, or waits: -long")
	}
}

// buggy is a module with a target that finds nothing, one that finds something at
// once, one with slow seeds, one whose seed fails, and one that does not compile.
func buggy(t *testing.T) string {
	t.Helper()
	return folder(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.25\n",
		"a/a.go": "package a\n",
		"a/a_test.go": `package a

import (
	"testing"
	"time"
)

func FuzzGood(f *testing.F) { f.Fuzz(func(t *testing.T, in []byte) {}) }

func FuzzBad(f *testing.F) {
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 2 {
			panic("three bytes")
		}
	})
}

// FuzzSlow has more seeds than are read in its time.
func FuzzSlow(f *testing.F) {
	for n := range 40 {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, n int) { time.Sleep(20 * time.Millisecond) })
}

func FuzzSeed(f *testing.F) {
	f.Add(7)
	f.Fuzz(func(t *testing.T, n int) {
		if n == 7 {
			t.Error("seven")
		}
	})
}
`,
		"b/b.go":      "package b\n",
		"b/b_test.go": "package b\n\nfunc FuzzBroken(f *testing.F) {}\n",
	})
}

// folder returns a folder with the files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// All targets run, each has its line, and the finding of one does not keep the
// others from running.
func TestRun(t *testing.T) {
	dir := buggy(t)
	s := session{dir: dir, time: 250 * time.Millisecond, patience: time.Minute}
	targets, err := targets(context.Background(), dir)
	if err != nil || len(targets) != 5 {
		t.Fatal(targets, err)
	}
	var out bytes.Buffer
	if err := s.all(context.Background(), &out, targets); !errors.Is(err, errFound) {
		t.Errorf("error %v", err)
	}
	want := []string{
		`ok    a_fuzz_good +(\d+m)?\d+s  [1-9]\d* inputs, \d+ of them new`,
		`FOUND a_fuzz_bad +(\d+m)?\d+s  a/testdata/fuzz/FuzzBad/[0-9a-f]+: .*three bytes.*`,
		`ok    a_fuzz_slow +(\d+m)?\d+s  [1-9]\d* inputs, \d+ of them new`,
		`FOUND a_fuzz_seed +(\d+m)?\d+s  FuzzSeed/seed#0: .*seven`,
		`FAIL  b_fuzz_broken +(\d+m)?\d+s  .+`,
		``,
		`5 of 5 targets, 3 with a finding, (\d+m)?\d+s`,
		`a_fuzz_bad: go test -run '\^FuzzBad\$/\^[0-9a-f]+\$' example.com/m/a`,
		`a_fuzz_seed: go test -run '\^FuzzSeed\$/\^seed#0\$' example.com/m/a`,
		`b_fuzz_broken: go test -run '\^\$' -fuzz '\^FuzzBroken\$' example.com/m/b`,
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	for i, pattern := range want {
		if i >= len(lines) || !regexp.MustCompile("^"+pattern+"$").MatchString(lines[i]) {
			t.Errorf("line %d is not %s in\n%s", i, pattern, &out)
		}
	}
	if len(lines) != len(want) {
		t.Errorf("%d lines\n%s", len(lines), &out)
	}
	out.Reset()
	if err := s.all(context.Background(), &out, targets[:1]); err != nil || !strings.Contains(out.String(), "1 of 1 targets, 0 with a finding") {
		t.Errorf("%v\n%s", err, &out)
	}
}

// A target that does not get through its seeds keeps nobody waiting.
func TestRunIsStuck(t *testing.T) {
	takesLong(t)
	dir := buggy(t)
	stuck := "package c\n\nimport \"testing\"\n\nfunc FuzzStuck(f *testing.F) {\n\tf.Add(1)\n\tf.Fuzz(func(t *testing.T, n int) { select {} })\n}\n"
	if err := os.Mkdir(filepath.Join(dir, "c"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "c/c_test.go"), []byte(stuck), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s := session{dir: dir, time: time.Second, patience: time.Second}
	err := s.all(context.Background(), &out, []target{{Package: "example.com/m/c", Target: "FuzzStuck", Name: "c_fuzz_stuck", dir: filepath.Join(dir, "c")}})
	if want := "FAIL  c_fuzz_stuck"; !errors.Is(err, errFound) || !strings.HasPrefix(out.String(), want) || !strings.Contains(out.String(), "its seeds were not read in 1s") {
		t.Errorf("%v\n%s", err, &out)
	}
}

// Who stops a run gets a summary of what was done, and an error.
func TestRunIsStopped(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var out bytes.Buffer
	err := session{dir: ".", time: time.Hour}.all(ctx, &out, []target{{Package: "x.y/z", Target: "FuzzA", Name: "z_fuzz_a"}})
	if !errors.Is(err, context.Canceled) || !strings.Contains(out.String(), "0 of 1 targets") {
		t.Errorf("%v\n%s", err, &out)
	}
}
