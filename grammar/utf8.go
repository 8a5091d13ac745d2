package grammar

import "unicode/utf8"

// IllFormed returns the offset of the first byte of s that is not valid UTF-8 after
// those before it, or len(s) if there is none. incomplete reports whether s ends
// within a sequence.
func IllFormed(s string) (at int, incomplete bool) {
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
