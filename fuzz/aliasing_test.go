package fuzz

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/stream"
)

// TestNoAliasing: property 20. Events may alias the chunk and hold until the next
// Feed; what happens to the chunk after that changes no later event. Here all
// chunks come in one buffer, as a reader's do, which is overwritten between.
func TestNoAliasing(t *testing.T) {
	everyReader(t, func(t *testing.T, open func(Setup) Reader) {
		everySample(t, func(rt *rapid.T, s sample) {
			want, err := Read(open(s.setup), s.in)
			if err != nil {
				rt.Fatal(err)
			}
			buf := make([]byte, len(s.in))
			r := open(s.setup)
			for _, c := range Chunks(s.in, s.cuts) {
				r.Feed(buf[:copy(buf, c)])
				for i := range buf {
					buf[i] = "<\"'\\ax"[i%6]
				}
			}
			r.Close()
			if err := r.Err(); err != nil {
				rt.Fatal(err)
			}
			if diff := Differ(want, r.Parts()); diff != "" {
				rt.Fatalf("%q cut %v: %s", s.in, s.cuts, diff)
			}
		})
	})
}

// TestEventsHold: property 20. The events of one Feed hold until the next: each
// is still what it was when the last of them is there, and a clone is for good.
func TestEventsHold(t *testing.T) {
	everySample(t, func(rt *rapid.T, s sample) {
		want, err := Read(newDecoderReader(s.setup), s.in)
		if err != nil {
			rt.Fatal(err)
		}
		held, cloned := newDecoderReader(s.setup), newDecoderReader(s.setup)
		d := stream.NewDecoder(s.setup.Catalog, s.setup.stream())
		var clones []stream.Event
		take := func(events []stream.Event) {
			held.read(events)
			for _, e := range events {
				clones = append(clones, e.Clone())
			}
		}
		for _, c := range Chunks(s.in, s.cuts) {
			own := bytes.Clone(c)
			take(d.Feed(own))
			clear(own)
		}
		take(d.Close())
		d.Reset()
		d.Feed(s.in) // in the memory of the events before
		cloned.read(clones)
		for _, r := range []*decoderReader{held, cloned} {
			if diff := Differ(want, r.Parts()); diff != "" || r.Err() != nil {
				rt.Fatalf("%q cut %v: %v, %s", s.in, s.cuts, r.Err(), diff)
			}
		}
	})
}
