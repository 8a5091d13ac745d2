package fuzz

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/parse/protocol"
)

// CheckFormat checks every property for a format, such as one that you described yourself. Seeds
// are messages of models, whole or not; others are made of the calls that the format writes.
func CheckFormat(t *testing.T, f *protocol.Format, seeds ...string) {
	if err := f.Validate(); err != nil {
		t.Fatal(err)
	}
	check := func(p Property, draw func(Source) Sample) {
		t.Run(p.Name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				s := draw(Drawn(rt))
				if wrong := p.Check(s); wrong != "" {
					rt.Fatalf("%s\n%s", s, wrong)
				}
			})
		})
	}
	for _, p := range Properties {
		if !p.applies(f) {
			continue
		}
		check(p, func(s Source) Sample {
			sample := SampleOf(s, f)
			if len(seeds) > 0 && chance(s, 3) {
				sample.In = append(sample.In, Damage(s, oneOf(s, seeds...))...)
			}
			return sample
		})
	}
	t.Run("round trip", func(t *testing.T) {
		written, refused := 0, 0
		rapid.Check(t, func(rt *rapid.T) {
			tr := TripOf(Drawn(rt), f)
			wrong, err := tr.Check()
			if wrong != "" {
				rt.Fatalf("%s, tool %s %s\n%s", Sample{Setup: tr.Setup}, tr.Tool, tr.Input, wrong)
			}
			written++
			if err != nil {
				refused++
			}
		})
		if refused > 2*written/3 {
			t.Errorf("%d of %d objects are refused", refused, written)
		}
	})
}
