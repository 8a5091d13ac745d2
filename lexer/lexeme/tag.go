package lexeme

import (
	"bytes"
	"encoding/binary"
)

// Rule: framing.open, framing.close.

// Tags are the two tags around a call, ready to be compared. Use [NewTags].
type Tags struct {
	Open, Close string
	Classes     *Classes // of bytes under these tags
	near        *Near    // what else is not simple prose; may be nil

	openWord, openMask uint64  // the first eight bytes of the opener, compared at once
	seconds            byteSet // what follows the first byte of the opener and of what is near
}

// NewTags returns the tags open and close, each at least two bytes long. Near knows
// what else begins with the same byte as open and is not simple prose; it may be nil.
func NewTags(open, close string, near *Near) Tags {
	t := Tags{Open: open, Close: close, Classes: classes, near: near}
	if open[0] != '<' || close[0] != '<' {
		t.Classes = newClasses(open[0], close[0])
	}
	t.openWord, t.openMask = wordOf(open)
	if near != nil {
		t.seconds = near[0]
	}
	t.seconds.add(open[1])
	return t
}

// Simple reports whether both tags begin with <, as the default ones do. Simple
// functions look for no other byte.
func (t *Tags) Simple() bool { return t.Classes == classes }

// Tag says what stands at an offset in the input.
type Tag uint8

// The tags.
const (
	NoTag    Tag = iota
	OpenTag      // the opener
	CloseTag     // the close tag
	SomeTag      // the input ends inside what may become a tag
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

// OpensAt reports whether w[i:] has eight bytes and begins with the opener, or with its
// first eight bytes.
func (t *Tags) OpensAt(w []byte, i int) bool {
	return i+8 <= len(w) && binary.LittleEndian.Uint64(w[i:])&t.openMask == t.openWord
}

// NextOpen returns the index of the first byte of w, from i on, at which an opener may
// stand, or something near it, or len(w). Likely is the result of OpensAt there.
func (t *Tags) NextOpen(w []byte, i int) (at int, likely bool) {
	for first := t.Open[0]; ; i++ {
		n := bytes.IndexByte(w[i:], first)
		if n < 0 {
			return len(w), false
		}
		if i += n; i+1 < len(w) && !t.seconds.has(w[i+1]) {
			continue
		}
		if t.OpensAt(w, i) {
			return i, true
		}
		if i+8 > len(w) || t.near.At(w[i:]) {
			return i, false
		}
	}
}

// ConsumeSimpleText returns how many bytes of prose w begins with, up to an opener or
// the end of w, as far as one look can tell, and whether an opener and the first byte
// of a name follow.
func (t *Tags) ConsumeSimpleText(w []byte) (n int, opened bool) {
	for i := 0; ; i++ {
		var likely bool
		if i, likely = t.NextOpen(w, i); i == len(w) {
			return i, false
		}
		j := i + len(t.Open)
		if !likely || j >= len(w) || len(t.Open) > 8 && string(w[i:j]) != t.Open {
			if MatchTag(w[i:], t.Open) == 0 && !t.near.At(w[i:]) {
				continue
			}
			return i, false // more may be needed
		}
		c := w[j]
		if k := t.Classes[c]; k&(NameStart|Space|BeginsTag) != 0 || c == '{' || c == '[' || t.near != nil {
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

// AppendEscaped appends tag so that it is not a tag inside a string: its second byte is
// escaped if that is a slash and no tag begins with one, otherwise its first.
func (t *Tags) AppendEscaped(dst []byte, tag string) []byte {
	// Rule: write.tag.
	dst, n := t.appendEscape(dst, tag)
	return append(dst, tag[n:]...)
}

// appendEscape does what AppendEscaped does, but stops after the escape. It returns how
// many bytes of tag it has written.
func (t *Tags) appendEscape(dst []byte, tag string) ([]byte, int) {
	if tag[1] == '/' && t.Open[0] != '/' && t.Close[0] != '/' {
		return append(dst, tag[0], '\\', '/'), 2
	}
	return appendHex(dst, tag[0]), 1
}

// appendAt appends the tag that text begins with, up to and including its escape, and
// returns how many bytes of text that covers; 0 if text does not begin with a tag.
func (t *Tags) appendAt(dst, text []byte) ([]byte, int) {
	for _, tag := range [...]string{t.Open, t.Close} {
		if len(text) >= len(tag) && string(text[:len(tag)]) == tag {
			return t.appendEscape(dst, tag)
		}
	}
	return dst, 0
}

// wordOf returns the first eight bytes of tag as a number, and the mask of those it
// has.
func wordOf(tag string) (word, mask uint64) {
	for i := range min(8, len(tag)) {
		word |= uint64(tag[i]) << (8 * i)
		mask |= 0xff << (8 * i)
	}
	return word, mask
}
