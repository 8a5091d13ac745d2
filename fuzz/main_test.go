package fuzz

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/callwire/callwire/sig"
)

var long = flag.Bool("long", false, "read twenty times as much, as the gate does")

// TestMain makes rapid draw twenty times the examples with -long; -rapid.checks overrides that.
func TestMain(m *testing.M) {
	flag.Set("rapid.nofailfile", "true")
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	if !asked {
		flag.Set("rapid.checks", strconv.Itoa(often(4000)))
	}
	debug.SetGCPercent(400) // a third of the time is garbage
	os.Exit(m.Run())
}

// often returns n with -long, otherwise a twentieth of it.
func often(n int) int {
	if *long {
		return n
	}
	return n / 20
}

// random returns a source of random numbers.
func random(seed int) Source { return rand.New(rand.NewPCG(uint64(seed), 1)) }

// folder returns the catalogs of the folder that CALLWIRE_TOOLS names, one JSON file each; none if
// it is not set.
func folder(t testing.TB) map[string]*sig.Catalog {
	t.Helper()
	const variable = "CALLWIRE_TOOLS"
	dir := os.Getenv(variable)
	if dir == "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s names a folder without catalogs: %v", variable, err)
	}
	all := map[string]*sig.Catalog{}
	for _, file := range files {
		if filepath.Base(file) == "INDEX.json" {
			continue // lists the origin of the others
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
