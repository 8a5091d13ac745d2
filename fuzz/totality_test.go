package fuzz

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/parse"
)

// TestTotality: property 1. Reading any bytes, in any chunks, terminates without a panic; so
// does writing and repairing any bytes as JSON.
func TestTotality(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := Drawn(rt)
		s := oneOf(c, setups...)
		in := rapid.SliceOf(rapid.Byte()).Draw(rt, "in")
		if chance(c, 2) {
			in = s.Message(c)
		}
		cuts := rapid.SliceOf(rapid.Byte()).Draw(rt, "cuts")
		for _, r := range Readers {
			if _, err := Read(r.New(s), Chunks(in, cuts)...); err != nil {
				rt.Fatalf("%s, %+v: %v", r.Name, s, err)
			}
		}
		parse.Format(s.Catalog, "t", in)
		parse.Format(s.Catalog, string(in), []byte("{}"))
		parse.Repair(s.Catalog, "t", in)
	})
}
