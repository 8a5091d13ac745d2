package fuzz

import (
	"testing"

	"pgregory.net/rapid"
)

// TestResetIsNew: property 19. After Reset, wherever and however the previous message
// ended, a message is read as by a new reader.
func TestResetIsNew(t *testing.T) {
	everyReader(t, func(t *testing.T, open func(Setup) Reader) {
		everySample(t, func(rt *rapid.T, s sample) {
			c := Drawn(rt)
			r := open(s.setup)
			for range 1 + c.IntN(3) {
				before := s.setup.Message(c)
				for _, chunk := range Chunks(before, Cuts(c, len(before))) {
					r.Feed(chunk)
				}
				switch c.IntN(3) {
				case 1:
					r.Close()
				case 2:
					r.Abort()
				}
				r.Reset()
			}
			got, err := Read(r, Chunks(s.in, s.cuts)...)
			if err != nil {
				rt.Fatal(err)
			}
			want, err := Read(open(s.setup), Chunks(s.in, s.cuts)...)
			if err != nil {
				rt.Fatal(err)
			}
			if diff := Differ(want, got); diff != "" {
				rt.Fatalf("%q: %s", s.in, diff)
			}
		})
	})
}
