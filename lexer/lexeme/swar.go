package lexeme

import "encoding/binary"

// Eight bytes at once, in a word.

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// below returns bits of highs, the lowest of which is right: that of the first
// byte of x, in the order of memory, below c. c is at most 0x80.
func below(x uint64, c byte) uint64 { return (x - uint64(c)*ones) &^ x & highs }

// equal is below for the first byte that is c.
func equal(x uint64, c byte) uint64 { return below(x^uint64(c)*ones, 1) }

// load returns the eight bytes at w[i], with zeros for those after the end.
func load(w []byte, i int) uint64 {
	if i+8 <= len(w) {
		return binary.LittleEndian.Uint64(w[i:])
	}
	return loadEnd(w, i)
}

func loadEnd(w []byte, i int) uint64 {
	var b [8]byte
	copy(b[:], w[min(i, len(w)):])
	return binary.LittleEndian.Uint64(b[:])
}
