package corpus

import (
	"slices"
	"testing"
)

func TestSplits(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 48, 49, 1024, 1025, 5000} {
		counts := map[Matrix]int{}
		for _, m := range []Matrix{Full, Quick, Ends} {
			for _, cuts := range m.Splits(n) {
				if counts[m] == 0 && len(cuts) > 0 {
					t.Errorf("%d bytes: the first cut list is %v", n, cuts)
				}
				if !slices.IsSorted(cuts) || len(cuts) > 0 && (cuts[0] < 0 || cuts[len(cuts)-1] > n) {
					t.Errorf("%d bytes: the cuts %v", n, cuts)
				}
				counts[m]++
			}
		}
		if n > 2 && !(counts[Full] > counts[Quick] && counts[Quick] > counts[Ends]) {
			t.Errorf("%d bytes: %v", n, counts)
		}
	}
}

func TestSplitsOfShortText(t *testing.T) {
	var got [][]int
	for _, cuts := range Full.Splits(4) {
		if len(cuts) < 3 && !slices.ContainsFunc(got, func(c []int) bool { return slices.Equal(c, cuts) }) {
			got = append(got, cuts)
		}
	}
	want := [][]int{{}, {1}, {2}, {3}, {1, 2}, {1, 3}, {2, 3}, {0, 0}, {4, 4}}
	if !slices.EqualFunc(got, want, slices.Equal[[]int]) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, want := range [][]int{{1, 2, 3}, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4}} {
		found := false
		for _, cuts := range Full.Splits(4) {
			found = found || slices.Equal(cuts, want)
		}
		if !found {
			t.Errorf("%v is missing", want)
		}
	}
}

// TestEndsOfLongText: every byte comes alone, and no state of a table of bytes lacks
// an empty chunk for long.
func TestEndsOfLongText(t *testing.T) {
	const n = LongText + 1
	all := Ends.Splits(n)
	if len(all) != 2 || len(all[0]) != 0 {
		t.Fatalf("%d cut lists", len(all))
	}
	var empty []int
	for i, cut := range all[1] {
		if i > 0 && cut == all[1][i-1] {
			empty = append(empty, cut)
		} else if i > 0 && cut != all[1][i-1]+1 {
			t.Errorf("the cuts %d and %d", all[1][i-1], cut)
		}
	}
	if empty[0] != 0 || empty[1] != stride || empty[len(empty)-1] != n {
		t.Errorf("empty chunks at %v", empty)
	}
}
