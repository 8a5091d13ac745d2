package fuzz

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/sig"
)

// TestMain gives rapid more examples than its hundred; -rapid.checks gives more
// still.
func TestMain(m *testing.M) {
	flag.Set("rapid.checks", "1000")
	flag.Set("rapid.nofailfile", "true")
	flag.Parse()
	os.Exit(m.Run())
}

// sample is what the tests of reading read: a message, how, and where it is cut.
type sample struct {
	in    []byte
	cuts  []byte
	setup Setup
}

// everySample checks a property of reading for drawn samples.
func everySample(t *testing.T, check func(t *rapid.T, s sample)) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) {
		c := Drawn(rt)
		s := sample{in: Message(c), setup: oneOf(c, setups...)}
		s.in = []byte(Retag(string(s.in), s.setup.Delims))
		s.cuts = Cuts(c, len(s.in))
		check(rt, s)
	})
}

// everyReader checks a property for each of the three readers.
func everyReader(t *testing.T, check func(t *testing.T, open func(Setup) Reader)) {
	for _, r := range Readers {
		t.Run(r.Name, func(t *testing.T) { check(t, r.New) })
	}
}

// toolsEnv names a folder of further catalogues, one JSON file each. What holds
// for generated catalogues holds for them.
const toolsEnv = "CALLWIRE_TOOLS"

// folder returns the catalogues of the folder, by file; none where the variable
// is not set.
func folder(t testing.TB) map[string]*sig.Catalog {
	t.Helper()
	dir := os.Getenv(toolsEnv)
	if dir == "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s names a folder without catalogues: %v", toolsEnv, err)
	}
	all := map[string]*sig.Catalog{}
	for _, file := range files {
		if filepath.Base(file) == "INDEX.json" {
			continue // tells where the others come from
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if all[filepath.Base(file)], err = sig.Compile(text); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return all
}
