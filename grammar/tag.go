package grammar

import "strings"

// A tagIndex finds tags in a text. Its answers are remembered, so that asking
// from ever later offsets costs one pass over the text.
type tagIndex struct {
	text        string
	delims      Delims
	callBytes   int // the limit on the bytes of a call
	open, close nextMatch
	start       nextMatch
}

func newTagIndex(text string, delims Delims, callBytes int) *tagIndex {
	x := &tagIndex{text: text, delims: delims, callBytes: callBytes}
	x.open = nextMatch{find: substring(delims.Open)}
	x.close = nextMatch{find: substring(delims.Close)}
	x.start = nextMatch{find: x.findCall}
	return x
}

// at returns the tag that stands at pos: Open, Close, or Truncated for a
// proper prefix of either that the end of the text cuts off. Otherwise it
// returns no symbol.
func (x *tagIndex) at(pos int) (tag symbol, end int) {
	rest := x.text[pos:]
	switch {
	case rest == "":
		return none, pos
	case strings.HasPrefix(rest, x.delims.Open):
		return symOpen, pos + len(x.delims.Open)
	case strings.HasPrefix(rest, x.delims.Close):
		return symClose, pos + len(x.delims.Close)
	case strings.HasPrefix(x.delims.Open, rest), strings.HasPrefix(x.delims.Close, rest):
		return symTruncated, len(x.text)
	}
	return none, pos
}

// next returns the offset of the first tag at or after pos, truncated tags
// included, or the length of the text.
func (x *tagIndex) next(pos int) int {
	found := min(x.open.from(x.text, pos), x.close.from(x.text, pos))
	for tail := max(pos, len(x.text)-maxTag); tail < found; tail++ {
		if tag, _ := x.at(tail); tag != none {
			return tail
		}
	}
	return found
}

// nextCall returns the offset of the first opener at or after pos that starts
// a call, or the length of the text.
func (x *tagIndex) nextCall(pos int) int {
	return x.start.from(x.text, pos)
}

// nextEnd returns the offset of the first tag at or after pos that ends
// damage, or the length of the text.
func (x *tagIndex) nextEnd(pos int) int {
	return min(x.nextCall(pos), x.close.from(x.text, pos))
}

func (x *tagIndex) findCall(text string, pos, until int) int {
	for pos = x.open.from(text, pos); pos < until; pos = x.open.from(text, pos+1) {
		if x.startsCall(pos) {
			return pos
		}
	}
	return until
}

// startsCall reports whether the opener at pos starts a call: optional
// whitespace and then, within the limit and not at a tag, a byte that can
// start a name, or a bracket, which models write there by habit.
//
// Rule: framing.opener
func (x *tagIndex) startsCall(pos int) bool {
	first := pos + len(x.delims.Open)
	for first < len(x.text) && first-pos < x.callBytes && isSpace(x.text[first]) {
		first++
	}
	if first == len(x.text) || first-pos >= x.callBytes {
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

// A nextMatch remembers that the first match at or after one offset is at
// another.
type nextMatch struct {
	// find returns the first match that begins in text[pos:until], or until.
	find  func(text string, pos, until int) int
	after int
	at    int
	known bool
}

func (m *nextMatch) from(text string, pos int) int {
	switch {
	case !m.known || pos > m.at:
		m.after, m.at, m.known = pos, m.find(text, pos, len(text)), true
	case pos < m.after:
		if at := m.find(text, pos, m.after); at < m.after {
			m.at = at
		}
		m.after = pos
	}
	return m.at
}

func substring(tag string) func(text string, pos, until int) int {
	return func(text string, pos, until int) int {
		if pos >= until {
			return until
		}
		end := min(until+len(tag)-1, len(text))
		if i := strings.Index(text[pos:end], tag); i >= 0 {
			return pos + i
		}
		return until
	}
}
