package main

import (
	"fmt"
	"iter"
)

// A split is a way to cut a text: at some places, or into pieces of one size.
type split struct {
	cuts []int
	size int // bytes; 0: at cuts
}

// String says how the text is cut.
func (s split) String() string {
	switch {
	case s.size > 0:
		return "in chunks of " + count(s.size, "byte")
	case len(s.cuts) == 1:
		return fmt.Sprintf("cut at %d", s.cuts[0])
	}
	return fmt.Sprintf("cut at %d and %d", s.cuts[0], s.cuts[1])
}

// chunks yields the chunks of text.
func (s split) chunks(text []byte) iter.Seq[[]byte] {
	if s.size == 0 {
		return chunks(text, s.cuts)
	}
	return func(yield func([]byte) bool) {
		for len(text) > 0 {
			n := min(s.size, len(text))
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

// Texts of up to exhaustible bytes are cut in three at all places, others at
// samples places, and into pieces of up to largestPiece bytes.
const (
	exhaustible  = 48
	samples      = 1000
	largestPiece = 16
)

// splits yields the splits of a text of n bytes at which it is proved, those in two
// at most places at most. Cuts at the ends and twice at one place make empty chunks.
// A split holds until the next one.
func splits(n, most int) iter.Seq[split] {
	return func(yield func(split) bool) {
		cuts := make([]int, 2)
		if !yield(split{size: 1}) {
			return
		}
		for i := range min(n+1, most) {
			if cuts[0] = i; n+1 > most {
				cuts[0] = spread(i, n+1)
			}
			if !yield(split{cuts: cuts[:1]}) {
				return
			}
		}
		if n <= exhaustible {
			for cuts[0] = range n + 1 {
				for cuts[1] = cuts[0]; cuts[1] <= n; cuts[1]++ {
					if !yield(split{cuts: cuts}) {
						return
					}
				}
			}
			return
		}
		for i := range samples {
			cuts[0] = spread(i, n+1)
			cuts[1] = min(cuts[0]+i%(largestPiece+1), n)
			if !yield(split{cuts: cuts}) {
				return
			}
		}
		for size := 2; size <= largestPiece; size++ {
			if !yield(split{size: size}) {
				return
			}
		}
	}
}

// spread returns the place i of many that lie evenly in n: the multiples of the
// golden ratio, modulo 1, do.
func spread(i, n int) int {
	part := uint64(uint32(i) * 2654435769)
	return int(part * uint64(n) >> 32)
}

// countSplits returns how many splits has for n bytes.
func countSplits(n, most int) int {
	two := 1 + min(n+1, most) // and byte by byte
	if n <= exhaustible {
		return two + (n+1)*(n+2)/2
	}
	return two + samples + largestPiece - 1
}
