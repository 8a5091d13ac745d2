package fuzz

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/parse"
)

// mostNearby is how many bytes of text a reader may hold back where it looks for more than
// our opener: our tag without its end, then whitespace and a word, twice. All other openers
// are shorter. See decision D54.
const mostNearby = len("<call") + 2*(9+64) + 9

// nearby writes text that looks like calls of other formats, like ours in another
// spelling, and like reasoning.
func nearby(s Source) string {
	var out strings.Builder
	for range 1 + s.IntN(12) {
		switch s.IntN(8) {
		case 0:
			out.WriteString(oneOf(s, "a", "so ", "it is. ", "é", "\n", "`", "◁"))
		case 1:
			out.WriteString(oneOf(s, "<call>", "<CALL>", "<Call ", "<call  \n", "<call name=", "<call get"))
		case 2:
			out.WriteString(oneOf(s, "<tool_call>", "<function_calls>", "<function=", "<function name=", "<invoke name=", "<tool_use>", "<|tool_calls_section_begin|>", "<｜tool▁calls▁begin｜>"))
		case 3:
			out.WriteString(oneOf(s, "<think>", "</think>", "[THINK]", "◁think▷", "<thin", "</thi"))
		case 4:
			out.WriteString(strings.Repeat(oneOf(s, " ", "\n", "\t"), 1+s.IntN(12)))
		case 5:
			out.WriteString(strings.Repeat(oneOf(s, "a", "_", "é", "-"), 1+s.IntN(80)))
		case 6:
			out.WriteString(oneOf(s, ">", "/>", "=", "{", "}", "/", "<", "\"", "a=1"))
		case 7:
			out.WriteString(oneOf(s, "</call>", "</tool_call>", "</function>", "</CALL>", "<call>t a=1</call>"))
		}
	}
	return out.String()
}

// TestBoundedHoldBack: property 6 where readers look for the drift of models and for
// regions, too. What turns out to be text, or reasoning, was held back only for so long
// as a bounded number of bytes could tell; and all of it is given out.
func TestBoundedHoldBack(t *testing.T) {
	everyReader(t, func(t *testing.T, open func(Setup) Reader) {
		rapid.Check(t, func(rt *rapid.T) {
			s := Setup{Salvage: !chance(Drawn(rt), 4), Regions: chance(Drawn(rt), 2), Stop: chance(Drawn(rt), 2)}
			in := nearby(Drawn(rt))
			segs := s.parse().Text(in, nil)
			spoken := func(at int) bool { // whether text, or reasoning, stands there
				for _, seg := range segs {
					if at < seg.End {
						return seg.Kind == parse.Prose || seg.Kind == parse.Reasoning
					}
				}
				return false
			}
			r := open(s)
			for n := range len(in) {
				if err := Lend(r, []byte(in[n:n+1])); err != nil {
					rt.Fatal(err)
				}
				if done := textDone(r); n+1-done > mostNearby && spoken(done) {
					rt.Fatalf("%+v: %q: %q is held back", s, in, in[done:n+1])
				}
			}
			if r.Close(); r.Done() != len(in) || r.Err() != nil {
				rt.Fatalf("%+v: %q: %d of %d bytes are given out: %v", s, in, r.Done(), len(in), r.Err())
			}
		})
	})
}
