package lexeme

import "strings"

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
	for ; ; dots++ {
		n, _, seen := t.ConsumeKeyResumable(w, i, len(w), 0)
		switch {
		case n == i || n == len(w) || seen >= 0x80:
			return 0, 0
		case w[n] == '=':
			return n, dots
		case w[n] != '.' || dots == max:
			return 0, 0
		}
		i = n + 1
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
