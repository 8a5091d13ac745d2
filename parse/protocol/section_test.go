package protocol_test

import (
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// What a CDATA section says before a byte that is at fault is final at any split.
func TestFaultInSection(t *testing.T) {
	const text = "<note><text>a<![CDATA[b</text>é\xff]]></text></note>"
	for _, size := range []int{1, 2, 3, len(text)} {
		r, err := parse.NewReader(notes, parse.Options{Protocol: protocol.MorphXML})
		if err != nil {
			t.Fatal(err)
		}
		var got []byte
		for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
			r.Feed([]byte(rest[:min(size, len(rest))]))
			for part := r.Next(); part != parse.NoPart; part = r.Next() {
				if part == parse.InputPart {
					got = append(got, r.Delta()...)
				}
			}
		}
		if want := `{"text":"ab</text>é`; string(got) != want {
			t.Errorf("in chunks of %d: %s, want %s", size, got, want)
		}
	}
}
