package split

import (
	"fmt"
	"slices"
	"testing"
)

// TestSplits: the splits are as many as are counted, each puts the text together
// again, and those that are promised are among them.
func TestSplits(t *testing.T) {
	text := make([]byte, 300)
	for i := range text {
		text[i] = byte(i)
	}
	for _, n := range []int{0, 1, 2, 47, 48, 49, 300} {
		text := text[:n]
		seen := map[string]int{}
		total := 0
		for s := range All(n, n+1) {
			total++
			seen[s.String()]++
			if err := CheckCuts(s.Cuts, n); err != nil {
				t.Fatalf("%s of %d bytes: %v", s, n, err)
			}
			got := slices.Concat(slices.Collect(s.Chunks(text))...)
			if string(got) != string(text) {
				t.Fatalf("%s of %d bytes: %q", s, n, got)
			}
		}
		if total != Count(n, n+1) {
			t.Errorf("%d bytes: %d splits, %d are counted", n, total, Count(n, n+1))
		}
		want := []string{"in chunks of 1 byte"}
		for i := range n + 1 {
			want = append(want, fmt.Sprintf("cut at %d", i))
			for j := i; n <= exhaustible && j <= n; j++ {
				want = append(want, fmt.Sprintf("cut at %d and %d", i, j))
			}
		}
		if n > exhaustible {
			want = append(want, "in chunks of 2 bytes", "in chunks of 16 bytes")
		}
		for _, s := range want {
			if seen[s] != 1 && n <= exhaustible || seen[s] == 0 {
				t.Errorf("%d bytes: %q is there %d times", n, s, seen[s])
			}
		}
	}
}

// TestFewerSplits: a text that is too long for all splits is cut in two at other
// places each time, in all its parts.
func TestFewerSplits(t *testing.T) {
	const n, most, parts = 10_000, 1000, 10
	var seen [parts + 1]int
	places := map[int]bool{}
	total := 0
	for s := range All(n, most) {
		if total++; len(s.Cuts) == 1 {
			seen[s.Cuts[0]*parts/n]++
			places[s.Cuts[0]] = true
		}
	}
	if total != Count(n, most) || len(places) != most {
		t.Errorf("%d splits at %d places, want %d at %d", total, len(places), Count(n, most), most)
	}
	for i, k := range seen[:parts] {
		if k < most/parts-5 || k > most/parts+5 {
			t.Errorf("part %d of %d is cut %d times", i, parts, k)
		}
	}
}

// TestSamplesAreEven: every part of a long text is cut in three.
func TestSamplesAreEven(t *testing.T) {
	const n, parts = 1 << 20, 100
	var first [parts + 1]int
	for s := range All(n, n+1) {
		if len(s.Cuts) == 2 {
			first[s.Cuts[0]*parts/n]++
		}
	}
	for i, k := range first[:parts] {
		if k < Samples/parts-2 || k > Samples/parts+2 {
			t.Errorf("part %d of %d is cut %d times", i, parts, k)
		}
	}
}
