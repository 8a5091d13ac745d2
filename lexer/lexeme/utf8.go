package lexeme

import "unicode/utf8"

// IllFormed returns the index of the first byte that makes b ill-formed UTF-8:
// len(b) if b ends inside a sequence that could still become well-formed, -1
// if b is valid.
func IllFormed(b []byte) int {
	// Rule: error.invalid-utf8.
	if utf8.Valid(b) {
		return -1
	}
	i := 0
	for i < len(b) {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r != utf8.RuneError || n > 1 {
			i += n
			continue
		}
		// Find the byte at which no well-formed sequence goes on.
		lo, hi, need := byte(0x80), byte(0xbf), 0
		switch c := b[i]; {
		case 0xc2 <= c && c <= 0xdf:
			need = 1
		case 0xe0 <= c && c <= 0xef:
			need = 2
			if c == 0xe0 {
				lo = 0xa0
			} else if c == 0xed {
				hi = 0x9f
			}
		case 0xf0 <= c && c <= 0xf4:
			need = 3
			if c == 0xf0 {
				lo = 0x90
			} else if c == 0xf4 {
				hi = 0x8f
			}
		default:
			return i
		}
		for i++; need > 0 && i < len(b) && lo <= b[i] && b[i] <= hi; i++ {
			need--
			lo, hi = 0x80, 0xbf
		}
		return i
	}
	return -1
}

// BeginsNone reports whether no well-formed sequence begins with c.
func BeginsNone(c byte) bool { return 0x80 <= c && c < 0xc2 || c > 0xf4 }

// PartialRune returns how many bytes at the end of b belong to a rune that is
// not complete yet.
func PartialRune(b []byte) int {
	for n := 1; n <= len(b) && n < utf8.UTFMax; n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if c >= 0xc0 && !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}
