package grammar

// What the grammars of other protocols share with that of the wire format.

// Unquote decodes a JSON string with its quotes around it. An escape that names no
// Unicode scalar value is literal text.
func Unquote(quoted string) string {
	text, _ := unescape(quoted)
	return text
}

// Quote appends s to b as a JSON string that escapes only what must be.
func Quote(b []byte, s string) []byte { return quote(b, s) }

// IllFormed returns the offset of the first byte of s that cannot continue what came
// before it as UTF-8. A sequence that s ends in is no fault but incomplete; the offset
// is then len(s), as it is for text without fault.
func IllFormed(s string) (at int, incomplete bool) { return illFormed(s) }
