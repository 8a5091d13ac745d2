package grammar

import "strings"

// leads are the bytes after which a quote in damage opens a string. So an
// apostrophe in a word does not open one, and an unescaped inner quote does not
// swap inside and outside.
const leads = " \t\r\n=[{(,:"

// skip returns the end of the damage that begins at pos, and whether a close tag,
// which is then part of it, ends it. Otherwise it ends where a call starts or with
// the text. Strings hide tags; quote is the quote of the string that pos is in, or
// zero.
//
// Rule: recovery.skip, recovery.quotes, recovery.inside-string,
// recovery.from-string, recovery.open-string
func (x *tagIndex) skip(pos int, quote byte) (end int, closed bool) {
	for {
		if quote != 0 {
			pos = x.afterString(pos, quote)
		}
		tag := x.nextEnd(pos)
		open := x.opensString(pos, tag)
		if open == tag {
			if symbol, after := x.at(tag); symbol == symClose {
				return after, true
			}
			return tag, false
		}
		pos, quote = open+1, x.text[open]
	}
}

// opensString returns the offset of the first quote in [pos, end) that opens
// a string, or end.
func (x *tagIndex) opensString(pos, end int) int {
	for i := pos; i < end; i++ {
		x.work++
		isQuote := x.text[i] == '"' || x.text[i] == '\''
		if isQuote && i > 0 && strings.IndexByte(leads, x.text[i-1]) >= 0 {
			return i
		}
	}
	return end
}

// afterString returns the end of the string that pos is in. A backslash escapes the
// next byte, and a string that is never closed extends to the end of the text.
func (x *tagIndex) afterString(pos int, quote byte) int {
	for pos < len(x.text) {
		x.work++
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
