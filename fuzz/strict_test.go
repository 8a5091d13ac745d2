package fuzz

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// TestStrictSubset: property 22. Strict reading delivers exactly the calls that tolerant
// reading delivers without an issue, with equal values, and refuses the others with the code
// and offset of the first issue. Everything else is the same.
func TestStrictSubset(t *testing.T) {
	everySample(t, func(rt *rapid.T, s sample) {
		if diff := strictly(s.in, oneOf(Drawn(rt), nil, types)); diff != "" {
			rt.Fatal(diff)
		}
	})
}

// strictly returns a message if the strict reading of in is not a subset of the tolerant one,
// or "".
func strictly(in []byte, catalog *sig.Catalog) string {
	got := parse.Options{Strict: true}.Text(string(in), catalog)
	want := parse.Text(string(in), catalog)
	if len(got) != len(want) {
		return fmt.Sprintf("%q: %d segments, tolerant %d", in, len(got), len(want))
	}
	for i := range want {
		w, g := &want[i], &got[i]
		if w.Kind == parse.Call && len(w.Issues) > 0 {
			first := w.Issues[0]
			if g.Kind != parse.Malformed || g.Start != w.Start || g.End != w.End || g.Err.Code != first.Code || g.Err.Offset != first.At {
				return fmt.Sprintf("%q: %+v, strict %+v %v", in, *w, *g, g.Err)
			}
			continue
		}
		wp, gp := ofSegment(w), ofSegment(g)
		if wp.After && !gp.After {
			return fmt.Sprintf("%q: a mark was lost", in)
		}
		wp.After, gp.After = false, false
		if wp.Code != gp.Code && gp.At <= wp.At && isIssue[gp.Code] { // an issue came before the fault
			wp.Code, wp.At = gp.Code, gp.At
		}
		if !wp.Equal(gp) {
			return fmt.Sprintf("%q: strict: %s", in, Differ([]Part{wp}, []Part{gp}))
		}
	}
	return ""
}

// isIssue has the codes of issues, which are faults in strict reading.
var isIssue = map[lexer.Code]bool{
	lexer.TypeMismatch: true, lexer.NotInEnum: true, lexer.Coerced: true, lexer.AmbiguousEscape: true, lexer.OpenQuote: true,
	lexer.UnknownArgument: true, lexer.MissingArgument: true,
}
