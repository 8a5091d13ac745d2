package fuzz

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestNoRetraction: property 3. What is emitted after some chunks is a prefix of what is
// emitted in the end: text and input grow, parts never change. (The readers themselves check
// that the deltas of a call are its input.)
func TestNoRetraction(t *testing.T) {
	everyReader(t, func(t *testing.T, open func(Setup) Reader) {
		everySample(t, func(rt *rapid.T, s sample) {
			r := open(s.setup)
			var before []Part
			for _, c := range Chunks(s.in, s.cuts) {
				if err := Lend(r, c); err != nil {
					rt.Fatal(err)
				}
				checkGrown(rt, before, r.Parts())
				before = append(before[:0], r.Parts()...)
			}
			r.Close()
			checkGrown(rt, before, r.Parts())
		})
	})
}

// checkGrown fails unless before is a prefix of now.
func checkGrown(t rapid.TB, before, now []Part) {
	for i, p := range before {
		switch {
		case i >= len(now):
			t.Fatalf("%+v was taken back", p)
		case i < len(before)-1 && !p.Equal(now[i]):
			t.Fatalf("%+v became %+v", p, now[i])
		case p.Kind != now[i].Kind || p.Start != now[i].Start || !strings.HasPrefix(now[i].Text, p.Text):
			t.Fatalf("%+v became %+v", p, now[i])
		}
	}
}

// TestWholeRunes: property 3. If the message is valid UTF-8, so is every event; no delta
// ends inside a rune. (The reader checks that none ends inside an escape.)
func TestWholeRunes(t *testing.T) {
	everySample(t, func(rt *rapid.T, s sample) {
		if wrong := ragged(s); wrong != "" {
			rt.Fatal(wrong)
		}
	})
}

// ragged returns how the decoder breaks a rune of s, or "".
func ragged(s sample) string {
	if !utf8.Valid(s.in) {
		return ""
	}
	r := newDecoderReader(s.setup)
	if _, err := Read(r, Chunks(s.in, s.cuts)...); err != nil {
		return err.Error()
	}
	if r.ragged {
		return fmt.Sprintf("%q cut %v: a delta ends inside a rune", s.in, s.cuts)
	}
	return ""
}
