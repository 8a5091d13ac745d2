package lexer

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// beginString enters the string whose quote, at scan, is q.
func (l *Lexer) beginString(q byte, role Flags) {
	l.state = inString
	l.quote = q
	l.part = First | role
	l.scan++
}

// readString reads a string, in pieces where the window ends. A piece holds
// whole runes and whole escapes, so each can be decoded by itself.
//
// Rule: value.string.
func (l *Lexer) readString() bool {
	w, i := l.win[:l.bound], l.scan
	flags := l.part
	var seen uint64
	for {
		from := i
		var s uint64
		i, s = plain(w, i, l.quote)
		seen |= s
		l.steps += i - from + 1
		if i == len(w) {
			return l.cutString(i, i, flags, seen)
		}
		if w[i] == l.quote {
			break
		}
		n, kind := Escape(w[i:])
		if n == 0 {
			return l.cutString(i, len(w), flags, seen)
		}
		flags |= Escaped | kind
		if w[i+n-1] >= 0x80 { // a backslash before a rune: the rune is read as such
			n--
		}
		i += n
	}
	i++
	if seen&highs != 0 && !l.validPiece(i, flags) {
		return true
	}
	if seen&controls != 0 {
		flags |= Control
	}
	l.afterString()
	l.emit(String, flags|Last, l.pos, i)
	l.quote = 0
	return true
}

// afterString sets the state behind the closing quote.
func (l *Lexer) afterString() {
	switch {
	case l.part&MemberKey != 0:
		l.state = afterMember
	case len(l.nest) > 0:
		l.state = afterItem
	default:
		l.state = afterValue
	}
}

// cutString puts the whole units of the string before win[i] into a piece: the
// window or the limit is reached at win[end], i is the first byte of a unit
// that may go on there.
func (l *Lexer) cutString(i, end int, flags Flags, seen uint64) bool {
	w := l.win
	cut := i
	if seen&highs != 0 {
		cut -= partialRune(w[l.pos:i])
		if !l.validPiece(cut, flags) {
			return true
		}
	}
	if cut > l.pos {
		if seen&controls != 0 {
			flags |= Control
		}
		l.emit(String, flags, l.pos, cut)
		l.part &^= First
	}
	if cut < i && i < end { // a backslash inside a rune
		l.fail(InvalidUTF8, i)
		return true
	}
	if end < len(w) {
		l.failIn(CallTooLong, end, i)
		return true
	}
	l.scan = cut
	return false
}

// Masks for eight bytes at once.
const (
	ones     = 0x0101010101010101
	highs    = 0x80 * ones
	controls = 0x01 // in what plain has seen: a byte below U+0020
)

// plain returns the index of the first byte of b, from i on, that is q or a
// backslash, or len(b), and what it has seen on the way: bits of highs for
// bytes from 0x80 up, controls for bytes below 0x20.
func plain(b []byte, i int, q byte) (int, uint64) {
	var seen uint64
	qs := uint64(q) * ones
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		y, z := x^qs, x^'\\'*ones
		stop := ((y-ones)&^y | (z-ones)&^z) & highs
		low := (x - 0x20*ones) &^ x & highs
		if stop != 0 {
			n := bits.TrailingZeros64(stop) &^ 7
			before := uint64(1)<<n - 1
			seen |= x & highs & before
			if low&before != 0 {
				seen |= controls
			}
			return i + n/8, seen
		}
		seen |= x & highs
		if low != 0 {
			seen |= controls
		}
	}
	for ; i < len(b); i++ {
		c := b[i]
		if c == q || c == '\\' {
			break
		}
		seen |= uint64(c) & 0x80
		if c < 0x20 {
			seen |= controls
		}
	}
	return i, seen
}

// Escape returns the length in bytes of the unit that begins with the backslash
// b[0], and Literal if it is literal text, QuoteEsc if it is an escaped quote.
// The length is 0 where b ends too early to tell.
//
// Rule: value.escape.
func Escape(b []byte) (n int, kind Flags) {
	if len(b) < 2 {
		return 0, 0
	}
	switch b[1] {
	case '"', '\'':
		return 2, QuoteEsc
	case '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, 0
	case 'u':
	default:
		return 2, Literal
	}
	r, n := hex4(b)
	switch {
	case n < 6:
		if n == len(b) {
			return 0, 0
		}
		return 2, Literal
	case r < 0xd800 || r > 0xdfff:
		return 6, 0
	case r >= 0xdc00:
		return 6, Literal
	}
	low, n := hex4(b[6:])
	switch {
	case n == 6 && 0xdc00 <= low && low <= 0xdfff:
		return 12, 0
	case n == len(b)-6 && n < 6:
		return 0, 0
	}
	return 6, Literal
}

// hex4 reads \uXXXX at the beginning of b. It returns how many of its six bytes
// are right, and the value if all are.
func hex4(b []byte) (r rune, n int) {
	for n < 6 && n < len(b) {
		c := b[n]
		switch {
		case n == 0 && c == '\\' || n == 1 && c == 'u':
		case n < 2:
			return r, n
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return r, n
		}
		n++
	}
	return r, n
}

// AppendUnescaped appends what the content b of a string means, quotes not
// included, and returns the extended buffer. b must consist of whole units.
//
// Rule: value.escape.
func AppendUnescaped(dst, b []byte) []byte {
	for i := 0; i < len(b); {
		if b[i] != '\\' {
			j := i + 1
			for j < len(b) && b[j] != '\\' {
				j++
			}
			dst = append(dst, b[i:j]...)
			i = j
			continue
		}
		r, n := Unescape(b[i:])
		if r < 0 {
			dst = append(dst, b[i:i+n]...)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
		i += n
	}
	return dst
}

// Unescape returns the rune that the unit at the beginning of b means, which
// begins with a backslash, and its length in bytes. The rune is -1 where the
// unit is literal text.
//
// Rule: value.escape.
func Unescape(b []byte) (r rune, n int) {
	n, kind := Escape(b)
	switch {
	case n == 0: // b is cut: literal as far as it goes
		return -1, len(b)
	case kind&Literal != 0:
		if n == 2 && b[1] >= utf8.RuneSelf { // leave the rune to its own bytes
			n = 1
		}
		return -1, n
	case n == 6:
		r, _ = hex4(b)
		return r, n
	case n == 12:
		hi, _ := hex4(b)
		lo, _ := hex4(b[6:])
		return (hi-0xd800)<<10 | (lo - 0xdc00) + 0x10000, n
	}
	switch b[1] {
	case 'b':
		return '\b', n
	case 'f':
		return '\f', n
	case 'n':
		return '\n', n
	case 'r':
		return '\r', n
	case 't':
		return '\t', n
	}
	return rune(b[1]), n
}
