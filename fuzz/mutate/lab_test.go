package main

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// tiny is a module in which it is known what happens to each mutant.
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

// inTiny makes the module the working folder, and fails the test if anything in
// it changes.
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

// TestKilledAndSurvived: the tests of a see that Max(1, 2) is 2, those of b that
// it works the other way round, nobody what it does with equals. What does not
// compile does not count.
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

// A loop that does not end is killed by time.
func TestTimeouts(t *testing.T) {
	inTiny(t)
	r, ok := measure(t, options{only: `Count .*(i--|i >= n)`, timeout: 2 * time.Second, least: 100})
	s := r.Packages[0]
	if !ok || s.Run != 2 || s.Killed != 2 || s.Timeouts != 1 {
		t.Errorf("%t %+v", ok, s)
	}
}

func TestLeast(t *testing.T) {
	inTiny(t)
	survives := `Max compare: .* x >= y`
	if _, ok := measure(t, options{only: survives}); !ok {
		t.Error("a survivor fails without -least")
	}
	if _, ok := measure(t, options{only: survives, least: 50}); ok {
		t.Error("a survivor passes with -least 50")
	}
}

// A run that is stopped reports what it has done.
func TestStopped(t *testing.T) {
	inTiny(t)
	r, ok := measure(t, options{limit: time.Nanosecond})
	if s := r.Packages[0]; !ok || s.Run != 0 || s.Exist != 12 {
		t.Errorf("%t %+v", ok, s)
	}
}

func TestWrongCommandLines(t *testing.T) {
	inTiny(t)
	for _, o := range []options{{packages: "a", suite: "none"}, {packages: "a", suite: "all", only: "("}, {packages: "missing", suite: "all"}} {
		if _, err := run(t.Context(), o, io.Discard, io.Discard); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

// Tests that fail without a mutant measure nothing.
func TestBaselineMustPass(t *testing.T) {
	inTiny(t)
	m, err := openModule(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	l := lab{module: m, dir: t.TempDir(), usual: map[step]time.Duration{}}
	if err := l.baseline(t.Context(), []step{{rest, "c"}}); err == nil || !strings.Contains(err.Error(), "never asked") {
		t.Errorf("error %v", err)
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
