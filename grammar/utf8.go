package grammar

import "unicode/utf8"

// IllFormed returns the offset of the first byte of s that is not valid UTF-8 after
// those before it, or len(s) if there is none. incomplete reports whether s ends
// within a sequence.
func IllFormed(s string) (at int, incomplete bool) {
	for at < len(s) {
		if _, size := utf8.DecodeRuneInString(s[at:]); size > 1 || s[at] < utf8.RuneSelf {
			at += size
			continue
		}
		low, high, more := continuation(s[at])
		if more == 0 {
			return at, false
		}
		// The sequence is ill-formed or incomplete, so this stops inside it.
		for at++; at < len(s) && low <= s[at] && s[at] <= high; at++ {
			low, high = 0x80, 0xBF
		}
		return at, at == len(s)
	}
	return at, false
}

// continuation returns the range of the byte after a lead byte, and how many bytes
// follow the lead, 0 if it is not a lead byte.
func continuation(lead byte) (low, high byte, more int) {
	switch {
	case lead < 0xC2, lead > 0xF4:
		return 0, 0, 0
	case lead < 0xE0:
		return 0x80, 0xBF, 1
	case lead == 0xE0:
		return 0xA0, 0xBF, 2
	case lead == 0xED:
		return 0x80, 0x9F, 2
	case lead < 0xF0:
		return 0x80, 0xBF, 2
	case lead == 0xF0:
		return 0x90, 0xBF, 3
	case lead == 0xF4:
		return 0x80, 0x8F, 3
	}
	return 0x80, 0xBF, 3
}
