package lexeme

import (
	"bytes"
	"encoding/binary"
)

// Rule: framing.open, framing.close.

// Tags are the two tags around a call, ready to be compared. Use [NewTags].
type Tags struct {
	Open, Close string
	Classes     *Classes // of bytes, where these tags may begin
	Near        bool     // with the opener's first byte something else may begin that is no simple text

	openWord, openMask uint64 // the first eight bytes of the opener, to compare them at once
}

// NewTags returns the tags open and close, which are not empty.
func NewTags(open, close string) Tags {
	t := Tags{Open: open, Close: close, Classes: classes}
	if open[0] != '<' || close[0] != '<' {
		t.Classes = newClasses(open[0], close[0])
	}
	t.openWord, t.openMask = wordOf(open)
	return t
}

// Simple reports whether both tags begin with <, as the default ones do. Simple
// functions look for no other byte.
func (t *Tags) Simple() bool { return t.Classes == classes }

// Tag says what stands at a place of the input.
type Tag uint8

// The tags.
const (
	NoTag    Tag = iota
	OpenTag      // the opener
	CloseTag     // the close tag
	SomeTag      // the input ends inside a tag, or what may become one
)

// At says which tag w begins with.
func (t *Tags) At(w []byte) Tag {
	closing, opening := MatchTag(w, t.Close), MatchTag(w, t.Open)
	switch {
	case closing == len(t.Close):
		return CloseTag
	case opening == len(t.Open):
		return OpenTag
	case closing == len(w) || opening == len(w):
		return SomeTag
	}
	return NoTag
}

// ClosesAt reports whether the close tag stands at w[i].
func (t *Tags) ClosesAt(w []byte, i int) bool {
	return string(w[i:min(len(w), i+len(t.Close))]) == t.Close
}

// OpensAt reports whether w[i:] has eight bytes, of which the first are the
// opener's.
func (t *Tags) OpensAt(w []byte, i int) bool {
	return i+8 <= len(w) && binary.LittleEndian.Uint64(w[i:])&t.openMask == t.openWord
}

// NextOpen returns the index of the first byte of w, from i on, at which an
// opener may stand, as far as its first eight bytes tell, or what Near says, or len(w).
func (t *Tags) NextOpen(w []byte, i int) int {
	for first := t.Open[0]; ; i++ {
		n := bytes.IndexByte(w[i:], first)
		if n < 0 {
			return len(w)
		}
		if i += n; t.Near || i+8 > len(w) || t.OpensAt(w, i) {
			return i
		}
	}
}

// ConsumeSimpleText returns how many bytes of prose w begins with, up to an opener
// or its end, as far as that takes no more than a look, and whether an opener with
// the first byte of a name after it stands there.
func (t *Tags) ConsumeSimpleText(w []byte) (n int, opened bool) {
	for i := 0; ; i++ {
		if i = t.NextOpen(w, i); i == len(w) || t.Near && !t.OpensAt(w, i) {
			return i, false
		}
		j := i + len(t.Open)
		if j >= len(w) || i+8 > len(w) { // more may have to come
			if MatchTag(w[i:], t.Open) == 0 {
				continue
			}
			return i, false
		}
		if len(t.Open) > 8 && string(w[i:j]) != t.Open {
			if t.Near {
				return i, false
			}
			continue
		}
		c := w[j]
		if k := t.Classes[c]; k&(NameStart|Space|BeginsTag) != 0 || c == '{' || c == '[' {
			return i, k&NameStart != 0
		}
	}
}

// MatchTag returns len(tag) if w begins with tag, len(w) if tag begins with w,
// and 0 otherwise.
func MatchTag(w []byte, tag string) int {
	if len(w) >= len(tag) {
		if string(w[:len(tag)]) == tag {
			return len(tag)
		}
		return 0
	}
	if tag[:len(w)] == string(w) {
		return len(w)
	}
	return 0
}

// AppendEscaped appends tag as it is written inside a string, where it is no tag: with its
// second byte escaped if that is a slash and no tag begins with one, or else
// with its first.
func (t *Tags) AppendEscaped(dst []byte, tag string) []byte {
	// Rule: write.tag.
	dst, n := t.appendEscape(dst, tag)
	return append(dst, tag[n:]...)
}

// appendEscape is AppendEscaped up to the escape. It returns how many bytes of
// tag it has written.
func (t *Tags) appendEscape(dst []byte, tag string) ([]byte, int) {
	if tag[1] == '/' && t.Open[0] != '/' && t.Close[0] != '/' {
		return append(dst, tag[0], '\\', '/'), 2
	}
	return appendHex(dst, tag[0]), 1
}

// appendAt appends the tag that text begins with, up to its escape, and returns
// how many bytes of it that were; 0 if text begins with no tag.
func (t *Tags) appendAt(dst, text []byte) ([]byte, int) {
	for _, tag := range [...]string{t.Open, t.Close} {
		if len(text) >= len(tag) && string(text[:len(tag)]) == tag {
			return t.appendEscape(dst, tag)
		}
	}
	return dst, 0
}

// wordOf returns the first eight bytes of tag as a number, and the mask of those
// that there are.
func wordOf(tag string) (word, mask uint64) {
	for i := range min(8, len(tag)) {
		word |= uint64(tag[i]) << (8 * i)
		mask |= 0xff << (8 * i)
	}
	return word, mask
}
