package fuzz

import (
	"testing"

	"pgregory.net/rapid"
)

// TestProperties checks every property of reading, in every format and under every option.
func TestProperties(t *testing.T) {
	for _, p := range Properties {
		t.Run(p.Name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				s := NewSample(Drawn(rt))
				if wrong := p.Check(s); wrong != "" {
					rt.Fatalf("%s\n%s", s, wrong)
				}
			})
		})
	}
}
