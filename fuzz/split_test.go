package fuzz

import (
	"testing"

	"pgregory.net/rapid"
)

// TestSplitInvariance: property 2. Any cuts, including empty chunks and cuts inside runes and
// tags, give the same events, codes and offsets.
func TestSplitInvariance(t *testing.T) {
	everyReader(t, func(t *testing.T, open func(Setup) Reader) {
		everySample(t, func(rt *rapid.T, s sample) {
			for _, cuts := range [][]byte{s.cuts, Bytewise(len(s.in))} {
				if diff := split(open, s.setup, s.in, cuts); diff != "" {
					rt.Fatalf("%+v\n%s", s.setup, diff)
				}
			}
		})
	})
}

// TestEverySplit: property 2 for some messages, with every split in two of their first bytes
// and an empty chunk between.
func TestEverySplit(t *testing.T) {
	everyReader(t, func(t *testing.T, open func(Setup) Reader) {
		rapid.Check(t, func(rt *rapid.T) {
			s := oneOf(Drawn(rt), setups...)
			in := s.Message(Drawn(rt))
			for i := range min(len(in), 48) {
				if diff := split(open, s, in, []byte{byte(i), 0}); diff != "" {
					rt.Fatalf("%+v\n%s", s, diff)
				}
			}
		})
	})
}
