package fuzz

import (
	"math"
	"testing"

	"github.com/callwire/callwire/parse"
)

// TestLargeLimits: a limit that nothing can reach has no effect, however large it is: on reading in
// any chunks, or on the work for a type that is an array of itself.
func TestLargeLimits(t *testing.T) {
	text := []byte(`x <call>nest a=1</call> <call>t a=y b="x" c=[1]</call> <call>t(</call> ` +
		`<call>t {"a":"z"}</call>`)
	s := Setup{types, parse.Options{AllowAfterMalformed: true}}
	want, err := s.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1 << 30, math.MaxInt32, math.MaxInt - 1000, math.MaxInt - 1, math.MaxInt} {
		for _, s.Limits = range []parse.Limits{
			{Bytes: n}, {Depth: n}, {Arguments: n}, {Name: n}, {Bytes: n, Depth: n, Arguments: n, Name: n},
		} {
			for _, size := range []int{len(text), 1} {
				got, err := s.Read(Sized(text, size)...)
				if diff := Differ(want, got); err != nil || diff != "" {
					t.Errorf("%+v: %v, %s", s.Limits, err, diff)
				}
			}
		}
	}
}
