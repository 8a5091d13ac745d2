package fuzz

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// TestSalvageTrip: what is written for a reader under Salvage, of arguments that fit their
// schema, is read by it as by the rules alone: no repair, no doubt, whatever the chunks.
func TestSalvageTrip(t *testing.T) {
	trips := 0
	rapid.Check(t, func(rt *rapid.T) {
		c := Drawn(rt)
		tr := DrawnTrip(c)
		tr.opts.Salvage = true
		text, err := tr.opts.Format(tr.catalog, tr.tool, []byte(tr.input))
		if err != nil {
			return
		}
		plain := parse.Options{Delims: tr.opts.Delims}.Text(text, tr.catalog)
		if len(plain) != 1 || plain[0].Kind != parse.Call || !sameJSON(plain[0].Input, []byte(tr.input)) {
			rt.Fatalf("%s\n%q reads as %+v", tr, text, plain)
		}
		if slices.ContainsFunc(plain[0].Issues, func(is parse.Issue) bool { return is.Code != lexer.Coerced }) {
			return // it does not fit
		}
		trips++
		setup := Setup{Catalog: tr.catalog, Delims: tr.opts.Delims, Salvage: true, Reasoning: true, Code: true, Stop: true}
		segs := setup.parse().Text(text, tr.catalog)
		if len(segs) != 1 || segs[0].Kind != parse.Call || string(segs[0].Input) != string(plain[0].Input) || len(segs[0].Issues) != len(plain[0].Issues) {
			rt.Fatalf("%s\n%q reads under Salvage as %+v", tr, text, segs)
		}
	})
	if trips == 0 {
		t.Error("nothing was read")
	}
}
