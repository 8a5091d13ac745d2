package lexeme

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// Tags of XML elements, without attributes.

// BeginsElement reports whether the name of an XML element can begin with c.
func BeginsElement(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

// EndsTagWord reports whether c cannot be in the name in a tag.
func EndsTagWord(c byte) bool { return untagged[c]&endsTagWord != 0 }

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

// EndTag returns Yes and the index after the end tag of that name if it begins at w[i], and
// Partial if it may.
func EndTag(w []byte, i int, name []byte) (end int, m Match) {
	if MatchTag(w[i:], "</") == No {
		return 0, No
	}
	from := min(i+2, len(w))
	if n := min(len(w)-from, len(name)); !bytes.Equal(w[from:from+n], name[:n]) {
		return 0, No
	}
	from = min(from+len(name), len(w))
	i = SkipSpace(w[:min(len(w), from+MaxTagSpace+1)], from)
	switch {
	case i == from+MaxTagSpace+1:
	case i == len(w):
		return 0, Partial
	case w[i] == '>':
		return i + 1, Yes
	}
	return 0, No
}

// IsTag reports whether w, which has two bytes if the first one is <, begins with a tag. Before
// a tag, an end tag ends a text.
func IsTag(w []byte) bool {
	return w[0] == '<' && (w[1] == '/' || w[1] == '!' || BeginsElement(w[1]))
}

// XML entities: the five that have names, and characters by number.

var entities = map[string]rune{"lt": '<', "gt": '>', "amp": '&', "quot": '"', "apos": '\''}

// maxEntity is the length of the longest entity, &#x0010ffff; with it.
const maxEntity = 12

// entity returns the character for the entity that b begins with, and its length, or 0 if there
// is none.
func entity(b []byte) (r rune, n int) {
	end := bytes.IndexByte(b[:min(len(b), maxEntity)], ';')
	if end < 2 {
		return 0, 0
	}
	if r, ok := entities[string(b[1:end])]; ok {
		return r, end + 1
	}
	if b[1] != '#' {
		return 0, 0
	}
	digits, base := string(b[2:end]), 10
	if len(digits) > 0 && digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	v, err := strconv.ParseUint(digits, base, 32)
	if err != nil || !utf8.ValidRune(rune(v)) {
		return 0, 0
	}
	return rune(v), end + 1
}

// PartialEntity returns how many bytes at the end of b may be the beginning of an entity.
func PartialEntity(b []byte) int {
	b = b[max(0, len(b)-maxEntity+1):]
	i := bytes.LastIndexByte(b, '&')
	if i < 0 {
		return 0
	}
	for _, c := range b[i+1:] {
		isLetter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if c != '#' && !isLetter && (c < '0' || c > '9') {
			return 0
		}
	}
	return len(b) - i
}

// AppendDecoded appends text with its entities replaced by characters.
func AppendDecoded(dst, text []byte) []byte {
	for {
		n := bytes.IndexByte(text, '&')
		if n < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:n]...)
		text = text[n:]
		r, size := entity(text)
		if size == 0 {
			r, size = '&', 1
		}
		dst = utf8.AppendRune(dst, r)
		text = text[size:]
	}
}

// AppendEncoded appends text as the content of an element. A character is written by number if
// hidden returns true for the text from it on.
func AppendEncoded(dst, text []byte, hidden func(text []byte) bool) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '&':
			dst = append(dst, "&amp;"...)
		case r == '<':
			dst = append(dst, "&lt;"...)
		case r == '>':
			dst = append(dst, "&gt;"...)
		case hidden != nil && hidden(text):
			dst = strconv.AppendInt(append(dst, "&#x"...), int64(r), 16)
			dst = append(dst, ';')
		default:
			dst = append(dst, text[:n]...)
		}
		text = text[n:]
	}
	return dst
}

// AppendXMLText appends the text of the content of an element: without the tags of
// CDATA sections, and without comments if they are not text.
func AppendXMLText(dst, content []byte, comments bool) []byte {
	from, i := 0, 0 // content[:from] is appended, and content[:i] looked at
	for {
		n := bytes.Index(content[i:], []byte("<!"))
		if n < 0 {
			return AppendDecoded(dst, content[from:])
		}
		i += n
		open, end := "<![CDATA[", "]]>"
		if comments && bytes.HasPrefix(content[i:], []byte("<!--")) {
			open, end = "<!--", "-->"
		} else if !bytes.HasPrefix(content[i:], []byte(open)) {
			i += len("<!")
			continue
		}
		dst = AppendDecoded(dst, content[from:i])
		section, _, _ := bytes.Cut(content[i+len(open):], []byte(end))
		if open != "<!--" {
			dst = append(dst, section...)
		}
		from = min(len(content), i+len(open)+len(section)+len(end))
		i = from
	}
}
