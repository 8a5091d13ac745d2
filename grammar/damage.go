package grammar

import "strings"

// leads are the bytes after which a quote in damage opens a string. An
// apostrophe within a word opens none, nor does an unescaped inner quote.
const leads = " \t\r\n=[{(,:"

// skip returns where damage ends that begins at pos, and whether the close
// tag ends it, which is then part of it. A call that begins inside the damage
// ends it too. Strings hide both; quote is the one that pos stands inside of,
// or zero.
//
// Rule: framing.damage
func (x *tagIndex) skip(pos int, quote byte) (end int, closed bool) {
	for {
		if quote != 0 {
			pos = afterString(x.text, pos, quote)
		}
		end = x.nextEnd(pos)
		open := opensString(x.text, pos, end)
		if open == end {
			tag, after := x.at(end)
			if tag == symClose {
				return after, true
			}
			return end, false
		}
		pos, quote = open+1, x.text[open]
	}
}

// opensString returns the offset of the first quote in text[pos:end] that
// opens a string, or end.
func opensString(text string, pos, end int) int {
	for i := pos; i < end; i++ {
		if (text[i] == '"' || text[i] == '\'') && i > 0 && strings.IndexByte(leads, text[i-1]) >= 0 {
			return i
		}
	}
	return end
}

// afterString returns the offset after the string that pos stands inside of.
// A backslash takes the next byte, and a string that never closes takes all.
func afterString(text string, pos int, quote byte) int {
	for pos < len(text) {
		switch text[pos] {
		case quote:
			return pos + 1
		case '\\':
			pos++
		}
		pos++
	}
	return len(text)
}
