package parse

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// Values are looked at and copied in one go, eight bytes at a time. What is not
// plain is left to those who read on.

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// below returns bits of highs, the lowest of which is right: that of the first
// byte of x, in the order of memory, below c. c is at most 0x80.
func below(x uint64, c byte) uint64 { return (x - uint64(c)*ones) &^ x & highs }

// equal is below for the first byte that is c.
func equal(x uint64, c byte) uint64 { return below(x^uint64(c)*ones, 1) }

// load returns the eight bytes at w[i], with zeros for those behind the end.
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

// copyQuoted appends the string whose quote is w[i] as JSON, and returns the
// index behind it; 0, with dst as it was, if it does not end in w, or holds
// anything but valid UTF-8 without controls and backslashes.
func copyQuoted(dst, w []byte, i int) (out []byte, end int) {
	begin, from := len(dst), i
	quote := w[i]
	dst = append(dst, '"')
	i++
	o := begin + 1
	seen := uint64(0)
	for {
		if o+10 > cap(dst) {
			dst = slices.Grow(dst[:o], o+10)
		}
		room := dst[:cap(dst)]
		x := load(w, i)
		binary.LittleEndian.PutUint64(room[o:], x)
		stop := equal(x, quote) | equal(x, '"') | equal(x, '\\') | below(x, ' ')
		if stop == 0 {
			seen |= x
			i += 8
			o += 8
			continue
		}
		n := bits.TrailingZeros64(stop) / 8
		seen |= x & (1<<(8*n) - 1)
		i += n
		o += n
		switch {
		case i >= len(w) || w[i] == '\\' || w[i] < ' ':
			return dst[:begin], 0
		case w[i] != quote:
			room[o], room[o+1] = '\\', '"'
			i++
			o += 2
		case seen&highs != 0 && !utf8.Valid(w[from:i]):
			return dst[:begin], 0
		default:
			room[o] = '"'
			return room[:o+1], i + 1
		}
	}
}

// copyWord appends the bare word at w[i] as a JSON string, and returns the index
// behind it, where a control, a space or a < stands; 0, with dst as it was, if it
// does not end in w or holds a byte that needs a look.
func copyWord(dst, w []byte, i int) (out []byte, end int) {
	begin := len(dst)
	dst = append(dst, '"')
	o := begin + 1
	for {
		if o+9 > cap(dst) {
			dst = slices.Grow(dst[:o], o+8)
		}
		room := dst[:cap(dst)]
		x := load(w, i)
		binary.LittleEndian.PutUint64(room[o:], x)
		const bit = 0x60 // < and the backslash differ in these, and | is as rare
		if stop := below(x, '\''+1) | equal(x|bit*ones, '<'|bit) | x&highs; stop != 0 {
			n := bits.TrailingZeros64(stop) / 8
			i += n
			o += n
			if i >= len(w) || w[i] > ' ' && w[i] != '<' {
				return dst[:begin], 0
			}
			room[o] = '"'
			return room[:o+1], i
		}
		i += 8
		o += 8
	}
}
