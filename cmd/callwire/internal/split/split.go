// Package split cuts a text into chunks, in all the ways at which it is proved that
// chunks make no difference.
package split

import (
	"fmt"
	"iter"
)

// Split is a way to cut a text: at some places, or into pieces of one size.
type Split struct {
	Cuts []int
	Size int // in bytes; 0 means at Cuts
}

// String says how the text is cut.
func (s Split) String() string {
	switch {
	case s.Size > 0:
		return "in chunks of " + bytes(s.Size)
	case len(s.Cuts) == 1:
		return fmt.Sprintf("cut at %d", s.Cuts[0])
	}
	return fmt.Sprintf("cut at %d and %d", s.Cuts[0], s.Cuts[1])
}

// Chunks yields the chunks of text.
func (s Split) Chunks(text []byte) iter.Seq[[]byte] {
	if s.Size == 0 {
		return Chunks(text, s.Cuts)
	}
	return func(yield func([]byte) bool) {
		for len(text) > 0 {
			n := min(s.Size, len(text))
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

// Samples is at how many places a long text is cut in three.
const Samples = 1000

// Texts of up to exhaustible bytes are cut in three at all places, others at Samples
// places, and into pieces of up to largestPiece bytes.
const (
	exhaustible  = 48
	largestPiece = 16
)

// All yields the splits of a text of n bytes at which it is proved, those in two
// at most places at most. Cuts at the ends and twice at one place make empty chunks.
// A split holds until the next one.
func All(n, most int) iter.Seq[Split] {
	return func(yield func(Split) bool) {
		cuts := make([]int, 2)
		if !yield(Split{Size: 1}) {
			return
		}
		for i := range min(n+1, most) {
			if cuts[0] = i; n+1 > most {
				cuts[0] = spread(i, n+1)
			}
			if !yield(Split{Cuts: cuts[:1]}) {
				return
			}
		}
		if n <= exhaustible {
			for cuts[0] = range n + 1 {
				for cuts[1] = cuts[0]; cuts[1] <= n; cuts[1]++ {
					if !yield(Split{Cuts: cuts}) {
						return
					}
				}
			}
			return
		}
		for i := range Samples {
			cuts[0] = spread(i, n+1)
			cuts[1] = min(cuts[0]+i%(largestPiece+1), n)
			if !yield(Split{Cuts: cuts}) {
				return
			}
		}
		for size := 2; size <= largestPiece; size++ {
			if !yield(Split{Size: size}) {
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

// Count returns how many splits All yields for n bytes.
func Count(n, most int) int {
	two := 1 + min(n+1, most) // and byte by byte
	if n <= exhaustible {
		return two + (n+1)*(n+2)/2
	}
	return two + Samples + largestPiece - 1
}
