package fuzz

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/parse"
)

// TestStrictSubset: property 22. Strict reading delivers exactly the calls that
// tolerant reading delivers without an issue, with equal values, and refuses the
// others with the code and offset of the first issue. Everything else is the
// same.
func TestStrictSubset(t *testing.T) {
	everySample(t, func(rt *rapid.T, s sample) {
		s.setup.Stop = false
		s.setup.Catalog = oneOf(Drawn(rt), nil, types)
		strict := s.setup
		strict.Strict = true
		tolerant := s.setup
		tolerant.Strict = false
		got := strict.parse().Text(string(s.in), strict.Catalog)
		want := tolerant.parse().Text(string(s.in), tolerant.Catalog)
		if len(got) != len(want) {
			rt.Fatalf("%q: %d segments, tolerant %d", s.in, len(got), len(want))
		}
		for i := range want {
			w, g := &want[i], &got[i]
			if w.Kind == parse.Call && len(w.Issues) > 0 {
				first := w.Issues[0]
				if g.Kind != parse.Malformed || g.Start != w.Start || g.End != w.End || g.Err.Code != first.Code || g.Err.Offset != first.At {
					rt.Fatalf("%q: %+v, strict %+v %v", s.in, *w, *g, g.Err)
				}
				continue
			}
			wp, gp := ofSegment(w), ofSegment(g)
			if wp.After && !gp.After {
				rt.Fatalf("%q: a mark was lost", s.in)
			}
			wp.After, gp.After = false, false
			if wp.Code != gp.Code && gp.At <= wp.At { // an issue came before the fault
				wp.Code, wp.At = gp.Code, gp.At
			}
			if !wp.Equal(gp) {
				rt.Fatalf("%q: strict: %s", s.in, Differ([]Part{wp}, []Part{gp}))
			}
		}
	})
}
