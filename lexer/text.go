package lexer

import (
	"bytes"
	"encoding/binary"
)

// tag says what stands at a place of the window.
type tag uint8

const (
	noTag    tag = iota
	openTag      // the opener
	closeTag     // the close tag
	someTag      // the window ends inside a tag, or what may become one
)

// tagAt says which tag begins at win[i].
func (l *Lexer) tagAt(i int) tag {
	w := l.win[i:]
	l.steps++
	closing, opening := matchTag(w, l.close), matchTag(w, l.open)
	switch {
	case closing == len(l.close):
		return closeTag
	case opening == len(l.open):
		return openTag
	case closing == len(w) || opening == len(w):
		return someTag
	}
	return noTag
}

// closeAt is tagAt where only the close tag can stand, or a lexeme of which the
// bytes have the given role: there, the beginning of an opener is none.
func (l *Lexer) closeAt(i int, role class) tag {
	t := l.tagAt(i)
	if t == someTag && classes[l.win[i]]&role == 0 && matchTag(l.win[i:], l.close) == 0 {
		return openTag
	}
	return t
}

// matchTag returns len(tag) if w begins with tag, len(w) if tag begins with w,
// and 0 otherwise.
func matchTag(w []byte, tag string) int {
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

// opener looks at the opener of which the first byte is win[i], and on through
// the whitespace behind it, from index from if that is behind the opener. It
// returns the index where it stopped, and openTag where the byte there begins
// a call, noTag where there is no call, and someTag where more input decides.
//
// Rule: framing.open.
func (l *Lexer) opener(i, from int) (int, tag) {
	w := l.win
	j := i + len(l.open)
	if from > j {
		j = from
	} else if t := l.tagAt(i); t != openTag {
		if t == someTag && matchTag(w[i:], l.open) != 0 && len(l.open) < l.limits.Bytes {
			return i, someTag
		}
		return i, noTag
	}
	bound := i + l.limits.Bytes // the name must start before
	for ; j < bound; j++ {
		if j == len(w) {
			return j, someTag
		}
		l.steps++
		c := w[j]
		switch k := l.class[c]; {
		case k&isSpace != 0:
		case k&isNameStart != 0 || c == '{' || c == '[':
			return j, openTag
		case k&beginsTag != 0 && classes[c]&isNameStart != 0:
			switch l.tagAt(j) {
			case noTag:
				return j, openTag
			case someTag:
				return j, someTag
			}
			return j, noTag
		default:
			return j, noTag
		}
	}
	return j, noTag
}

// candidate returns the index of the first byte of the window, from i on, at which
// an opener may stand, as far as its first eight bytes tell, or the window's end.
func (l *Lexer) candidate(i int) int {
	w, first := l.win, l.open[0]
	for {
		n := bytes.IndexByte(w[i:], first)
		if n < 0 {
			return len(w)
		}
		i += n
		if i+8 > len(w) || binary.LittleEndian.Uint64(w[i:])&l.openMask == l.openWord {
			return i
		}
		i++
	}
}

// readText reads prose up to the next call.
//
// Rule: framing.text.
func (l *Lexer) readText() bool {
	w, i := l.win, l.scan
	for {
		from := i
		i = l.candidate(i)
		l.steps += i - from
		if i == len(w) {
			l.emitText(i)
			return false
		}
		if j := i + len(l.open); j < len(w) && string(w[i:j]) == l.open && l.class[w[j]]&isNameStart != 0 && len(l.open) < l.limits.Bytes {
			l.emitText(i) // what nearly all openers are
			l.begin(j)
			return true
		}
		j, t := l.opener(i, 0)
		switch t {
		case openTag:
			l.emitText(i)
			l.begin(j)
			return true
		case someTag:
			l.emitText(i)
			if j > i {
				l.state, l.scan = inOpen, j
			}
			return false
		}
		i++
	}
}

// readOpen goes on behind an opener, in the whitespace where the window ended.
func (l *Lexer) readOpen() bool {
	j, t := l.opener(l.pos, l.scan)
	switch t {
	case openTag:
		l.begin(j)
	case someTag:
		l.scan = j
		return false
	default:
		l.state, l.scan = inText, l.pos+1
	}
	return true
}

// emitText puts win[pos:to] into a token, if it is not empty, and rests there.
func (l *Lexer) emitText(to int) {
	if l.pos < to {
		l.emit(Text, 0, l.pos, to)
	}
	l.scan = to
}

// begin starts the call whose opener is at pos and whose name is at win[j].
func (l *Lexer) begin(j int) {
	from := l.pos
	l.enter(j)
	l.emit(Open, 0, from, j)
	if c := l.win[j]; c == '{' || c == '[' {
		l.fail(ExpectedName, j)
	}
}

// enter is begin without a token.
func (l *Lexer) enter(j int) {
	l.start = l.base + l.pos
	l.rebound()
	l.raw = nil
	l.nest, l.json, l.args, l.done, l.high = l.nest[:0], false, false, false, false
	l.state = inName
	l.pos, l.scan = j, j
}

// finish ends the call with the close tag at win[i].
//
// Rule: framing.close.
func (l *Lexer) finish(i int) bool {
	end := i + len(l.close)
	if limit := l.limit(); end > limit {
		l.failIn(CallTooLong, limit, i)
		return true
	}
	l.state = inText
	l.emit(Close, 0, i, end)
	return true
}
