package runner

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// sameJSON reports whether two JSON texts are equal: numbers by their digits,
// objects with the order of their keys, strings by what they say and not by how
// they are escaped. Text that is no JSON equals nothing but itself.
func sameJSON(a, b string) bool {
	return a == b || json.Valid([]byte(a)) && json.Valid([]byte(b)) && canonical(a) == canonical(b)
}

// canonical returns valid JSON text without whitespace between its tokens, and
// with as few escapes in its strings as there can be.
func canonical(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case ' ', '\t', '\r', '\n':
			i++
		case '"':
			i += canonicalString(&b, text[i:])
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// canonicalString writes the string at the beginning of text and returns its
// length there. Quotes, backslashes and escapes of lone surrogates stay escaped;
// all else is written as it is.
func canonicalString(b *strings.Builder, text string) int {
	b.WriteByte('"')
	i := 1
	for text[i] != '"' {
		if text[i] != '\\' {
			b.WriteByte(text[i])
			i++
			continue
		}
		c := text[i+1]
		if c == 'u' {
			i += canonicalEscape(b, text[i:])
			continue
		}
		if at := strings.IndexByte("bfnrt", c); at >= 0 {
			b.WriteByte("\b\f\n\r\t"[at])
		} else if c == '/' {
			b.WriteByte(c)
		} else {
			b.WriteString(text[i : i+2])
		}
		i += 2
	}
	b.WriteByte('"')
	return i + 1
}

// canonicalEscape writes the character of the \u escape, or of the two, at the
// beginning of text and returns the length there.
func canonicalEscape(b *strings.Builder, text string) int {
	r := hex(text)
	switch {
	case r == '"' || r == '\\':
		b.WriteByte('\\')
		b.WriteRune(r)
	case !utf16.IsSurrogate(r):
		b.WriteRune(r)
	default:
		if pair := utf16.DecodeRune(r, hex(text[6:])); pair != utf8.RuneError {
			b.WriteRune(pair)
			return 12
		}
		b.WriteString(strings.ToLower(text[:6]))
	}
	return 6
}

// hex returns the code unit of the \u escape at the beginning of text, or -1.
func hex(text string) rune {
	if len(text) < 6 || text[:2] != `\u` {
		return -1
	}
	unit, err := strconv.ParseUint(text[2:6], 16, 16)
	if err != nil {
		return -1
	}
	return rune(unit)
}
