package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// random is a module with two properties, one of which is false, and a package that
// has none and fails.
func random(t *testing.T) string {
	t.Helper()
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	required, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	_, version, _ := strings.Cut(string(required), properties+" ")
	version, _, _ = strings.Cut(version, "\n")
	return folder(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.25\n\nrequire " + properties + " " + version + "\n",
		"go.sum": string(sums),
		"a/a_test.go": `package a

import (
	"testing"

	"pgregory.net/rapid"
)

func TestTrue(t *testing.T) {
	checks := 0
	rapid.Check(t, func(t *rapid.T) { checks++; t.Log(rapid.Int().Draw(t, "n")) })
	if checks != 7 {
		t.Error(checks)
	}
}

func TestFalse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { t.Fatalf("drawn %d", rapid.Just(5).Draw(t, "n")) })
}
`,
		"b/b_test.go": "package b\n\nimport \"testing\"\n\nfunc TestPlain(t *testing.T) { t.Error(\"not random\") }\n",
	})
}

// A soak runs the properties, as often as it is told and under a seed of its own even
// where the environment fixes one, and nothing else.
func TestSoak(t *testing.T) {
	dir := random(t)
	t.Setenv(seedEnv, "no seed")
	var out bytes.Buffer
	if err := soak(context.Background(), &out, dir, 7, "TestTrue"); err != nil {
		t.Errorf("%v\n%s", err, &out)
	}
	out.Reset()
	if err := soak(context.Background(), &out, dir, 7, ""); !errors.Is(err, errFound) {
		t.Errorf("a property that is false: %v\n%s", err, &out)
	}
	if text := out.String(); !strings.Contains(text, "drawn 5") || !strings.Contains(text, "-rapid.seed=") || strings.Contains(text, "not random") {
		t.Error(text)
	}
	if err := soak(context.Background(), &out, filepath.Join(dir, "b"), 7, ""); err == nil {
		t.Error("a module without properties is no error")
	}
}

// The gate gives one commit one verdict: what it draws, it draws from one seed. What
// runs at night draws anew.
func TestSeeds(t *testing.T) {
	gate, err := os.ReadFile(filepath.Join(root, ".ci/run"))
	if err != nil {
		t.Fatal(err)
	}
	fixed, first := bytes.Index(gate, []byte("\nexport "+seedEnv+"=")), bytes.Index(gate, []byte("go test"))
	if fixed < 0 || first < fixed {
		t.Errorf(".ci/run does not export %s before its first test", seedEnv)
	}
	night, err := os.ReadFile("fuzz.yml")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(night, []byte(seedEnv)) || !bytes.Contains(night, []byte("go run ./fuzz/ci -soak ")) {
		t.Error("fuzz.yml has to soak the properties, with fresh seeds")
	}
}
