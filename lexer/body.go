package lexer

// The states of a body read as far as the window goes. Each ends in one of
// three ways: a token and the next state (true), a fault (true), or the end of
// the window (false), where scan says how far the lexeme was looked at.

// more is the answer where a state has read up to win[i]: i is the end of the
// window, or the limit on the call's bytes.
func (l *Lexer) more(i int) bool {
	if i < len(l.win) {
		l.fail(CallTooLong, i)
		return true
	}
	l.scan = i
	return false
}

// hold is the answer where the window ends inside what may become a tag.
func (l *Lexer) hold(i int) bool {
	l.scan = i
	return false
}

// readName reads the tool's name.
//
// Rule: body.name.
func (l *Lexer) readName() bool {
	w, i := l.win[:l.bound], l.scan
	if n := l.pos + l.limits.Name; n < len(w) {
		w = w[:n]
	}
	var seen byte
	from := i
	for {
		for i < len(w) && l.class[w[i]]&isName != 0 {
			seen |= w[i]
			i++
		}
		l.steps += i - from
		l.high = l.high || seen >= 0x80
		if i == l.bound {
			return l.more(i)
		}
		c := l.win[i]
		if l.class[c]&beginsTag == 0 {
			break
		}
		switch l.closeAt(i, isName) {
		case someTag:
			return l.hold(i)
		case closeTag, openTag:
		default:
			if classes[c]&isName != 0 && i < len(w) {
				i, from = i+1, i
				continue
			}
		}
		break
	}
	c := l.win[i]
	k := l.class[c]
	switch {
	case k&isSpace != 0 || c == '{':
	case k&beginsTag != 0 && l.tagAt(i) == closeTag:
	case k&isName != 0 || k&beginsTag != 0 && l.tagAt(i) == noTag && classes[c]&isName != 0:
		l.fail(NameTooLong, i)
		return true
	default:
		l.fail(BadName, i)
		return true
	}
	if !l.valid(i) {
		return true
	}
	l.state = inSpace
	l.emit(Name, 0, l.pos, i)
	return true
}

// readSpace reads the whitespace between the parts of a call, and what follows
// it is looked at: the close tag, a JSON body, an argument.
//
// Rule: body.whitespace, body.json, body.argument.
func (l *Lexer) readSpace() bool {
	w, i := l.win[:l.bound], l.scan
	for i < len(w) && l.class[w[i]]&isSpace != 0 {
		i++
	}
	l.steps += i - l.scan
	if i > l.pos {
		l.emit(Space, 0, l.pos, i)
	}
	if i == len(w) {
		return l.more(i)
	}
	c := w[i]
	k := l.class[c]
	if k&beginsTag != 0 {
		role := isKey
		if l.done {
			role = 0
		}
		switch l.closeAt(i, role) {
		case closeTag:
			return l.finish(i)
		case someTag:
			return l.hold(i)
		case noTag:
			k = classes[c]
		}
	}
	switch {
	case l.done:
		l.fail(ExpectedClose, i)
	case c == '{' && !l.args:
		l.json = true
		l.openBracket(i)
	case k&isKey != 0:
		l.args = true
		l.dots = 0
		l.state = inKey
		l.scan = i + 1
		l.high = c >= 0x80
	default:
		l.fail(ExpectedKey, i)
	}
	return true
}

// readSegment looks at the first byte of a path segment behind a dot.
func (l *Lexer) readSegment() bool {
	i := l.pos
	if i == l.bound {
		return l.more(i)
	}
	c := l.win[i]
	k := l.class[c]
	if k&beginsTag != 0 && classes[c]&isKey != 0 {
		switch l.tagAt(i) {
		case someTag:
			return l.hold(i)
		case noTag:
			k = classes[c]
		}
	}
	if k&isKey == 0 {
		l.fail(ExpectedKey, i)
		return true
	}
	l.state = inKey
	l.scan = i + 1
	l.high = c >= 0x80
	return true
}

// readKey reads a path segment and the dot or = behind it.
//
// Rule: body.path.
func (l *Lexer) readKey() bool {
	i, t := l.key(isKey, 0)
	if t == someTag {
		return l.hold(i)
	}
	if i == l.bound {
		return l.more(i)
	}
	switch c := l.win[i]; {
	case c == '=':
		if !l.valid(i) {
			return true
		}
		l.emit(Key, 0, l.pos, i)
		l.emit(Equals, 0, i, i+1)
		l.state = inValue
		l.quotes, l.high = quotes{}, false
	case c == '.' && l.dots >= l.limits.Depth:
		l.fail(TooDeep, i)
	case c == '.':
		if !l.valid(i) {
			return true
		}
		l.dots++
		l.emit(Key, 0, l.pos, i)
		l.emit(Dot, 0, i, i+1)
		l.state = inSegment
	default:
		l.fail(ExpectedEquals, i)
	}
	return true
}

// key scans from scan on through key bytes, but for the byte except. It returns
// where it stopped, and someTag where more input decides.
func (l *Lexer) key(role class, except byte) (int, tag) {
	w, i := l.win[:l.bound], l.scan
	table := l.class
	from := i
	var seen byte
	t := noTag
	for ; i < len(w); i++ {
		c := w[i]
		if table[c]&role != 0 && c != except {
			seen |= c
			continue
		}
		if table[c]&beginsTag == 0 || classes[c]&role == 0 || c == except {
			break
		}
		if t = l.tagAt(i); t != noTag {
			break
		}
	}
	l.steps += i - from
	l.high = l.high || seen >= 0x80
	return i, t
}

// readValue looks at the first byte behind =.
//
// Rule: value.bare, value.empty, value.string, value.array, value.object.
func (l *Lexer) readValue() bool {
	i := l.pos
	if i == l.bound {
		return l.more(i)
	}
	switch c := l.win[i]; c {
	case '"', '\'':
		l.beginString(c, 0)
	case '[', '{':
		l.openBracket(i)
	default:
		l.state = inBare
	}
	return true
}

// readBare reads a bare word: a run without whitespace, up to the close tag.
//
// Rule: value.bare.
func (l *Lexer) readBare() bool {
	i, t := l.word(endsWord)
	switch {
	case t == someTag:
		return l.hold(i)
	case t == openTag:
		l.fail(NestedCall, i)
		return true
	case i == l.bound:
		return l.more(i)
	}
	if !l.valid(i) {
		return true
	}
	l.state = inSpace
	l.emit(Bare, l.quotes.flags(), l.pos, i)
	return true
}

// quotes counts the quotes of a bare word.
type quotes struct {
	double, single, introduced bool // odd, odd, one ' behind punctuation
}

// flags returns Opened where the quotes look like the rest of a quoted string.
//
// Rule: issue.open-quote.
func (q quotes) flags() Flags {
	if q.double || q.single && q.introduced {
		return Opened
	}
	return 0
}

// word scans from scan on through a bare word or item, of which stop ends. It
// returns where it stopped, and the tag there.
func (l *Lexer) word(stop class) (int, tag) {
	w, i := l.win[:l.bound], l.scan
	table := l.class
	from := i
	var seen byte
	t := noTag
	for ; i < len(w); i++ {
		c := w[i]
		if table[c]&stop == 0 {
			seen |= c
			continue
		}
		if c == '"' {
			l.quotes.double = !l.quotes.double
			continue
		}
		if c == '\'' {
			l.quotes.single = !l.quotes.single
			l.quotes.introduced = l.quotes.introduced || i > l.pos && introduces(w[i-1])
			continue
		}
		if table[c]&beginsTag == 0 {
			break
		}
		if t = l.tagAt(i); t != noTag {
			break
		}
	}
	l.steps += i - from
	l.high = l.high || seen >= 0x80
	return i, t
}

// readAfterValue looks at the byte behind a quoted, array or object value.
func (l *Lexer) readAfterValue() bool {
	i := l.pos
	if i == l.bound {
		return l.more(i)
	}
	k := l.class[l.win[i]]
	if k&isSpace != 0 {
		l.state = inSpace
		return true
	}
	if k&beginsTag != 0 {
		switch l.closeAt(i, 0) {
		case closeTag:
			return l.finish(i)
		case someTag:
			return l.hold(i)
		}
	}
	l.fail(ExpectedSpace, i)
	return true
}
