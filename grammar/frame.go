package grammar

import (
	"regexp"
	"slices"
	"strings"
)

// Framing is what encloses a call.
type framing struct {
	open, close string
	begins      *regexp.Regexp // what must follow an opener, after optional whitespace
	quotes      string         // the quotes of strings, which hide tags
}

// A frame is the framing of one text: where its tags are.
type frame struct {
	framing
	text  string
	limit int   // on the bytes of a call
	tags  []int // offsets of all tags, and of one that the text cuts
	calls []int // offsets of the openers that start a call
	ends  []int // offsets of the tags that end damage: closing tags and calls
}

func newFrame(f framing, text string, limit int) *frame {
	x := &frame{framing: f, text: text, limit: limit}
	for pos := range len(text) {
		name, _ := x.at(pos)
		if name == "" {
			continue
		}
		x.tags = append(x.tags, pos)
		switch {
		case name == tokOpen && x.startsCall(pos):
			x.calls = append(x.calls, pos)
			x.ends = append(x.ends, pos)
		case strings.HasPrefix(text[pos:], f.close):
			x.ends = append(x.ends, pos)
		}
	}
	return x
}

// at returns the tag at pos and its end: Open, Close, or Truncated if the text ends
// with a proper prefix of either there. The name is empty if there is no tag.
func (x *frame) at(pos int) (name string, end int) {
	rest := x.text[pos:]
	switch {
	case strings.HasPrefix(rest, x.open):
		return tokOpen, pos + len(x.open)
	case strings.HasPrefix(rest, x.close):
		return tokClose, pos + len(x.close)
	case strings.HasPrefix(x.open, rest), strings.HasPrefix(x.close, rest):
		return tokTruncated, len(x.text)
	}
	return "", pos
}

// next returns the next of the offsets at or after pos, or the length of the text.
func (x *frame) next(offsets []int, pos int) int {
	i, _ := slices.BinarySearch(offsets, pos)
	if i == len(offsets) {
		return len(x.text)
	}
	return offsets[i]
}

// startsCall reports whether the opener at pos starts a call. After optional whitespace
// a byte that can start a name must follow, within the limit. A tag never starts a name.
// A bracket also starts a call, but a malformed one: models were trained on JSON
// envelopes, and text quoted in an envelope must stay quoted.
//
// Rule: framing.open, framing.not-a-call, framing.envelope, limit.opener
func (x *frame) startsCall(pos int) bool {
	first := pos + len(x.open)
	for first < len(x.text) && first-pos < x.limit && isSpace(x.text[first]) {
		first++
	}
	if first == len(x.text) || first-pos >= x.limit {
		return false
	}
	tag, _ := x.at(first)
	return tag == "" && x.begins.MatchString(x.text[first:])
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// leads are the bytes after which a quote in damage opens a string. So an
// apostrophe in a word does not open one, and an unescaped inner quote does not
// swap inside and outside.
const leads = " \t\r\n=[{(,:"

// skip returns the end of the damage that begins at pos, and whether a closing tag,
// which is then part of it, ends it. Otherwise it ends where a call starts or with
// the text. Strings hide tags; quote is the quote of the string that pos is in, or
// zero.
//
// Rule: recovery.skip, recovery.quotes, recovery.inside-string,
// recovery.from-string, recovery.open-string
func (x *frame) skip(pos int, quote byte) (end int, closed bool) {
	for {
		if quote != 0 {
			pos = x.afterString(pos, quote)
		}
		tag := x.next(x.ends, pos)
		open := x.opensString(pos, tag)
		switch {
		case open < tag:
			pos, quote = open+1, x.text[open]
		case tag == len(x.text) || x.next(x.calls, tag) == tag:
			return tag, false
		default:
			return tag + len(x.close), true
		}
	}
}

// opensString returns the offset of the first quote in [pos, end) that opens a string,
// or end.
func (x *frame) opensString(pos, end int) int {
	for i := pos; i < end; i++ {
		isQuote := strings.IndexByte(x.quotes, x.text[i]) >= 0
		if isQuote && i > 0 && strings.IndexByte(leads, x.text[i-1]) >= 0 {
			return i
		}
	}
	return end
}

// afterString returns the end of the string that pos is in. A backslash escapes the
// next byte, and a string that is never closed extends to the end of the text.
func (x *frame) afterString(pos int, quote byte) int {
	for pos < len(x.text) {
		switch x.text[pos] {
		case quote:
			return pos + 1
		case '\\':
			pos++
		}
		pos++
	}
	return len(x.text)
}
