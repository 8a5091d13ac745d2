package middleware

import (
	"iter"
	"unicode/utf8"
)

// pieceSize is about how many bytes of arguments one delta has under SplitDeltas.
const pieceSize = 64

// pieces returns arguments in pieces that split no rune.
func pieces(input []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(input) > 0 {
			n := min(pieceSize, len(input))
			for n < len(input) && !utf8.RuneStart(input[n]) {
				n++
			}
			if !yield(input[:n]) {
				return
			}
			input = input[n:]
		}
	}
}
