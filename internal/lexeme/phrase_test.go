package lexeme

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// TestPhrase: a phrase of any length is found wherever it is, also at both ends of the text, and
// not if one byte differs.
func TestPhrase(t *testing.T) {
	const all = "abcdefghijklmnopqrst"
	for n := 1; n <= len(all); n++ {
		p := NewPhrase(all[:n])
		for before := range 10 {
			for after := range 10 {
				w := bytes.Repeat([]byte("-"), before+n+after)
				copy(w[before:], p.Text)
				for differs := -1; differs < n; differs++ {
					if differs >= 0 {
						w[before+differs] ^= 1
					}
					want := differs < 0
					follows := want
					if len(w)-before >= 8 {
						follows = p.Follows(w, before, binary.LittleEndian.Uint64(w[before:]))
					}
					if p.Begins(w[before:]) != want || p.IsAt(w, before) != want ||
						follows != want {
						t.Fatalf("%q in %q: %t", p.Text, w, !want)
					}
					if differs >= 0 {
						w[before+differs] ^= 1
					}
				}
				if cut := w[:before+n-1]; p.Begins(cut[before:]) || p.IsAt(cut, before) {
					t.Fatalf("%q in %q", p.Text, cut)
				}
			}
		}
		for _, room := range []int{0, 4, 40} {
			if out := p.AppendTo(append(make([]byte, 0, 1+room), '-')); string(out) != "-"+p.Text {
				t.Errorf("appended as %q", out)
			}
		}
	}
}
