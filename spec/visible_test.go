package spec

import (
	"slices"
	"strings"
	"testing"
)

func shown(text string) string {
	var b strings.Builder
	for _, c := range cells([]byte(text)) {
		b.WriteString(c.glyph)
		if c.line {
			b.WriteString("|")
		}
	}
	return b.String()
}

func TestCells(t *testing.T) {
	for text, want := range map[string]string{
		"a b":           "a b",
		" a  b ":        "␣a␣␣b␣",
		"a\tb":          "a⇥b",
		"a\nb\r\nc\rd":  "a↵|b⟨CR⟩↵|c⟨CR⟩|d",
		"a\xffb\xe2":    "a⟨FF⟩b⟨E2⟩",
		"\x00\x7f":      "⟨U+0000⟩⟨U+007F⟩",
		"é\u00a0\u2028": "é⟨U+00A0⟩⟨U+2028⟩",
		"東":             "東",
	} {
		if got := shown(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Of a long text the middle is left out, and every byte is in one cell.
func TestCellsOfLongText(t *testing.T) {
	for _, n := range []int{longest, longest + 1, 100_000} {
		text := []byte(strings.Repeat("é", n))
		all := cells(text)
		if len(all) > longest {
			t.Errorf("%d characters give %d cells", n, len(all))
		}
		at := 0
		for _, c := range all {
			if c.start != at {
				t.Fatalf("a cell starts at %d, want %d", c.start, at)
			}
			at = c.end
		}
		if at != len(text) {
			t.Errorf("the cells end at %d, want %d", at, len(text))
		}
	}
}

func TestCaretLines(t *testing.T) {
	three := marks{1: "one", 4: "two", 10: "end"}
	got := caretLines([]byte("a東b\ncdef"), three)
	want := []string{"a東b↵", " ^ ^ one at 1; two at 4", "cdef", "    ^ end at 10"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := caretLines(nil, marks{0: "empty"}); !slices.Equal(got, []string{"", "^ empty at 0"}) {
		t.Errorf("%q", got)
	}
	if got := caretLines(nil, nil); len(got) != 1 {
		t.Errorf("nothing is %q", got)
	}
}
