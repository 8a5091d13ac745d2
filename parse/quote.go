package parse

import (
	"bytes"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer"
)

// JSON strings are written with the fewest escapes: those that RFC 8259
// demands, the short form where there is one. Everything else stands as it is.

// plainInJSON tells the bytes that stand for themselves in a JSON string.
var plainInJSON = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= 0x20 && c != '"' && c != '\\'
	}
	return t
}()

// appendByte appends the ASCII byte c, escaped where JSON demands it.
func appendByte(dst []byte, c byte) []byte {
	if plainInJSON[c] {
		return append(dst, c)
	}
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// appendText appends text as the inside of a JSON string.
func appendText(dst, text []byte) []byte {
	for {
		i := plainLen(text)
		dst = append(dst, text[:i]...)
		if i == len(text) {
			return dst
		}
		dst = appendByte(dst, text[i])
		text = text[i+1:]
	}
}

// appendString appends text as a JSON string.
func appendString(dst, text []byte) []byte {
	dst = append(dst, '"')
	dst = appendText(dst, text)
	return append(dst, '"')
}

// appendContent appends what the content of a quoted string means, whole units
// of it, as the inside of a JSON string. Flags are those of its token, quote
// is the quote around it.
//
// Rule: value.string.
func appendContent(dst, content []byte, flags lexer.Flags, quote byte) []byte {
	if flags&(lexer.Escaped|lexer.Control) == 0 && (quote == '"' || bytes.IndexByte(content, '"') < 0) {
		return append(dst, content...)
	}
	for {
		n := plainLen(content)
		dst = append(dst, content[:n]...)
		if content = content[n:]; len(content) == 0 {
			return dst
		}
		if content[0] != '\\' {
			dst = appendByte(dst, content[0])
			content = content[1:]
			continue
		}
		if len(content) > 1 && sameInJSON[content[1]] {
			dst = append(dst, '\\', content[1])
			content = content[2:]
			continue
		}
		r, n := lexer.Unescape(content)
		switch {
		case r < 0: // literal text
			dst = appendText(dst, content[:n])
		case r < utf8.RuneSelf:
			dst = appendByte(dst, byte(r))
		default:
			dst = utf8.AppendRune(dst, r)
		}
		content = content[n:]
	}
}

// decodeJSONString returns the text of the JSON string s, quotes included, that
// this package has written.
func decodeJSONString(s []byte) []byte {
	return lexer.AppendUnescaped(nil, s[1:len(s)-1])
}

// appendStart appends what decodeJSONString returns, or as much of it as a path can
// hold, and at least a byte more, if there is more.
func appendStart(dst, s []byte) []byte {
	n := 1
	for units := 0; n < len(s)-1 && units <= maxPath; units++ {
		if s[n] == '\\' {
			unit, _ := lexer.Escape(s[n:])
			n += unit
		} else {
			n++
		}
	}
	return lexer.AppendUnescaped(dst, s[1:n])
}
