package fuzz

import (
	"testing"

	"pgregory.net/rapid"
)

// TestReassembly: property 5. Wherever a message breaks off, the emitted, held and unread
// bytes are the message: after Abort, parts tile what was read, and earlier parts are
// unchanged.
func TestReassembly(t *testing.T) {
	everyReader(t, func(t *testing.T, open func(Setup) Reader) {
		everySample(t, func(rt *rapid.T, s sample) {
			checkBrokenOff(rt, open(s.setup), s, rapid.IntRange(0, len(s.in)).Draw(rt, "read"))
		})
	})
}

// checkBrokenOff fails if r loses part of a message that breaks off after read bytes.
func checkBrokenOff(t rapid.TB, r Reader, s sample, read int) {
	for _, c := range Chunks(s.in[:read], s.cuts) {
		if err := Lend(r, c); err != nil {
			t.Fatal(err)
		}
	}
	emitted := append([]Part(nil), r.Parts()...)
	if r.Done() > read {
		t.Fatalf("%d bytes are done and %d were read", r.Done(), read)
	}
	r.Abort()
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	checkTiles(t, s.in[:read], r.Parts())
	checkGrown(t, emitted, r.Parts())
}

// TestAbortDeliversNothing: property 5. A message that broke off is not complete, even with
// AcceptAtEnd: Abort delivers no call.
func TestAbortDeliversNothing(t *testing.T) {
	for _, r := range Readers[1:] {
		t.Run(r.Name, func(t *testing.T) {
			everySample(t, func(rt *rapid.T, s sample) {
				s.setup.Accept = true
				r := r.New(s.setup)
				r.Feed(s.in)
				calls := count(r.Parts(), kindCall)
				r.Abort()
				if n := count(r.Parts(), kindCall); n != calls {
					rt.Fatalf("%q: Abort delivered a call", s.in)
				}
			})
		})
	}
}

// count returns the number of parts of a kind.
func count(parts []Part, kind string) int {
	n := 0
	for _, p := range parts {
		if p.Kind == kind {
			n++
		}
	}
	return n
}
