package split

import (
	"fmt"
	"iter"
)

// Chunks yields the chunks of text between the offsets in cuts, which are in
// order and not beyond the text.
func Chunks(text []byte, cuts []int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		start := 0
		for _, cut := range cuts {
			if !yield(text[start:cut]) {
				return
			}
			start = cut
		}
		yield(text[start:])
	}
}

// CheckCuts says what is wrong with the cuts of a text of n bytes.
func CheckCuts(cuts []int, n int) error {
	last := 0
	for i, cut := range cuts {
		switch {
		case cut < 0:
			return fmt.Errorf("cuts[%d] is %d; a cut is an offset from 0 to the length of the text", i, cut)
		case cut > n:
			return fmt.Errorf("cuts[%d] is %d, beyond the text, which has %s", i, cut, bytes(n))
		case cut < last:
			return fmt.Errorf("cuts[%d] is %d after %d; sort the cuts", i, cut, last)
		}
		last = cut
	}
	return nil
}

// bytes returns "1 byte" or "2 bytes".
func bytes(n int) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}
