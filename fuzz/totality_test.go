package fuzz

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/parse"
)

// TestTotality: property 1. Any bytes, in any chunks, are read without panic to
// an end; so are any bytes as JSON for the writer and for repair.
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
