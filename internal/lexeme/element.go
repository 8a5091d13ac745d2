package lexeme

import "bytes"

// Tags of XML elements, without attributes.

// BeginsElement reports whether the name of an XML element can begin with c.
func BeginsElement(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

// EndsTagWord reports whether c cannot be in the name in a tag.
func EndsTagWord(c byte) bool { return endsTagWord[c] }

var endsTagWord = func() (t [256]bool) {
	for c := range t {
		t[c] = c <= ' ' || c == 0x7f || c == '<' || c == '>'
	}
	return t
}()

// MaxTagSpace is how many bytes of whitespace a tag may contain.
const MaxTagSpace = 63

// TagName returns the index after the name at w[i]; more reports that the name may go on.
func TagName(w []byte, i int) (end int, more bool) {
	for ; i < len(w); i++ {
		switch c := w[i]; {
		case EndsTagWord(c):
			return i, false
		case c != '/':
		case i+1 == len(w):
			return i, true
		case w[i+1] == '>':
			return i, false
		}
	}
	return i, true
}

// TagEnd returns the index after the tag whose name ends at w[i], or 0 if it is not a tag; more
// reports that it may become one. An empty element ends in />.
func TagEnd(w []byte, i int) (end int, empty, more bool) {
	from := i
	i = SkipSpace(w[:min(len(w), i+MaxTagSpace+1)], i)
	switch rest := w[i:]; {
	case i == from+MaxTagSpace+1:
		return 0, false, false
	case len(rest) == 0 || string(rest) == "/":
		return 0, false, true
	case rest[0] == '>':
		return i + 1, false, false
	case rest[0] == '/' && rest[1] == '>':
		return i + 2, true, false
	}
	return 0, false, false
}

// EndTag returns the index after the end tag of that name at w[i], or 0 if there is none; more
// reports that it may become one.
func EndTag(w []byte, i int, name []byte) (end int, more bool) {
	if MatchTag(w[i:], "</") == 0 {
		return 0, false
	}
	from := min(i+2, len(w))
	if n := min(len(w)-from, len(name)); !bytes.Equal(w[from:from+n], name[:n]) {
		return 0, false
	}
	from = min(from+len(name), len(w))
	i = SkipSpace(w[:min(len(w), from+MaxTagSpace+1)], from)
	switch {
	case i == from+MaxTagSpace+1:
		return 0, false
	case i == len(w):
		return 0, true
	case w[i] == '>':
		return i + 1, false
	}
	return 0, false
}

// IsTag reports whether w, which has two bytes if the first one is <, begins with a tag. Before
// a tag, an end tag ends a text.
func IsTag(w []byte) bool {
	return w[0] == '<' && (w[1] == '/' || w[1] == '!' || BeginsElement(w[1]))
}
