package corpus

import "slices"

// A Matrix is a set of cut lists at which a text is streamed. A cut list contains, in order, the
// offsets at which a chunk ends and the next one begins.
type Matrix int

const (
	// Full is the matrix that counts, which README.md describes.
	Full Matrix = iota

	// Quick is Full without the three chunks.
	Quick

	// Ends has the text whole, and byte by byte without and with empty chunks. A text of
	// more than 1024 bytes is read byte by byte once, with an empty chunk at each
	// multiple of 61.
	Ends
)

// LongText is the length of the longest text that the matrix cuts in two everywhere.
const LongText = 1024

const (
	shortText = 48 // the longest text that is cut in every three chunks
	border    = 64 // of a longer text, the bytes at each end that are cut everywhere
	stride    = 61 // and the multiples at which it is cut between
)

var chunkSizes = []int{2, 3, 5, 7, 11, 13}

// Splits returns the cut lists for a text of n bytes, those with few cuts first.
func (m Matrix) Splits(n int) [][]int {
	all := [][]int{{}}
	if m == Ends && n > LongText {
		return append(all, doubled(n, stride))
	}
	if m != Ends {
		all = slices.Concat(all, m.fewCuts(n), [][]int{{0, 0}, {n, n}})
		for _, size := range chunkSizes {
			for first := 1; first <= size && first < n; first++ {
				all = append(all, Every(size, first, n))
			}
		}
	}
	if n > 1 {
		all = append(all, Every(1, 1, n))
	}
	return append(all, doubled(n, 1))
}

// fewCuts returns the cut lists with one or two different cuts.
func (m Matrix) fewCuts(n int) (all [][]int) {
	for i := 1; i < n; i++ {
		if n <= LongText || i <= border || i >= n-border || i%stride == 0 {
			all = append(all, []int{i})
		}
	}
	if m != Full {
		return all
	}
	for _, single := range all {
		i, last := single[0], n-1
		if n > shortText {
			last = min(last, i+1)
		}
		for j := i + 1; j <= last; j++ {
			all = append(all, []int{i, j})
		}
	}
	return all
}

// Every returns the cuts of a text of n bytes into chunks of one size, after a first
// one of first bytes.
func Every(size, first, n int) []int {
	cuts := make([]int, 0, n/size+1)
	for at := first; at < n; at += size {
		cuts = append(cuts, at)
	}
	return cuts
}

// doubled returns the cuts of single bytes, with empty chunks at the multiples of a
// step and at the end.
func doubled(n, step int) []int {
	cuts := make([]int, 0, n+n/step+2)
	for at := 0; at <= n; at++ {
		cuts = append(cuts, at)
		if at%step == 0 || at == n {
			cuts = append(cuts, at)
		}
	}
	return cuts
}
