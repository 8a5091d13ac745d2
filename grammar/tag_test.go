package grammar

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestStartsCall(t *testing.T) {
	for _, test := range []struct {
		text string
		want bool
	}{
		{`<call>t`, true},
		{`<call>_`, true},
		{`<call>$`, true},
		{`<call>@`, true},
		{"<call>\x80", true},
		{"<call> \t\r\nT", true},
		{`<call>{`, true},
		{`<call> [`, true},

		{`<call>`, false},
		{`<call> `, false},
		{`<call></call>`, false},
		{`<call><call>t`, false},
		{"<call>`", false},
		{`<call>1`, false},
		{`<call>-`, false},
		{`<call>"t"`, false},
		{"<call>\vt", false},
		{"<call>\x00t", false},
	} {
		x := newTagIndex(test.text, DefaultDelims, 1<<20)
		if got := x.startsCall(0); got != test.want {
			t.Errorf("%q starts a call: %v", test.text, got)
		}
	}
}

// The index agrees with a plain search, for every offset in any order.
func TestTagIndex(t *testing.T) {
	tags := Delims{"<<c", "<</"}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"<", "<<c", "<</", "t", " ", "c", "/"}), 0, 20).Draw(t, "parts")
		text := strings.Join(parts, "")
		x := newTagIndex(text, tags, 1<<20)
		for range 20 {
			pos := rapid.IntRange(0, len(text)).Draw(t, "pos")
			search := func(matches func(at int) bool) int {
				for at := pos; at < len(text); at++ {
					if matches(at) {
						return at
					}
				}
				return len(text)
			}
			isTag := func(at int) bool {
				rest := text[at:]
				return strings.HasPrefix(rest, tags.Open) || strings.HasPrefix(rest, tags.Close) ||
					strings.HasPrefix(tags.Open, rest) || strings.HasPrefix(tags.Close, rest)
			}
			isCall := func(at int) bool {
				return strings.HasPrefix(text[at:], tags.Open) && newTagIndex(text, tags, 1<<20).startsCall(at)
			}
			isEnd := func(at int) bool { return isCall(at) || strings.HasPrefix(text[at:], tags.Close) }
			if got, want := x.next(pos), search(isTag); got != want {
				t.Fatalf("%q: next tag from %d is at %d, want %d", text, pos, got, want)
			}
			if got, want := x.nextCall(pos), search(isCall); got != want {
				t.Fatalf("%q: next call from %d is at %d, want %d", text, pos, got, want)
			}
			if got, want := x.nextEnd(pos), search(isEnd); got != want {
				t.Fatalf("%q: next end from %d is at %d, want %d", text, pos, got, want)
			}
		}
	})
}
