package lexer

import "github.com/callwire/callwire/lexer/lexeme"

// beginString enters the string whose quote, at scan, is q.
func (l *Lexer) beginString(q byte, role Flags) {
	l.state = inString
	l.call.quote = q
	l.call.part = First | role
	l.scan++
}

// readString reads a string, in pieces where the window ends. A piece holds
// whole runes and whole escapes, so each can be decoded by itself.
//
// Rule: value.string.
func (l *Lexer) readString() bool {
	w := l.win[:l.bound]
	i, flags, high := lexeme.ConsumeStringResumable(w, l.scan, l.call.quote)
	l.steps += i - l.scan + 1
	flags |= l.call.part
	switch {
	case i == len(w):
		return l.cutString(i, i, flags, high)
	case w[i] != l.call.quote:
		return l.cutString(i, len(w), flags, high)
	}
	i++
	if high && !l.validPiece(i, flags) {
		return true
	}
	switch {
	case l.call.part&MemberKey != 0:
		l.state = afterMember
	case len(l.call.nest) > 0:
		l.state = afterItem
	default:
		l.state = afterValue
	}
	l.emit(String, flags|Last, l.pos, i)
	l.call.quote = 0
	return true
}

// cutString puts the whole units of the string before win[i] into a piece: the
// window or the limit ends at win[end], and win[i] is the first byte of a unit that
// may go on there.
func (l *Lexer) cutString(i, end int, flags Flags, high bool) bool {
	w := l.win
	cut := i
	if high {
		cut -= lexeme.PartialRune(w[l.pos:i])
		if !l.validPiece(cut, flags) {
			return true
		}
	}
	if cut > l.pos {
		l.emit(String, flags, l.pos, cut)
		l.call.part &^= First
	}
	if cut < i && i < end { // a backslash inside a rune
		l.fail(InvalidUTF8, i)
		return true
	}
	if end < len(w) {
		l.failIn(CallTooLong, end, i)
		return true
	}
	l.scan = cut
	return false
}

// validPiece is valid for a piece of a string. What precedes the fault is still a
// piece, so the tokens are the same under every chunking.
func (l *Lexer) validPiece(to int, flags Flags) bool {
	l.steps += to - l.pos
	bad := lexeme.IllFormed(l.win[l.pos:to])
	if bad < 0 {
		return true
	}
	bad += l.pos
	cut := bad - lexeme.PartialRune(l.win[l.pos:bad])
	if cut > l.pos {
		l.emit(String, flags|Control, l.pos, cut)
	}
	l.failAt(InvalidUTF8, bad, bad)
	return false
}
