package fuzz

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
)

// TestConcatenation: property 17. If one message ends in text and holds nothing back,
// the parts of it and a message after it are the parts of both, except for the mark on
// calls after a malformed span.
func TestConcatenation(t *testing.T) {
	everyReader(t, func(t *testing.T, open func(Setup) Reader) {
		everySample(t, func(rt *rapid.T, s sample) {
			s.setup.Stop, s.setup.Regions = false, false          // Markdown goes on over the place
			first := append(s.setup.Message(Drawn(rt)), ".\n"...) // an opener of another format may have to begin its line
			r := open(s.setup)
			r.Feed(first)
			if r.Done() < len(first) || !atText(r.Parts()) {
				rt.Skip("a call is open, or may be")
			}
			one, err1 := Read(open(s.setup), first)
			two, err2 := Read(open(s.setup), s.in)
			both, err := Read(open(s.setup), slices.Concat(first, s.in))
			if err != nil || err1 != nil || err2 != nil {
				rt.Fatal(err, err1, err2)
			}
			want := Shift(one, 0)
			for _, p := range Shift(two, len(first)) {
				want = join(want, p)
			}
			if diff := Differ(unmarked(want), unmarked(Shift(both, 0))); diff != "" {
				rt.Fatalf("%q and %q: %s", first, s.in, diff)
			}
		})
	})
}

// atText reports whether parts end outside calls.
func atText(parts []Part) bool {
	switch parts[len(parts)-1].Kind {
	case kindText, kindCall, kindMalformed, lexer.Text.String(), lexer.Close.String(), lexer.Cut.String():
		return true
	}
	return false
}
