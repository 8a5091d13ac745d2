package fuzz

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// TestTiling: property 4. The spans of parts follow each other without gaps from the first byte
// to the last, and the emitted text is what is there.
func TestTiling(t *testing.T) {
	everyReader(t, func(t *testing.T, open func(Setup) Reader) {
		everySample(t, func(rt *rapid.T, s sample) {
			parts, err := Read(open(s.setup), Chunks(s.in, s.cuts)...)
			if err != nil {
				rt.Fatal(err)
			}
			checkTiles(rt, s.in, parts)
		})
	})
}

// TestTextTiles: property 4 for whole texts, whose calls also have their source.
func TestTextTiles(t *testing.T) {
	everySample(t, func(rt *rapid.T, s sample) {
		var b strings.Builder
		cut := false
		for _, seg := range s.setup.parse().Text(string(s.in), s.setup.Catalog) {
			if seg.Kind == parse.Reasoning { // its text has no tags
				seg.Text = s.in[seg.Start:seg.End]
			}
			b.Write(seg.Text)
			cut = cut || seg.Cut
			if seg.Kind == parse.Prose && len(seg.Text) == 0 {
				rt.Fatalf("%q: empty text at %d", s.in, seg.Start)
			}
		}
		if !cut && b.String() != string(s.in) {
			rt.Fatalf("%q became %q", s.in, b.String())
		}
	})
}

func checkTiles(t rapid.TB, in []byte, parts []Part) {
	at := 0
	for i, p := range parts {
		if p.Start != at || p.End < at || p.End > len(in) {
			t.Fatalf("%q: %+v after offset %d", in, p, at)
		}
		at = p.End
		want := string(in[p.Start:p.End])
		switch {
		case p.Kind == kindCall, p.Kind == stream.ReasoningStart.String() && p.Text == "", p.Kind == stream.ReasoningEnd.String() && p.Text == "":
			continue
		case p.Cut:
			if len(p.Text) >= len(want) || !strings.HasPrefix(want, p.Text) {
				t.Fatalf("%q is not a prefix of %q", p.Text, want)
			}
		case p.Text != want:
			t.Fatalf("%q at %d came out as %q", want, p.Start, p.Text)
		}
		if p.Code != "" && (p.At < p.Start || p.At > p.End && p.Kind == kindMalformed) {
			t.Fatalf("%s at %d is outside its span %d to %d", p.Code, p.At, p.Start, p.End)
		}
		if i > 0 && p.Kind == parts[i-1].Kind && (p.Kind == kindText || p.Kind == lexer.Text.String()) {
			t.Fatalf("two runs of text at %d", p.Start)
		}
	}
	if at != len(in) {
		t.Fatalf("%q: parts end at %d", in, at)
	}
}
