package lexer

// end reads the end of the input: all before it is read.
//
// Rule: error.unterminated-call.
func (l *Lexer) end() {
	n := len(l.win)
	switch {
	case l.state <= inOpen:
		l.emitText(n)
	case l.state >= inSkip:
		for l.state == inSkipOpen { // no call begins here, but the close tag may, in the opener
			l.state, l.scan = inSkip, l.pos+1
			l.readSkip()
		}
		if l.state == inText {
			l.emitText(n)
			break
		}
		l.damage(n)
		l.cut()
	case l.acceptAtEnd && !l.aborted && l.complete():
		if !l.valid(n) {
			break
		}
		switch l.state {
		case inName:
			l.emit(Name, 0, l.pos, n)
		case inValue, inBare:
			l.emit(Bare, l.quotes.flags(), l.pos, n)
		}
		l.state = inText
		l.emit(Close, 0, n, n)
	default:
		code, at := Unterminated, n
		if limit := l.limit(); limit < n {
			code, at = CallTooLong, limit
		}
		if bad := illFormed(l.win[l.pos:at]); bad >= 0 && l.pos+bad < at {
			code, at = InvalidUTF8, l.pos+bad
		}
		l.failAt(code, at, n)
	}
	if l.state >= inSkip {
		l.damage(n)
		l.cut()
	}
}

// complete reports whether the body is whole at the end of the window. What
// may become a tag there is a truncated tag.
func (l *Lexer) complete() bool {
	if l.scan < len(l.win) {
		return false
	}
	switch l.state {
	case inName, inBare:
		return !l.high || partialRune(l.win[l.pos:]) == 0
	case inSpace, inValue, afterValue:
		return true
	}
	return false
}
