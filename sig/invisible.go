package sig

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a schema, a model or a tool says is shown to models and on terminals, and
// must show what it is. This file decides, for all of them, what does not.

// Invisible reports whether r shows nothing and does not shape its neighbors
// either, ends a line, or turns the direction of writing: what hides text from
// people, and what a terminal obeys. Control characters are among it; spaces, and
// the joiners of scripts and emoji, are not.
func Invisible(r rune) bool {
	switch {
	case r < 0x7f:
		return r < ' '
	case r == 0x200c || r == 0x200d: // joiners
		return false
	case r == 0x2028 || r == 0x2029 || 0xe0000 <= r && r <= 0xe0fff: // line ends; tags and selectors, assigned or not
		return true
	case unicode.Is(unicode.Cf, r):
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r) // signs around numbers
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// Visible returns text with what is [Invisible] in it as JSON escapes it: \u202e. It
// changes no other text; bytes that are not UTF-8 are U+FFFD.
func Visible(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, Invisible) {
		return text
	}
	dst := make([]byte, 0, len(text)+16)
	for _, r := range text {
		if Invisible(r) {
			dst = AppendEscape(dst, r)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return string(dst)
}

// AppendEscape appends the rune as JSON escapes it: as one unit of UTF-16 or two.
func AppendEscape(dst []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	if r > 0xffff {
		r -= 0x10000
		dst = AppendEscape(dst, 0xd800+r>>10)
		r = 0xdc00 + r&0x3ff
	}
	return append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
