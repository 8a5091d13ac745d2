package parse

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
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
// index behind it; nil and 0 if it does not end in w, is no UTF-8, or holds a
// backslash that is no escape.
func copyQuoted(dst, w []byte, i int) (out []byte, end int) {
	from, quote := i, w[i]
	dst = append(dst, '"')
	o, seen := len(dst), uint64(0)
	for i++; ; {
		if o+10 > cap(dst) {
			dst = slices.Grow(dst[:o], o+10)
		}
		room := dst[:cap(dst)]
		n, high := copyPlain(room[o:], w[i:], quote)
		seen |= high
		i += n
		o += n
		if i >= len(w) {
			break
		}
		switch c := w[i]; {
		case o+10 > len(room): // more room is needed
		case c == quote:
			if seen != 0 && !utf8.Valid(w[from:i]) {
				return nil, 0
			}
			room[o] = '"'
			return room[:o+1], i + 1
		case c == '"':
			room[o], room[o+1] = '\\', '"'
			i++
			o += 2
		case c == '\\' && i+1 < len(w) && sameInJSON[w[i+1]]:
			room[o], room[o+1] = '\\', w[i+1]
			i += 2
			o += 2
		default:
			longer, n, flags := copyInside(room[:o], w[i:], quote)
			if i += n; i == len(w) || w[i] != quote || flags&lexer.Literal != 0 || seen != 0 && !utf8.Valid(w[from:i]) {
				return nil, 0
			}
			return append(longer, '"'), i + 1
		}
	}
	return nil, 0
}

// copyInside appends what w, from the inside of a string with that quote, means as
// the inside of a JSON string. It stops in front of the quote, a unit that needs a
// look and the end of w, and returns how many bytes are behind it, and the flags of
// a token with these; 0, with dst as it was, if they are not UTF-8.
func copyInside(dst, w []byte, quote byte) (out []byte, n int, flags lexer.Flags) {
	const swap = '"' ^ ' '
	begin, o, seen := len(dst), len(dst), uint64(0)
	other := uint64(quote) * ones
	room := dst[:cap(dst)]
copying:
	for n < len(w) {
		if o+24 > len(room) {
			room = slices.Grow(room[:o], min(len(w)-n, 4096)+24)
			room = room[:cap(room)]
		}
		x := load(w, n) // one word first: in code, a string is one escape after the other
		binary.LittleEndian.PutUint64(room[o:], x)
		if stop := below(x^swap*ones, ' '+1) | equal(x, '\\') | below(x^other, 1); stop != 0 {
			seen |= x & (stop ^ (stop - 1))
			k := bits.TrailingZeros64(stop) / 8
			n += k
			o += k
		} else {
			k, high := copyPlain(room[o+8:], w[n+8:], quote)
			seen |= x | high
			n += 8 + k
			o += 8 + k
			if o+16 > len(room) { // more room is needed
				continue
			}
		}
		if n == len(w) {
			break
		}
		c := w[n]
		if c == quote {
			break
		}
		if c != '\\' { // a quote of the other kind, or a control
			o = len(appendByte(room[:o], c))
			if c < ' ' {
				flags |= lexer.Control
			}
			n++
			continue
		}
		k, kind, next := 2, lexer.Flags(0), byte(0)
		if n+1 < len(w) {
			next = w[n+1]
		}
		switch {
		case sameInJSON[next]:
			room[o], room[o+1] = c, next
			o += 2
			if next == '"' {
				kind = lexer.QuoteEsc
			}
		case next == '\'':
			room[o] = next
			o++
			kind = lexer.QuoteEsc
		default:
			if k, kind = lexer.Escape(w[n:]); k == 0 || w[n+k-1] >= utf8.RuneSelf {
				break copying
			}
			room = appendContent(room[:o], w[n:n+k], lexer.Escaped, quote)
			o = len(room)
			room = room[:cap(room)]
		}
		flags |= lexer.Escaped | kind
		n += k
	}
	if seen&highs != 0 && !utf8.Valid(w[:n]) {
		return dst[:begin], 0, 0
	}
	return room[:o], n, flags
}

// sameInJSON tells the bytes that make the same escape in JSON.
var sameInJSON = [256]bool{'"': true, '\\': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// copyPlain copies w to dst, up to a quote of either kind, a backslash or a
// control, or the end of w, or almost that of dst. It returns how many bytes
// these are, and bits of highs for those from 0x80 up.
func copyPlain(dst, w []byte, quote byte) (n int, seen uint64) {
	const swap = '"' ^ ' ' // puts " below the space, next to the controls
	other := uint64(quote) * ones
	for n+16 <= len(w) && n+16 <= len(dst) { // two words at once: a third faster in long strings
		x, y := binary.LittleEndian.Uint64(w[n:]), binary.LittleEndian.Uint64(w[n+8:])
		binary.LittleEndian.PutUint64(dst[n:], x)
		binary.LittleEndian.PutUint64(dst[n+8:], y)
		stop := below(x^swap*ones, ' '+1) | equal(x, '\\') | below(x^other, 1)
		if stop != 0 {
			seen |= x & (stop ^ (stop - 1))
			return n + bits.TrailingZeros64(stop)/8, seen & highs
		}
		seen |= x
		n += 8
		stop = below(y^swap*ones, ' '+1) | equal(y, '\\') | below(y^other, 1)
		if stop != 0 {
			seen |= y & (stop ^ (stop - 1))
			return n + bits.TrailingZeros64(stop)/8, seen & highs
		}
		seen |= y
		if n += 8; n == 64 && quote == '"' {
			k, s := copyWords(dst[n:], w[n:])
			n += k
			seen |= s
		}
	}
	for n+8 <= len(dst) {
		x := load(w, n)
		binary.LittleEndian.PutUint64(dst[n:], x)
		stop := below(x^swap*ones, ' '+1) | equal(x, '\\') | below(x^other, 1)
		if stop != 0 {
			seen |= x & (stop ^ (stop - 1))
			return n + bits.TrailingZeros64(stop)/8, seen & highs
		}
		seen |= x
		n += 8
	}
	return n, seen & highs
}

// copyWords is copyPlain for long strings in double quotes, as many times 32 bytes
// as are plain: twice as fast.
func copyWords(dst, w []byte) (n int, seen uint64) {
	for n+32 <= len(w) && n+32 <= len(dst) {
		src, to := w[n:n+32:n+32], dst[n:n+32:n+32]
		a, b := binary.LittleEndian.Uint64(src), binary.LittleEndian.Uint64(src[8:])
		c, d := binary.LittleEndian.Uint64(src[16:]), binary.LittleEndian.Uint64(src[24:])
		if (special(a)|special(b)|special(c)|special(d))&highs != 0 {
			break
		}
		binary.LittleEndian.PutUint64(to, a)
		binary.LittleEndian.PutUint64(to[8:], b)
		binary.LittleEndian.PutUint64(to[16:], c)
		binary.LittleEndian.PutUint64(to[24:], d)
		seen |= a | b | c | d
		n += 32
	}
	return n, seen
}

// special has a bit of highs for a byte of x that JSON escapes, if there is one.
func special(x uint64) uint64 {
	const swap = ('"' ^ ' ') * ones
	v, s := x^swap, x^'\\'*ones
	return (v-(' '+1)*ones)&^v | (s-ones)&^s
}

// plainLen returns how many bytes text begins with that stand for themselves in
// a JSON string.
func plainLen(text []byte) int {
	const swap = '"' ^ ' '
	for i := 0; i < len(text); i += 8 {
		x := load(text, i)
		if stop := below(x^swap*ones, ' '+1) | equal(x, '\\'); stop != 0 {
			return min(i+bits.TrailingZeros64(stop)/8, len(text))
		}
	}
	return len(text)
}

// copyWord appends the bare word at w[i] as a JSON string, and returns the index
// behind it, where a control, a space or a < stands; nil and 0 if it does not end
// in w or holds a byte that needs a look.
func copyWord(dst, w []byte, i int) (out []byte, end int) {
	dst = append(dst, '"')
	o := len(dst)
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
				return nil, 0
			}
			room[o] = '"'
			return room[:o+1], i
		}
		i += 8
		o += 8
	}
}

// copyList appends the array of quoted strings that begins at w[i], and returns
// the index behind it; nil and 0 where copyQuoted does, and where
// anything but a comma, with one space behind it at most, is between them.
func copyList(dst []byte, t *sig.Type, w []byte, i int) (out []byte, end int) {
	if t != nil && t.Free&sig.Array == 0 {
		return nil, 0
	}
	for n := 0; ; n++ {
		dst = append(dst, w[i]) // [ or ,
		i++
		if n > 0 && i < len(w) && w[i] == ' ' {
			i++
		}
		if i == len(w) || w[i] != '"' {
			return nil, 0
		}
		from := i
		item := t.Item(n)
		if dst, i = copyQuoted(dst, w, i); i == 0 || i == len(w) || item != nil && item.Free&sig.String == 0 && !hasPlain(item, w[from:i]) {
			return nil, 0
		}
		switch w[i] {
		case ',':
		case ']':
			return append(dst, ']'), i + 1
		default:
			return nil, 0
		}
	}
}

// appendLiteral appends w[from:to], which is short most often.
func appendLiteral(dst, w []byte, from, to int) []byte {
	if n := len(dst); to-from <= 8 && from+8 <= len(w) && n+8 <= cap(dst) {
		binary.LittleEndian.PutUint64(dst[n:n+8], binary.LittleEndian.Uint64(w[from:]))
		return dst[:n+to-from]
	}
	return append(dst, w[from:to]...)
}
