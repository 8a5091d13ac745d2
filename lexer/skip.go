package lexer

// Recovery: from the first byte that no valid call can have to the end of the
// damage, so that reading goes on as if the malformed span had not been there.

// fail makes the call malformed at win[at]; skipping starts there.
//
// Rule: recovery.from-string.
func (l *Lexer) fail(code Code, at int) { l.failIn(code, at, at) }

// failIn is fail where skipping starts at win[from], the first byte of the unit
// in which the fault lies. Bytes of the lexeme before it that are no UTF-8 are
// the earlier fault.
func (l *Lexer) failIn(code Code, at, from int) {
	limit := code == CallTooLong || code == NameTooLong || code == TooDeep
	if bad := illFormed(l.win[l.pos:at]); bad >= 0 && (l.pos+bad < at || !limit) {
		code, at = InvalidUTF8, l.pos+bad
		from = at
	} else if !limit && beginsNone(l.win[at]) {
		code = InvalidUTF8
	}
	l.failAt(code, at, from)
}

// failAt is failIn for a fault that is known to be the first one.
func (l *Lexer) failAt(code Code, at, from int) {
	l.fault, l.faultAt = code, l.base+at
	if l.state != inString {
		l.quote = 0
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
		if l.quote != 0 {
			from := i
			i, _ = plain(w, i, l.quote)
			l.steps += i - from
			switch {
			case i == len(w):
			case w[i] == l.quote:
				l.quote = 0
				i++
			case i+1 == len(w): // what the backslash takes is still to come
				l.damage(i)
				return false
			default:
				i += 2
			}
			continue
		}
		c := w[i]
		k := l.class[c]
		if k&stopsSkip == 0 {
			i++
			continue
		}
		if k&beginsTag == 0 {
			if l.introduced(i) {
				l.quote = c
			}
			i++
			continue
		}
		switch l.tagAt(i) {
		case closeTag:
			l.damage(i)
			l.state = inText
			l.emit(Close, 0, i, i+len(l.close))
			l.pause = true
			return true
		case openTag:
			j, t := l.opener(i, 0)
			switch t {
			case openTag:
				l.damage(i)
				l.cut()
				return true
			case someTag:
				l.damage(i)
				l.state, l.scan = inSkipOpen, j
				return false
			}
			i++
		case someTag:
			l.damage(i)
			return false
		default:
			i++
		}
	}
	l.damage(i)
	return false
}

// readSkipOpen goes on behind an opener in damage, in the whitespace where the
// window ended.
func (l *Lexer) readSkipOpen() bool {
	j, t := l.opener(l.pos, l.scan)
	switch t {
	case openTag:
		l.cut()
	case someTag:
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
	return classes[c]&isSpace != 0 || introduces(c)
}

// damage puts win[pos:to] into a token, if it is not empty, and rests there.
func (l *Lexer) damage(to int) {
	if l.pos < to {
		l.emit(Damage, 0, l.pos, to)
	}
	l.scan = to
}

// cut ends a malformed span without a close tag.
func (l *Lexer) cut() {
	l.state = inText
	l.emit(Cut, 0, l.pos, l.pos)
	l.pause = true
}
