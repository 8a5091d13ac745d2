package lexeme

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// Flags record what was seen in a lexeme, so nobody has to read it again.
type Flags uint8

// The flags of strings and bare words.
const (
	First     Flags = 1 << iota // string: begins with the opening quote; opener of another format: begins its line
	Last                        // string: ends with the closing quote
	MemberKey                   // string: a quoted key of an object
	Escaped                     // string: holds a backslash
	Control                     // string: holds a control character below U+0020
	Literal                     // string: holds a backslash that begins no escape
	QuoteEsc                    // string: holds an escaped quote
	Opened                      // bare word: holds quotes that look like a lost beginning (open-quote)
)

// escapes says what the byte after a backslash means; 0 if it begins no escape. \u is
// not in the table.
//
// Rule: value.escape.
var escapes = [256]byte{
	'"': '"', '\'': '\'', '\\': '\\', '/': '/',
	'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// plainInString marks the ASCII bytes that stand for themselves in every string, in a
// call and in JSON.
var plainInString = func() (t [256]bool) {
	for c := range utf8.RuneSelf {
		t[c] = plainInJSON[c] && c != '\''
	}
	return t
}()

// sameInJSON marks the escapes that this package also writes in JSON.
var sameInJSON = func() (t [256]bool) {
	for c, means := range escapes {
		written := appendByte(nil, means)
		t[c] = means != 0 && len(written) == 2 && written[1] == byte(c)
	}
	return t
}()

// Escape returns the length in bytes of the unit that begins with the backslash
// b[0], and Literal if it is literal text, QuoteEsc if it is an escaped quote.
// The length is 0 if b ends before that is clear.
func Escape(b []byte) (n int, kind Flags) {
	// Rule: value.escape.
	if len(b) < 2 {
		return 0, 0
	}
	switch c := b[1]; {
	case c == '"' || c == '\'':
		return 2, QuoteEsc
	case escapes[c] != 0:
		return 2, 0
	case c != 'u':
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

// Unescape returns the rune for the unit at the beginning of b, which begins with a
// backslash, and its length in bytes. The rune is -1 if the unit is literal text.
func Unescape(b []byte) (r rune, n int) {
	// Rule: value.escape.
	n, kind := Escape(b)
	switch {
	case n == 0: // b is cut off: literal as far as it goes
		return -1, len(b)
	case kind&Literal != 0:
		if n == 2 && b[1] >= utf8.RuneSelf { // the rune is read on its own
			n = 1
		}
		return -1, n
	case n == 2:
		return rune(escapes[b[1]]), n
	}
	return runeOf(b[:n]), n
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

// runeOf returns the rune that \uXXXX means, or a pair of them.
func runeOf(b []byte) rune {
	r, _ := hex4(b)
	if len(b) == 6 {
		return r
	}
	low, _ := hex4(b[6:])
	return (r-0xd800)<<10 | (low - 0xdc00) + 0x10000
}

// appendHex appends the ASCII byte c as \u00XX.
func appendHex(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// AppendUnescaped appends the text of a string whose content, without its quotes, is b,
// and returns the extended buffer. b must consist of whole units.
func AppendUnescaped(dst, b []byte) []byte {
	// Rule: value.escape.
	for len(b) > 0 {
		n := bytes.IndexByte(b, '\\')
		if n < 0 {
			return append(dst, b...)
		}
		dst = append(dst, b[:n]...)
		b = b[n:]
		r, n := Unescape(b)
		if r < 0 {
			dst = append(dst, b[:n]...)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
		b = b[n:]
	}
	return dst
}

// SkipPlain returns the index of the first quote or backslash in b, from i on, or
// len(b); whether it has passed bytes from 0x80 up; and Control if it has passed a
// control character.
func SkipPlain(b []byte, i int, quote byte) (n int, high bool, flags Flags) {
	var seen, controls uint64
	qs := uint64(quote) * ones
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		y, z := x^qs, x^'\\'*ones
		low := (x - 0x20*ones) &^ x & highs
		if stop := ((y-ones)&^y | (z-ones)&^z) & highs; stop != 0 {
			n := bits.TrailingZeros64(stop) &^ 7
			before := uint64(1)<<n - 1
			seen |= x & highs & before
			controls |= low & before
			i += n / 8
			goto end
		}
		seen |= x & highs
		controls |= low
	}
	for ; i < len(b); i++ {
		c := b[i]
		if c == quote || c == '\\' {
			break
		}
		seen |= uint64(c) & 0x80
		if c < 0x20 {
			controls = 1
		}
	}
end:
	if controls != 0 {
		flags = Control
	}
	return i, seen != 0, flags
}

// ConsumeStringResumable resumes a string at b[i], the first byte of a unit. It returns
// the index of the closing quote, of a unit that may continue after b, or len(b). High
// reports bytes from 0x80 up.
func ConsumeStringResumable(b []byte, i int, quote byte) (end int, flags Flags, high bool) {
	// Rule: value.string.
	for {
		n, h, f := SkipPlain(b, i, quote)
		i, high, flags = n, high || h, flags|f
		if i == len(b) || b[i] == quote {
			return i, flags, high
		}
		n, kind := Escape(b[i:])
		if n == 0 {
			return i, flags, high
		}
		flags |= Escaped | kind
		if b[i+n-1] >= utf8.RuneSelf { // a backslash before a rune: the rune is read on its own
			n--
		}
		i += n
	}
}

// ReformatSimpleString appends the string whose quote is w[i] as a JSON string,
// and returns the index after it; nil and 0 if it does not end in w, is not valid
// UTF-8, or holds a backslash that begins no escape.
func ReformatSimpleString(dst, w []byte, i int) (out []byte, end int) {
	quote := w[i]
	i++
	dst = append(dst, '"')
	room := dst[len(dst):cap(dst)]
	n, high := copyPlain(room, w[i:], quote)
	if end = i + n; end < len(w) && n < len(room) && w[end] == quote && (high == 0 || utf8.Valid(w[i:end])) { // nearly all strings: a quarter faster
		room[n] = '"'
		return dst[:len(dst)+n+1], end + 1
	}
	if high != 0 { // check all of it
		n = 0
	}
	return reformatRest(dst[:len(dst)+n], w, i+n, quote)
}

// reformatRest is ReformatSimpleString from w[i], a byte of the string.
func reformatRest(dst, w []byte, i int, quote byte) (out []byte, end int) {
	out, n, flags := ReformatStringResumable(dst, w[i:], quote)
	if i += n; i >= len(w) || w[i] != quote || flags&Literal != 0 {
		return nil, 0
	}
	return append(out, '"'), i + 1
}

// ReformatStringResumable appends w, from the inside of a string with that quote, as
// the inside of a JSON string. It stops at the quote, at a unit or a rune that may
// continue after w, or at the end of w, and returns how many bytes it has read: 0, with
// dst unchanged, if they are not valid UTF-8.
func ReformatStringResumable(dst, w []byte, quote byte) (out []byte, n int, flags Flags) {
	// Rule: value.string.
	if len(w) <= 8 { // a few plain bytes, as models write them: a fifth of the time
		out = dst
		for n < len(w) && plainInString[w[n]] {
			out = append(out, w[n])
			n++
		}
		if n == len(w) {
			return out, n, 0
		}
	}
	begin := len(dst)
	out, n, flags, high := reformat(dst, w[:len(w)-PartialRune(w)], quote)
	if high && !utf8.Valid(w[:n]) {
		return dst[:begin], 0, 0
	}
	return out, n, flags
}

// AppendContent appends the content of a string with that quote and these flags, valid
// UTF-8, as the inside of a JSON string.
func AppendContent(dst, content []byte, flags Flags, quote byte) []byte {
	if flags&(Escaped|Control) == 0 && (quote == '"' || bytes.IndexByte(content, '"') < 0) {
		return append(dst, content...)
	}
	dst, n, _, _ := reformat(dst, content, quote)
	return AppendText(dst, content[n:]) // a unit that is cut off is literal text
}

func reformat(dst, w []byte, quote byte) (out []byte, n int, flags Flags, high bool) {
	const swap = '"' ^ ' '
	o, seen := len(dst), uint64(0)
	other := uint64(quote) * ones
	room := dst[:cap(dst)]
	for n < len(w) {
		if o+24 > len(room) {
			room = slices.Grow(room[:o], min(len(w)-n, 4096)+24)
			room = room[:cap(room)]
		}
		if n+8 <= len(w) {
			x := binary.LittleEndian.Uint64(w[n:]) // one word first: in code, escapes are close together
			binary.LittleEndian.PutUint64(room[o:], x)
			if stop := below(x^swap*ones, ' '+1) | equal(x, '\\') | below(x^other, 1); stop != 0 {
				seen |= x & (stop ^ (stop - 1))
				k := bits.TrailingZeros64(stop) / 8
				n += k
				o += k
			} else {
				k, h := copyPlain(room[o+8:], w[n+8:], quote)
				seen |= x | h
				n += 8 + k
				o += 8 + k
				if o+16 > len(room) { // more room is needed
					continue
				}
			}
		} else if c := w[n]; plainInJSON[c] && c != quote { // the last bytes, one by one
			room[o] = c
			seen |= uint64(c)
			n++
			o++
			continue
		}
		if n >= len(w) || w[n] == quote {
			break
		}
		c := w[n]
		if c != '\\' { // a quote of the other kind, or a control character
			o = len(appendByte(room[:o], c))
			if c < ' ' {
				flags |= Control
			}
			n++
			continue
		}
		if n+1 < len(w) && sameInJSON[w[n+1]] {
			room[o], room[o+1] = c, w[n+1]
			o += 2
			flags |= Escaped
			if w[n+1] == '"' {
				flags |= QuoteEsc
			}
			n += 2
			continue
		}
		k, kind := Escape(w[n:])
		if k == 0 {
			break
		}
		flags |= Escaped | kind
		r, k := Unescape(w[n:])
		switch {
		case r < 0:
			o = len(AppendText(room[:o], w[n:n+k]))
		case r < utf8.RuneSelf:
			o = len(appendByte(room[:o], byte(r)))
		default:
			o = len(utf8.AppendRune(room[:o], r))
		}
		n += k
	}
	return room[:o], n, flags, seen&highs != 0
}

// copyPlain copies w to dst, up to a quote of either kind, a backslash, a control
// character, the end of w, or almost the end of dst. It returns how many bytes it
// copied, and sets bits of highs in seen if some are from 0x80 up.
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

// copyWords is copyPlain for long strings in double quotes, 32 plain bytes at a time:
// twice as fast.
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

// special sets a bit of highs if JSON escapes a byte of x.
func special(x uint64) uint64 {
	const swap = ('"' ^ ' ') * ones
	v, s := x^swap, x^'\\'*ones
	return (v-(' '+1)*ones)&^v | (s-ones)&^s
}

// AppendString appends text, valid UTF-8, as a string of a call. The string contains no
// tag.
func (t *Tags) AppendString(dst, text []byte, quote byte) []byte {
	// Rule: write.quoted, write.escape, write.tag.
	dst = append(dst, quote)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == quote:
			dst = append(dst, '\\', c)
		case c == '"':
			dst = append(dst, c)
		case c == 0x7f:
			dst = appendHex(dst, c)
		default:
			if t.Classes[c]&BeginsTag != 0 {
				var n int
				if dst, n = t.appendAt(dst, text[i:]); n > 0 {
					i += n - 1
					continue
				}
			}
			dst = appendByte(dst, c)
		}
	}
	return append(dst, quote)
}

// QuoteFor returns the quote in which text is shorter: double, unless it holds more
// double quotes than single ones.
func QuoteFor(text []byte) byte {
	// Rule: write.quoted.
	if bytes.Count(text, []byte{'\''}) < bytes.Count(text, []byte{'"'}) {
		return '\''
	}
	return '"'
}
