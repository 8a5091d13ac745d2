package fuzz

import (
	"flag"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strconv"
	"testing"
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
