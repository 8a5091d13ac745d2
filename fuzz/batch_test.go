package fuzz

import (
	"testing"

	"pgregory.net/rapid"
)

// TestBatchIsStream: property 11. The events of a decoder, joined, are the
// segments of the whole text, under any options and cuts.
func TestBatchIsStream(t *testing.T) {
	everySample(t, func(rt *rapid.T, s sample) {
		if diff := batch(s); diff != "" {
			rt.Fatalf("%q cut %v, %+v: %s", s.in, s.cuts, s.setup, diff)
		}
	})
}

// batch returns how the events of s and its segments differ.
func batch(s sample) string {
	var want []Part
	segs := s.setup.parse().Text(string(s.in), s.setup.Catalog)
	for i := range segs {
		want = append(want, ofSegment(&segs[i]))
	}
	got, err := Read(newDecoderReader(s.setup), Chunks(s.in, s.cuts)...)
	if err != nil {
		return err.Error()
	}
	got = Shift(got, 0) // without ids
	for i := range got {
		got[i].Begun = false // a whole text does not say what was begun
		if got[i].Kind == kindMalformed {
			got[i].Input = ""
		}
	}
	return Differ(want, got)
}
