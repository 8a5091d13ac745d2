package lexer

import "github.com/callwire/callwire/lexer/lexeme"

// Recovery: from the first byte that no valid call can have to the end of the
// damage, so that reading goes on as if the malformed span had not been there.

// fail makes the call malformed at win[at]; skipping starts there.
//
// Rule: recovery.from-string.
func (l *Lexer) fail(code Code, at int) { l.failIn(code, at, at) }

// failIn is fail where skipping starts at win[from], the first byte of the unit
// in which the fault lies. Bytes of the lexeme before it that are not valid UTF-8 are
// the earlier fault.
func (l *Lexer) failIn(code Code, at, from int) {
	limit := code == CallTooLong || code == NameTooLong || code == TooDeep
	if bad := lexeme.IllFormed(l.win[l.pos:at]); bad >= 0 && (l.pos+bad < at || !limit) {
		code, at = InvalidUTF8, l.pos+bad
		from = at
	} else if !limit && lexeme.BeginsNone(l.win[at]) {
		code = InvalidUTF8
	}
	l.failAt(code, at, from)
}

// failAt is failIn for a fault that is known to be the first one.
func (l *Lexer) failAt(code Code, at, from int) {
	l.fault, l.faultAt = code, l.base+at
	if l.state != inString {
		l.call.quote = 0
	}
	l.state = inSkip
	l.emit(Fault, 0, l.pos, l.pos)
	l.pause = true
	l.scan = from
}

// readSkip reads damage: up to the close tag, or to an opener that starts a
// call, both outside quoted strings.
//
// Rule: recovery.skip, recovery.quotes, recovery.inside-string, recovery.open-string.
func (l *Lexer) readSkip() bool {
	w, i := l.win, l.scan
	for i < len(w) {
		l.steps++
		if l.call.quote != 0 {
			from := i
			i, _, _ = lexeme.SkipPlain(w, i, l.call.quote)
			l.steps += i - from
			switch {
			case i == len(w):
			case w[i] == l.call.quote:
				l.call.quote = 0
				i++
			case i+1 == len(w): // what the backslash takes is still to come
				l.piece(Damage, i)
				return false
			default:
				i += 2
			}
			continue
		}
		c := w[i]
		k := l.tags.Classes[c]
		if l.regions.closer != "" && (c == l.regions.closer[0] || c == '>') {
			n, some := l.ends(i)
			if n > 0 {
				l.piece(Damage, i)
				l.regions.closer = ""
				l.closes(i, i+n)
				l.pause = true
				return true
			}
			if some {
				l.piece(Damage, i)
				return false
			}
		}
		if k&lexeme.StopsSkip == 0 {
			i++
			continue
		}
		if k&lexeme.BeginsTag == 0 {
			if l.introduced(i) {
				l.call.quote = c
			}
			i++
			continue
		}
		switch l.tagAt(i) {
		case lexeme.CloseTag:
			l.piece(Damage, i)
			l.regions.closer = ""
			l.closes(i, i+len(l.tags.Close))
			l.pause = true
			return true
		case lexeme.OpenTag:
			j, t := l.opener(i, 0)
			switch t {
			case lexeme.OpenTag:
				l.piece(Damage, i)
				l.cut()
				return true
			case lexeme.SomeTag:
				l.piece(Damage, i)
				l.state, l.scan = inSkipOpen, j
				return false
			}
			i++
		case lexeme.SomeTag:
			l.piece(Damage, i)
			return false
		default:
			i++
		}
	}
	l.piece(Damage, i)
	return false
}

// readSkipOpen goes on after an opener in damage, in the whitespace where the
// window ended.
func (l *Lexer) readSkipOpen() bool {
	j, t := l.opener(l.pos, l.scan)
	switch t {
	case lexeme.OpenTag:
		l.cut()
	case lexeme.SomeTag:
		l.scan = j
		return false
	default:
		l.state, l.scan = inSkip, l.pos+1
	}
	return true
}

// introduced reports whether the quote at win[i] opens a string in damage:
// directly after whitespace or punctuation that introduces a value.
func (l *Lexer) introduced(i int) bool {
	c := l.prev
	if i > 0 {
		c = l.win[i-1]
	}
	return lexeme.ClassOf(c)&lexeme.Space != 0 || lexeme.Introduces(c)
}

// cut ends a malformed span without a close tag.
func (l *Lexer) cut() {
	l.regions.closer = ""
	l.state = inText
	l.emit(Cut, 0, l.pos, l.pos)
	l.pause = true
}

// end reads the end of the input: all before it is read.
//
// Rule: error.unterminated-call.
func (l *Lexer) end() {
	n := len(l.win)
	switch {
	case l.state == inThought:
		l.piece(Thought, n)
	case l.state <= inOpen:
		l.piece(Text, n)
	case l.state >= inSkip:
		for l.state == inSkipOpen { // no call begins here, but the close tag may, in the opener
			l.state, l.scan = inSkip, l.pos+1
			l.readSkip()
		}
		if l.state == inText {
			l.piece(Text, n)
			break
		}
		l.piece(Damage, n)
		l.cut()
	case l.config.AcceptAtEnd && !l.aborted && l.complete():
		if !l.valid(n) {
			break
		}
		switch l.state {
		case inName:
			l.emit(Name, 0, l.pos, n)
		case inValue, inBare:
			l.emit(Bare, l.call.quotes.Flags(), l.pos, n)
		}
		l.state = inText
		l.emit(Close, 0, n, n)
	default:
		code, at := Unterminated, n
		if limit := l.limit(); limit < n {
			code, at = CallTooLong, limit
		}
		if bad := lexeme.IllFormed(l.win[l.pos:at]); bad >= 0 && l.pos+bad < at {
			code, at = InvalidUTF8, l.pos+bad
		}
		l.failAt(code, at, n)
	}
	if l.state >= inSkip {
		l.piece(Damage, n)
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
		return !l.call.high || lexeme.PartialRune(l.win[l.pos:]) == 0
	case inSpace, inValue, afterValue:
		return true
	}
	return false
}
