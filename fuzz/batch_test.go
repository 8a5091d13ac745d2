package fuzz

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// TestBatchIsStream: property 11. The events of a decoder, joined, are the
// segments of the whole text, under any options and cuts.
func TestBatchIsStream(t *testing.T) {
	everySample(t, func(rt *rapid.T, s sample) {
		if diff := batch(s); diff != "" {
			rt.Fatalf("%q cut %v, %+v: %s", s.in, s.cuts, s.setup, diff)
		}
	})
}

// batch returns how the events of s and its segments differ.
func batch(s sample) string {
	var want []Part
	segs := s.setup.parse().Text(string(s.in), s.setup.Catalog)
	for i := range segs {
		want = append(want, ofSegment(&segs[i]))
	}
	got, err := Read(newDecoderReader(s.setup), Chunks(s.in, s.cuts)...)
	if err != nil {
		return err.Error()
	}
	got = foldReasoning(Shift(got, 0)) // without ids
	for i := range got {
		got[i].Begun = false // not known for a whole text
		if got[i].Kind == kindMalformed {
			got[i].Input = ""
		}
	}
	return Differ(want, got)
}

// foldReasoning joins the parts of each piece of reasoning.
func foldReasoning(parts []Part) (folded []Part) {
	for _, p := range parts {
		switch n := len(folded) - 1; p.Kind {
		case stream.ReasoningStart.String():
			p.Kind = parse.Reasoning.String()
			folded = append(folded, p)
		case stream.ReasoningDelta.String():
			folded[n].End = p.End
			folded[n].Text += p.Text
		case stream.ReasoningEnd.String():
			folded[n].End = p.End
		default:
			folded = append(folded, p)
		}
	}
	return folded
}
