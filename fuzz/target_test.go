package fuzz

import (
	"testing"

	"github.com/callwire/callwire/corpus"
)

// small bounds what a target reads, so that each run is quick.
const small = 1 << 10

// FuzzProperties checks every property for any message, in a setup that the choices select.
func FuzzProperties(f *testing.F) {
	for i, c := range corpus.Cases() {
		if i%3 == 0 && c.Op == corpus.Parse && len(c.Text) < 500 {
			f.Add([]byte(c.Text), []byte{byte(i % 7), 1, 0, 2, 1, 1}, []byte{byte(i), byte(i / 7), 1, byte(i)})
		}
	}
	broken := "<tool>\n<path>a\n</path>\n<k>b</k>\n<d<740993</k>\n</tool>"
	f.Add([]byte(broken), []byte{4, 1, 0, 2, 4}, []byte{8, 1})
	f.Fuzz(func(t *testing.T, in, cuts, choices []byte) {
		if len(in) > small || len(choices) > small {
			return
		}
		c := &Choices{choices}
		s := Sample{SetupOf(c, oneOf(c, Formats...)), in, cuts}
		for _, p := range Properties {
			if !p.applies(s.Format) {
				continue
			}
			if wrong := p.Check(s); wrong != "" {
				t.Fatalf("%s\n%s: %s", s, p.Name, wrong)
			}
		}
	})
}

// seedChoices adds choices of a generator.
func seedChoices(f *testing.F) {
	f.Helper()
	for i := range 64 {
		a, b, c := byte(i), byte(i*3), byte(i*11)
		f.Add([]byte{a, 1, b, 0, 2, b + a, 7, 1, c, 2, 3, a, 5, 8, 13, 2, b, 1, 1, 4, 0, 2, a, 3, 1})
	}
}

// FuzzRoundTrip writes a call that the choices select, and reads it back.
func FuzzRoundTrip(f *testing.F) {
	seedChoices(f)
	f.Fuzz(func(t *testing.T, choices []byte) {
		if len(choices) > small {
			return
		}
		tr := anyTrip(&Choices{choices})
		if wrong, _ := tr.Check(); wrong != "" {
			t.Fatalf("%s, tool %s %s\n%s", Sample{Setup: tr.Setup}, tr.Tool, tr.Input, wrong)
		}
	})
}
