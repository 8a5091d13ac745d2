// Package unseen decides which characters are invisible. Text from schemas, models and tools is
// shown to models and on terminals, where nothing may hide in it.
package unseen

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Is reports whether r is invisible and does not shape its neighbors, ends
// a line, or changes the direction of text: what hides text from people, and what
// a terminal obeys. Control characters count; spaces, and the joiners of scripts
// and emoji, do not.
func Is(r rune) bool {
	switch {
	case r < 0x7f:
		return r < ' '
	case r == 0x200c || r == 0x200d: // joiners
		return false
	case r == 0x2028 || r == 0x2029: // line ends
		return true
	case 0xe0000 <= r && r <= 0xe0fff: // tags and selectors, assigned or not
		return true
	case unicode.Is(unicode.Cf, r):
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r) // signs around numbers
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// Escape returns text with every invisible character written as a JSON escape:
// \u202e. If there is one, bytes that are not UTF-8 become U+FFFD; other text does
// not change.
func Escape(text string) string { return escape(text, Is) }

// EscapeLines is [Escape] for text of several lines: it keeps line ends and tabs.
func EscapeLines(text string) string { return escape(text, inLines) }

// Remove returns prose of several lines without its invisible characters.
func Remove(text string) string {
	return strings.Map(func(r rune) rune {
		if inLines(r) {
			return -1
		}
		return r
	}, text)
}

// inLines reports whether r is invisible in text of several lines.
func inLines(r rune) bool { return Is(r) && r != '\n' && r != '\t' }

func escape(text string, is func(rune) bool) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, is) {
		return text
	}
	dst := make([]byte, 0, len(text)+16)
	for _, r := range text {
		if is(r) {
			dst = AppendEscape(dst, r)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return string(dst)
}

// AppendEscape appends the rune as JSON escapes, one for each unit of UTF-16.
func AppendEscape(dst []byte, r rune) []byte {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return AppendEscape(AppendEscape(dst, high), low)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}
