package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// tiny is a module in which the fate of each mutant is known.
var tiny = map[string]string{
	"go.mod": "module example.com/tiny\n\ngo 1.25\n",
	"a/a.go": `package a

// Max returns the larger one.
func Max(x, y int) int {
	if x > y {
		return x
	}
	return y
}

// Count counts to n.
func Count(n int) (sum int) {
	for i := 0; i < n; i++ {
		sum++
	}
	return sum
}
`,
	"a/a_test.go": `package a

import "testing"

func TestMax(t *testing.T) {
	if Max(1, 2) != 2 {
		t.Error("Max(1, 2)")
	}
}
`,
	"b/b.go": `package b

import "example.com/tiny/a"

// Max returns the largest one.
func Max(x, y, z int) int { return a.Max(x, a.Max(y, z)) }
`,
	"b/b_test.go": `package b

import (
	"testing"

	"example.com/tiny/a"
)

func TestMax(t *testing.T) {
	if Max(3, 2, 1) != 3 {
		t.Error("Max(3, 2, 1)")
	}
	if a.Count(3) != 3 {
		t.Error("Count(3)")
	}
}
`,
	"c/c_test.go": "package c\n\nimport \"testing\"\n\nfunc TestOther(t *testing.T) { t.Error(\"never asked\") }\n",
}

var long = flag.Bool("long", false, "also run the tests that build many mutants, as the gate does")

func takesLong(t *testing.T) {
	t.Helper()
	if !*long {
		t.Skip("builds many mutants: -long")
	}
}

// inTiny makes the module the working folder, and fails the test if any file changes.
func inTiny(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range tiny {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Cleanup(func() {
		after := map[string]string{}
		err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(filepath.Join(dir, name))
			after[name] = string(text)
			return err
		})
		if diff := cmp.Diff(tiny, after); err != nil || diff != "" {
			t.Errorf("files were touched: %v %s", err, diff)
		}
	})
}

// measure runs mutate on package a of the tiny module.
func measure(t *testing.T, o options) (Report, bool) {
	t.Helper()
	o.packages, o.suite, o.jobs, o.json = "a", "all", 2, true
	if o.timeout == 0 {
		o.timeout = time.Minute
	}
	var out bytes.Buffer
	ok, err := run(t.Context(), o, &out, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var r Report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	return r, ok
}

// TestKilledAndSurvived: the tests of a check Max(1, 2), those of b the reverse, and none
// the case of equal arguments. A mutant that does not compile does not count.
func TestKilledAndSurvived(t *testing.T) {
	inTiny(t)
	r, _ := measure(t, options{only: " Max "})
	s := r.Packages[0]
	if s.Exist != 12 || s.Run != 4 || s.Killed != 3 || s.By["own"] != 2 || s.By["rest"] != 1 || s.Unbuilt != 1 {
		t.Errorf("%+v", s)
	}
	want := []Survivor{{File: "a/a.go", Line: 5, Function: "Max", Operator: "compare", Before: "if x > y {", After: "if x >= y {"}}
	if diff := cmp.Diff(want, s.Survivors); diff != "" {
		t.Error(diff)
	}
	if got := r.Least(); got != 75 {
		t.Errorf("least %g, want 75", got)
	}
}

// A time-out kills an endless loop.
func TestTimeouts(t *testing.T) {
	takesLong(t)
	inTiny(t)
	r, ok := measure(t, options{only: `Count .*(i--|i >= n)`, timeout: 2 * time.Second, least: 100})
	s := r.Packages[0]
	if !ok || s.Run != 2 || s.Killed != 2 || s.Timeouts != 1 {
		t.Errorf("%t %+v", ok, s)
	}
}

func TestLeast(t *testing.T) {
	takesLong(t)
	inTiny(t)
	survives := `Max compare: .* x >= y`
	if _, ok := measure(t, options{only: survives}); !ok {
		t.Error("a survivor fails without -least")
	}
	if _, ok := measure(t, options{only: survives, least: 50}); ok {
		t.Error("a survivor passes with -least 50")
	}
}

// A run that is stopped reports its results so far.
func TestStopped(t *testing.T) {
	inTiny(t)
	r, ok := measure(t, options{limit: time.Nanosecond})
	if s := r.Packages[0]; !ok || s.Run != 0 || s.Exist != 12 {
		t.Errorf("%t %+v", ok, s)
	}
	if _, ok := measure(t, options{limit: time.Nanosecond, least: 1}); ok {
		t.Error("no mutant was run, and -least 1 passes")
	}
}

// Invalid command lines are refused before anything runs.
func TestWrongCommandLines(t *testing.T) {
	inTiny(t)
	for args, want := range map[string]string{
		"-packages=a -suite=none":        "-suite must be all, quick or corpus",
		"-packages=a -only=(":            "missing closing )",
		"-packages=missing":              `no package "missing" in this module`,
		"-packages=a,":                   `no package "" in this module`,
		"-packages=a -only=Maxx":         "no mutant matches -only Maxx",
		"-packages=a -only=Maxx -list":   "no mutant matches -only Maxx",
		"-packages=a -only=Maxx -json":   "no mutant matches -only Maxx",
		"a -list":                        `"a" is not a flag: use -packages a`,
		"-packages=a -list b":            `"b" is not a flag: use -packages b`,
		"-lists":                         "not defined: -lists",
		"-packages=a -sample=-1":         "-sample must be a number of mutants, not -1",
		"-packages=a -sample=2 -only=()": "",
	} {
		o, err := parse(strings.Fields(args), io.Discard)
		if err == nil {
			o.list = true // nothing runs, even if it is not refused
			_, err = run(t.Context(), o, io.Discard, io.Discard)
		}
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", args, err, want)
		}
	}
}

// Blanks around the commas of -packages are ignored.
func TestPackagesWithBlanks(t *testing.T) {
	inTiny(t)
	var out bytes.Buffer
	if _, err := run(t.Context(), options{packages: " a ", suite: "all", only: "Count", list: true}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "a/a.go:13: Count") {
		t.Errorf("listed\n%s", &out)
	}
}

// TestUnbuilt: a compiler error is due to the mutant, in its own file or in one that uses
// it. Any other build failure says nothing about the mutant.
func TestUnbuilt(t *testing.T) {
	takesLong(t)
	inTiny(t)
	m, err := openModule(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	all, err := mutants(m.root, "a")
	if err != nil {
		t.Fatal(err)
	}
	source := all[0].file
	at := func(old, text string) *mutant {
		i := strings.Index(string(source.text), old)
		return &mutant{file: source, from: i, to: i + len(old), text: text}
	}
	try := func(mu *mutant, dir string) (verdict, error) {
		l := lab{module: m, dir: dir, timeout: time.Minute, usual: new(baselines)}
		return l.try(t.Context(), mu, []step{{own, "a"}})
	}
	for _, mu := range []*mutant{at("x > y", "x > z"), at("return y", "return ("), at("Max(", "Most(")} {
		if v, err := try(mu, t.TempDir()); err != nil || !v.Unbuilt {
			t.Errorf("%s: %+v, error %v", mu.text, v, err)
		}
	}

	t.Setenv("GOFLAGS", "-toolexec=false") // the compiler fails, whatever the source
	if v, err := try(at("x > y", "x >= y"), t.TempDir()); err == nil || v != (verdict{}) {
		t.Errorf("without a compiler: %+v, error %v", v, err)
	}
	t.Setenv("GOFLAGS", "")
	occupied := t.TempDir() // where it cannot be run
	if err := os.Mkdir((&lab{dir: occupied}).binary(), 0o777); err != nil {
		t.Fatal(err)
	}
	if v, err := try(at("x > y", "x >= y"), occupied); err == nil || v != (verdict{}) {
		t.Errorf("with a program that does not start: %+v, error %v", v, err)
	}

	if err := os.WriteFile("a/a_test.go", []byte("package a\n\nfunc TestMax(t *testing.T) {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if v, err := try(at("x > y", "x >= y"), t.TempDir()); err == nil || v != (verdict{}) {
		t.Errorf("with tests that someone has broken: %+v, error %v", v, err)
	}
	if err := os.WriteFile("a/a_test.go", []byte(tiny["a/a_test.go"]), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A run that cannot continue says why, and reports its results so far.
func TestFailure(t *testing.T) {
	takesLong(t)
	inTiny(t)
	broken := false
	watch := writer(func(text string) {
		if strings.HasPrefix(text, "survives:") && !broken {
			broken = true
			if err := os.WriteFile("b/b.go", []byte("package b\n\nvar x = y\n"), 0o666); err != nil {
				t.Error(err)
			}
		}
	})
	var out bytes.Buffer
	o := options{packages: "a", suite: "all", jobs: 1, timeout: time.Minute, only: "Max (compare|bool)"}
	some, err := mutants(".", "a")
	if err != nil {
		t.Fatal(err)
	}
	some = slices.DeleteFunc(some, func(m *mutant) bool { return m.function != "Max" || m.operator != "compare" && m.operator != "bool" })
	for sample(some, 1, o.seed)[0].text != ">=" { // which survives
		o.seed++
	}
	_, err = run(t.Context(), o, &out, watch)
	if err == nil || !strings.Contains(err.Error(), "undefined: y") {
		t.Errorf("error %v", err)
	}
	if !strings.Contains(out.String(), "x >= y") || strings.Contains(out.String(), " 100.0 %") {
		t.Errorf("report\n%s", &out)
	}
	if err := os.WriteFile("b/b.go", []byte(tiny["b/b.go"]), 0o666); err != nil {
		t.Fatal(err)
	}
}

// writer is called with each text written.
type writer func(text string)

func (w writer) Write(text []byte) (int, error) {
	w(string(text))
	return len(text), nil
}

// Tests must pass without a mutant.
func TestBaselineMustPass(t *testing.T) {
	inTiny(t)
	m, err := openModule(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	l := lab{module: m, dir: t.TempDir(), usual: new(baselines)}
	if err := l.baseline(t.Context(), step{rest, "c"}); err == nil || !strings.Contains(err.Error(), "never asked") {
		t.Errorf("error %v", err)
	}
}

// Tests that no mutant gets to are not run: here those of a kill the mutant, and those of
// b would fail without one.
func TestBaselineOnlyOfWhatRuns(t *testing.T) {
	inTiny(t)
	if err := os.WriteFile("b/b_test.go", []byte("package b\n\nvar x = y\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if r, _ := measure(t, options{only: "Max .* x <= y"}); r.Packages[0].By["own"] != 1 {
		t.Errorf("%+v", r.Packages[0])
	}
	if err := os.WriteFile("b/b_test.go", []byte(tiny["b/b_test.go"]), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestList(t *testing.T) {
	inTiny(t)
	var out bytes.Buffer
	if ok, err := run(t.Context(), options{packages: "a", suite: "all", list: true}, &out, io.Discard); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if got, want := strings.Count(out.String(), "\n"), len(operators)+12; got != want {
		t.Errorf("%d lines, want %d:\n%s", got, want, &out)
	}
}
