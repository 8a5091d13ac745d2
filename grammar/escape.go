package grammar

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"
)

// escapes matches the units that backslashes begin: two \u escapes that form a surrogate
// pair, one \u escape, or a backslash and the byte after it.
var escapes = regexp.MustCompile(`\\u[Dd][89ABab][[:xdigit:]]{2}\\u[Dd][C-Fc-f][[:xdigit:]]{2}|` +
	`\\u[[:xdigit:]]{4}|\\[\x00-\x7F]?`)

// unquote decodes a string, given with its quotes. An escape that is not a Unicode scalar
// value is literal text.
func unquote(quoted string) string {
	return escapes.ReplaceAllStringFunc(quoted[1:len(quoted)-1], func(unit string) string {
		text, _ := unescape(unit)
		return text
	})
}

// unescape decodes a unit. It is literal text if ok is false.
//
// Rule: value.escape, value.literal-backslash, value.surrogates
func unescape(unit string) (text string, ok bool) {
	if unit == `\'` {
		return "'", true
	}
	err := json.Unmarshal([]byte(`"`+unit+`"`), &text)
	isLone := text == "\uFFFD" && !strings.EqualFold(unit, `\uFFFD`) // half of a pair
	if err != nil || isLone {
		return unit, false
	}
	return text, true
}

// unitAt returns the offset of the unit of a quoted string that contains the offset
// at. A unit is an escape or a plain byte.
func unitAt(quoted string, at int) int {
	for _, unit := range escapes.FindAllStringIndex(quoted, -1) {
		if unit[0] < at && at < unit[1] {
			return unit[0]
		}
	}
	return at
}

// illFormed returns the offset of the first byte of s that is not valid UTF-8 after
// those before it, or len(s) if there is none. incomplete reports whether s ends
// within a sequence.
func illFormed(s string) (at int, incomplete bool) {
	for at < len(s) {
		r, size := utf8.DecodeRuneInString(s[at:])
		if r == utf8.RuneError && size == 1 {
			n := 1
			for at+n <= len(s) && !utf8.FullRuneInString(s[at:at+n]) {
				n++ // more bytes could complete these
			}
			return at + n - 1, at+n > len(s)
		}
		at += size
	}
	return at, false
}
