package protocol

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/callwire/callwire/sig"
)

// XML entities: the five that have names, and characters by number.

var entities = map[string]rune{"lt": '<', "gt": '>', "amp": '&', "quot": '"', "apos": '\''}

// longestEntity is the length of the longest entity, &#x0010ffff; with it.
const longestEntity = 12

// entity returns the character for the entity at the beginning of b, and its length: 0
// if there is none.
func entity(b []byte) (r rune, n int) {
	end := bytes.IndexByte(b[:min(len(b), longestEntity)], ';')
	if end < 2 {
		return 0, 0
	}
	name := string(b[1:end])
	if r, ok := entities[name]; ok {
		return r, end + 1
	}
	if name[0] != '#' {
		return 0, 0
	}
	digits, base := name[1:], 10
	if len(digits) > 0 && digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	v, err := strconv.ParseUint(digits, base, 32)
	if err != nil || !utf8.ValidRune(rune(v)) {
		return 0, 0
	}
	return rune(v), end + 1
}

// partialEntity returns how many bytes at the end of b may be the beginning of an
// entity.
func partialEntity(b []byte) int {
	i := bytes.LastIndexByte(b[max(0, len(b)-longestEntity+1):], '&')
	if i < 0 {
		return 0
	}
	tail := b[max(0, len(b)-longestEntity+1):][i:]
	for _, c := range tail[1:] {
		if c != '#' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return 0
		}
	}
	return len(tail)
}

// appendUnescaped appends text with its entities replaced by characters.
func appendUnescaped(dst, text []byte) []byte {
	for {
		n := bytes.IndexByte(text, '&')
		if n < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:n]...)
		text = text[n:]
		if r, size := entity(text); size > 0 {
			dst = utf8.AppendRune(dst, r)
			text = text[size:]
		} else {
			dst = append(dst, '&')
			text = text[1:]
		}
	}
}

// appendEscaped appends text as the content of an element. If visible, it writes what
// is [sig.Invisible], except line ends and tabs, by number.
func appendEscaped(dst, text []byte, visible bool) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '&':
			dst = append(dst, "&amp;"...)
		case r == '<':
			dst = append(dst, "&lt;"...)
		case r == '>':
			dst = append(dst, "&gt;"...)
		case visible && r != '\n' && r != '\t' && sig.Invisible(r):
			dst = fmt.Appendf(dst, "&#x%x;", r)
		default:
			dst = append(dst, text[:n]...)
		}
		text = text[n:]
	}
	return dst
}
