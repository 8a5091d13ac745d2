package lexeme

import (
	"encoding/binary"
	"math/bits"
	"strings"
)

// IsName reports whether b can be the name of a tool: not empty, and begun and
// continued by the bytes that the rule lists. Length and UTF-8 are judged
// elsewhere.
func IsName[T ~string | ~[]byte](b T) bool {
	// Rule: body.name.
	if len(b) == 0 || untagged[b[0]]&NameStart == 0 {
		return false
	}
	for i := range len(b) {
		if untagged[b[i]]&Name == 0 {
			return false
		}
	}
	return true
}

// IsKey reports whether b can be one segment of a path: not empty, and made of
// the bytes that the rule lists.
func IsKey[T ~string | ~[]byte](b T) bool {
	// Rule: body.path.
	for i := range len(b) {
		if untagged[b[i]]&Key == 0 {
			return false
		}
	}
	return len(b) > 0
}

// IsPath reports whether path is one key, or several with dots between them.
func IsPath(path string) bool {
	for key := range strings.SplitSeq(path, ".") {
		if !IsKey(key) {
			return false
		}
	}
	return true
}

// ConsumeSimpleName returns the length of the name that w begins with, if it is
// ASCII, has at most max bytes, and whitespace or the close tag follows it.
func (t *Tags) ConsumeSimpleName(w []byte, max int) int {
	n := t.letters(w, Name)
	if n >= len(w) || n > max || t.Classes[w[n]]&Space == 0 && !t.ClosesAt(w, n) {
		return 0
	}
	return n
}

// ConsumeNameResumable reads on in a name from w[i], at most to w[end]. It
// returns the index of the first byte that is not read, the tag there, and the
// bits of the bytes read.
func (t *Tags) ConsumeNameResumable(w []byte, i, end int) (int, Tag, byte) {
	var seen byte
	for ; ; i++ {
		for i < end && t.Classes[w[i]]&Name != 0 {
			seen |= w[i]
			i++
		}
		if i == len(w) || t.Classes[w[i]]&BeginsTag == 0 {
			return i, NoTag, seen
		}
		if tag := t.CloseAt(w[i:], Name); tag != NoTag || i == end || untagged[w[i]]&Name == 0 {
			return i, tag, seen
		}
	}
}

// CloseAt is At where only the close tag can stand, or a lexeme of which the
// bytes have the given role: there, the beginning of an opener is an opener.
func (t *Tags) CloseAt(w []byte, role Class) Tag {
	tag := t.At(w)
	if tag == SomeTag && untagged[w[0]]&role == 0 && MatchTag(w, t.Close) == 0 {
		return OpenTag
	}
	return tag
}

// ConsumeSimplePath returns the index of the = after the path at w[i], if it is
// ASCII, and how many dots it has; 0 if it is not or there are more than max.
func (t *Tags) ConsumeSimplePath(w []byte, i, max int) (end, dots int) {
	for {
		n := i
		if i += t.letters(w[i:], Key); i == n || i >= len(w) {
			return 0, 0
		}
		switch {
		case w[i] == '=':
			return i, dots
		case w[i] != '.' || dots >= max:
			return 0, 0
		}
		dots++
		i++
	}
}

// ConsumeKeyResumable reads on in a key from w[i], at most to w[end], and stops at
// the byte except. It returns the index of the first byte that is not read, the
// tag there, and the bits of the bytes read.
func (t *Tags) ConsumeKeyResumable(w []byte, i, end int, except byte) (int, Tag, byte) {
	var seen byte
	for ; i < end; i++ {
		c := w[i]
		if t.Classes[c]&Key != 0 && c != except {
			seen |= c
			continue
		}
		if t.Classes[c]&BeginsTag == 0 || untagged[c]&Key == 0 || c == except {
			break
		}
		if tag := t.At(w[i:]); tag != NoTag {
			return i, tag, seen
		}
	}
	return i, NoTag, seen
}

// letters returns how many ASCII bytes w begins with that have the role of names
// or keys. It goes eight bytes at a time through letters, digits, _ and -: a
// fifth of the time in names of ten bytes.
func (t *Tags) letters(w []byte, role Class) int {
	i := 0
	if t.Simple() {
		for ; i+8 <= len(w); i += 8 {
			if stop := others(binary.LittleEndian.Uint64(w[i:])); stop != 0 {
				i += bits.TrailingZeros64(stop) / 8
				break
			}
		}
	}
	for i < len(w) && w[i] < 0x80 && t.Classes[w[i]]&role != 0 {
		i++
	}
	return i
}

// others returns the bits of highs for the bytes of x that are no letter, digit,
// _ or -.
func others(x uint64) uint64 {
	low := x &^ highs
	lower := low | 0x20*ones
	letters := (lower + (0x80-'a')*ones) &^ (lower + (0x7f-'z')*ones)
	digits := (low + (0x80-'0')*ones) &^ (low + (0x7f-'9')*ones)
	joiners := (0x80*ones - (low ^ '_'*ones)) | (0x80*ones - (low ^ '-'*ones))
	return (^(letters | digits | joiners) | x) & highs
}
