package grammar

import "strings"

// A tagIndex finds the tags of a text. It remembers what it found, so that queries at
// increasing offsets take one pass over the text.
type tagIndex struct {
	text   string
	delims Delims
	limit  int // on the bytes of a call

	opener nextMatch
	closer nextMatch
	call   nextMatch // an opener that starts a call

	work int // bytes looked at, by the index and on its behalf
}

func newTagIndex(text string, delims Delims, limit int) *tagIndex {
	x := &tagIndex{text: text, delims: delims, limit: limit}
	x.opener = nextMatch{find: x.findTag(delims.Open), end: len(text)}
	x.closer = nextMatch{find: x.findTag(delims.Close), end: len(text)}
	x.call = nextMatch{find: x.findCall, end: len(text)}
	return x
}

// at returns the tag at pos and its end: Open, Close, or Truncated if the text ends
// with a proper prefix of either there; otherwise none.
func (x *tagIndex) at(pos int) (tag symbol, end int) {
	rest := x.text[pos:]
	switch open, close := x.delims.Open, x.delims.Close; {
	case strings.HasPrefix(rest, open):
		return symOpen, pos + len(open)
	case strings.HasPrefix(rest, close):
		return symClose, pos + len(close)
	case rest != "" && (strings.HasPrefix(open, rest) || strings.HasPrefix(close, rest)):
		return symTruncated, len(x.text)
	}
	return none, pos
}

// next returns the offset of the next tag at or after pos, which may be truncated, or
// the length of the text.
func (x *tagIndex) next(pos int) int {
	found := min(x.opener.from(pos), x.closer.from(pos))
	for tail := max(pos, len(x.text)-maxTag); tail < found; tail++ {
		if tag, _ := x.at(tail); tag != none {
			return tail
		}
	}
	return found
}

// nextCall returns the offset of the next call at or after pos, or the length of the
// text.
func (x *tagIndex) nextCall(pos int) int {
	return x.call.from(pos)
}

// nextEnd returns the offset of the next tag that ends damage, or the length of the
// text.
func (x *tagIndex) nextEnd(pos int) int {
	return min(x.nextCall(pos), x.closer.from(pos))
}

// startsCall reports whether the opener at pos starts a call: optional whitespace and
// a byte that can start a name must follow, within the limit. A tag does not start a
// name, whatever its bytes are. A bracket there also starts a call, a malformed one:
// models were trained on JSON envelopes, and what these quote must stay quoted.
//
// Rule: framing.open, framing.not-a-call, framing.envelope, limit.opener
func (x *tagIndex) startsCall(pos int) bool {
	first := pos + len(x.delims.Open)
	for first < len(x.text) && first-pos < x.limit && isSpace(x.text[first]) {
		first++
	}
	x.work += first - pos
	if first == len(x.text) || first-pos >= x.limit {
		return false
	}
	if tag, _ := x.at(first); tag != none {
		return false
	}
	return startsName(x.text[first]) || x.text[first] == '{' || x.text[first] == '['
}

func isSpace(b byte) bool {
	return b == ' ' || b == '\t' || b == '\r' || b == '\n'
}

func startsName(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b == '_' || b == '$' || b == '@' || b >= 0x80
}

func (x *tagIndex) findCall(pos, end int) int {
	for pos = x.opener.from(pos); pos < end; pos = x.opener.from(pos + 1) {
		if x.startsCall(pos) {
			return pos
		}
	}
	return end
}

func (x *tagIndex) findTag(tag string) func(pos, end int) int {
	return func(pos, end int) int {
		if pos >= end {
			return end
		}
		in := x.text[pos:min(end+len(tag)-1, len(x.text))]
		if i := strings.Index(in, tag); i >= 0 {
			x.work += i + len(tag)
			return pos + i
		}
		x.work += len(in)
		return end
	}
}

// A nextMatch finds the next match at or after an offset. It keeps its last answer:
// for every offset in [low, match], the next match is at match.
type nextMatch struct {
	find       func(pos, end int) int // the first match in [pos, end), or end
	end        int                    // of the text
	low, match int
	known      bool
}

func (m *nextMatch) from(pos int) int {
	switch {
	case !m.known || pos > m.match:
		m.low, m.match, m.known = pos, m.find(pos, m.end), true
	case pos < m.low:
		if match := m.find(pos, m.low); match < m.low {
			m.match = match
		}
		m.low = pos
	}
	return m.match
}
