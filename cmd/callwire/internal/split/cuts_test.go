package split

import (
	"slices"
	"testing"
)

func TestChunks(t *testing.T) {
	for _, c := range []struct {
		text string
		cuts []int
		want []string
	}{
		{"", nil, []string{""}},
		{"abc", nil, []string{"abc"}},
		{"abcd", []int{2, 3, 3}, []string{"ab", "c", "", "d"}},
		{"abc", []int{0, 3}, []string{"", "abc", ""}},
	} {
		var got []string
		for chunk := range Chunks([]byte(c.text), c.cuts) {
			got = append(got, string(chunk))
		}
		if !slices.Equal(got, c.want) || CheckCuts(c.cuts, len(c.text)) != nil {
			t.Errorf("%q cut at %v: %q, want %q", c.text, c.cuts, got, c.want)
		}
	}
	for _, cuts := range [][]int{{-1}, {4}, {2, 1}, {0, 1, 0}, {3, 4}} {
		if CheckCuts(cuts, 3) == nil {
			t.Errorf("%v are no cuts of 3 bytes", cuts)
		}
	}
}
