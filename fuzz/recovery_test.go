package fuzz

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
)

// TestRecoveryIsLocal: property 16. After a malformed span, the parts equal those of the
// rest alone, shifted, except for the mark on calls after a malformed span.
func TestRecoveryIsLocal(t *testing.T) {
	everyReader(t, func(t *testing.T, open func(Setup) Reader) {
		everySample(t, func(rt *rapid.T, s sample) {
			s.setup.Stop, s.setup.Regions = false, false // Markdown goes on over the place
			parts, err := Read(open(s.setup), s.in)
			if err != nil {
				rt.Fatal(err)
			}
			damaged := false
			for i, p := range parts {
				switch p.Kind {
				case lexer.Fault.String():
					damaged = true
					continue
				case kindMalformed:
				case lexer.Close.String(), lexer.Cut.String():
					if !damaged {
						continue
					}
					damaged = false
				default:
					continue
				}
				rest, err := Read(open(s.setup), s.in[p.End:])
				if err != nil {
					rt.Fatal(err)
				}
				if diff := Differ(unmarked(Shift(rest, p.End)), unmarked(Shift(parts[i+1:], 0))); diff != "" {
					rt.Fatalf("%q after %q: %s", s.in[p.End:], s.in[:p.End], diff)
				}
			}
		})
	})
}
