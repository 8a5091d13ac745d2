package main

import (
	"fmt"
	"iter"
)

// chunks yields the chunks of text between the offsets in cuts, which are in
// order and not beyond the text.
func chunks(text []byte, cuts []int) iter.Seq[[]byte] {
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

// checkCuts says what is wrong with the cuts of a text of n bytes.
func checkCuts(cuts []int, n int) error {
	last := 0
	for i, cut := range cuts {
		switch {
		case cut < 0:
			return fmt.Errorf("cuts[%d] is %d; a cut is an offset from 0 to the length of the text", i, cut)
		case cut > n:
			return fmt.Errorf("cuts[%d] is %d, beyond the text, which has %s", i, cut, count(n, "byte"))
		case cut < last:
			return fmt.Errorf("cuts[%d] is %d after %d; sort the cuts", i, cut, last)
		}
		last = cut
	}
	return nil
}
