package grammar

import (
	"regexp"
	"strconv"
	"strings"
)

// An escapeNote records what a string contains besides plain text.
type escapeNote struct {
	literalBackslash bool // a backslash that does not begin an escape
	escapedQuote     bool
}

// Unquote decodes a JSON string, given with its quotes. An escape that is not a
// Unicode scalar value is literal text.
func Unquote(quoted string) string {
	text, _ := unescape(quoted)
	return text
}

// unescape decodes a string, given with its quotes.
func unescape(quoted string) (string, escapeNote) {
	var note escapeNote
	content := quoted[1 : len(quoted)-1]
	var text strings.Builder
	for {
		plain := strings.IndexByte(content, '\\')
		if plain < 0 {
			text.WriteString(content)
			return text.String(), note
		}
		text.WriteString(content[:plain])
		content = content[plain:]

		n, decoded, ok := escape(content)
		if ok {
			text.WriteString(decoded)
		} else {
			text.WriteString(content[:n])
		}
		note.literalBackslash = note.literalBackslash || !ok
		if n == 2 && (decoded == `"` || decoded == `'`) {
			note.escapedQuote = true
		}
		content = content[n:]
	}
}

// escape reads the unit at the beginning of s, which is a backslash: n bytes that
// belong together. ok is false if they are literal text.
//
// Rule: value.escape, value.literal-backslash
func escape(s string) (n int, decoded string, ok bool) {
	if len(s) < 2 {
		return len(s), "", false
	}
	if s[1] == 'u' {
		return unicodeEscape(s)
	}
	if i := strings.IndexByte(`"'\/bfnrt`, s[1]); i >= 0 {
		return 2, "\"'\\/\b\f\n\r\t"[i : i+1], true
	}
	return 2, "", false
}

// unitAt returns the offset of the unit of a quoted string that contains the offset
// at. A unit is an escape or a plain byte.
func unitAt(quoted string, at int) int {
	for i := 1; i < at; {
		n := 1
		if quoted[i] == '\\' {
			n, _, _ = escape(quoted[i:])
		}
		if i+n > at {
			return i
		}
		i += n
	}
	return at
}

// unicodeEscape reads a \u escape, or two that form a surrogate pair.
//
// Rule: value.surrogates
func unicodeEscape(s string) (n int, decoded string, ok bool) {
	high, ok := codeUnit(s)
	switch {
	case !ok:
		return 2, "", false
	case high < 0xD800 || high > 0xDFFF:
		return 6, string(high), true
	case high >= 0xDC00:
		return 6, "", false
	}
	low, ok := codeUnit(s[6:])
	if !ok || low < 0xDC00 || low > 0xDFFF {
		return 6, "", false
	}
	return 12, string(0x10000 + (high-0xD800)<<10 + (low - 0xDC00)), true
}

// codeUnit reads \uXXXX.
func codeUnit(s string) (rune, bool) {
	hex := unit.FindStringSubmatch(s)
	if hex == nil {
		return 0, false
	}
	v, err := strconv.ParseUint(hex[1], 16, 16)
	return rune(v), err == nil
}

var unit = regexp.MustCompile(`^\\u([0-9A-Fa-f]{4})`)
