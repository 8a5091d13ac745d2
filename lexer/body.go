package lexer

import "github.com/callwire/callwire/lexer/lexeme"

// The states of a body read as far as the window goes. Each ends in one of
// three ways: a token and the next state (true), a fault (true), or the end of the
// window (false); scan then says how far the lexeme was looked at.

// wait is the answer if a state has read up to win[i], which is the end of the
// window, or the limit on the call's bytes.
func (l *Lexer) wait(i int) bool {
	if i < len(l.win) {
		l.fail(CallTooLong, i)
		return true
	}
	l.scan = i
	return false
}

// hold is the answer if the window ends inside what may become a tag.
func (l *Lexer) hold(i int) bool {
	l.scan = i
	return false
}

// consume reads on in the name, key or bare word that the state is in; ok is false in
// any other state. It returns the index of the first byte that is not read, and the tag
// there.
func (l *Lexer) consume() (i int, tag lexeme.Tag, ok bool) {
	var seen byte
	switch l.state {
	case inName:
		i, tag, seen = l.tags.ConsumeNameResumable(l.win, l.scan, min(l.bound, l.pos+l.limits.Name))
	case inKey:
		i, tag, seen = l.tags.ConsumeKeyResumable(l.win, l.scan, l.bound, 0)
	case inMember:
		i, tag, seen = l.tags.ConsumeKeyResumable(l.win, l.scan, l.bound, ':')
	case inBare:
		i, tag, seen = l.tags.ConsumeWordResumable(l.win, l.pos, l.scan, l.bound, lexeme.EndsWord, &l.call.quotes)
	case inBareItem:
		i, tag, seen = l.tags.ConsumeWordResumable(l.win, l.pos, l.scan, l.bound, lexeme.EndsItem, &l.call.quotes)
	default:
		return 0, lexeme.NoTag, false
	}
	l.steps += i - l.scan + 1
	l.call.high = l.call.high || seen >= 0x80
	return i, tag, true
}

// lengthens reports whether such a lexeme, or an opener, goes on at the end of the window;
// if not, its state reads on from there. Without it a chunk of one byte takes a sixth longer.
func (l *Lexer) lengthens() bool {
	if l.state == inText {
		l.steps++
		n := lexeme.MatchTag(l.win, l.tags.Open)
		return !l.regions.bytewise && 0 < n && n < len(l.tags.Open)
	}
	i, tag, ok := l.consume()
	if ok {
		l.scan = i
	}
	return ok && (tag == lexeme.SomeTag || tag == lexeme.NoTag && i == len(l.win))
}

// readName reads the tool's name.
//
// Rule: body.name.
func (l *Lexer) readName() bool {
	i, tag, _ := l.consume()
	switch {
	case i == l.bound:
		return l.wait(i)
	case tag == lexeme.SomeTag:
		return l.hold(i)
	}
	c := l.win[i]
	switch k := l.tags.Classes[c]; {
	case k&lexeme.Space != 0, c == '{', tag == lexeme.CloseTag:
	case k&lexeme.Name != 0, tag == lexeme.NoTag && lexeme.ClassOf(c)&lexeme.Name != 0:
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

// readSpace reads the whitespace between the parts of a call, and looks at what
// follows it: the close tag, a JSON body, an argument.
//
// Rule: body.whitespace, body.json, body.argument.
func (l *Lexer) readSpace() bool {
	i, ok, more := l.skipSpace()
	if !ok {
		return more
	}
	c := l.win[i]
	if l.tags.Classes[c]&lexeme.BeginsTag != 0 {
		role := lexeme.Key
		if l.call.done {
			role = 0
		}
		switch l.closeAt(i, role) {
		case lexeme.CloseTag:
			return l.finish(i)
		case lexeme.SomeTag:
			return l.hold(i)
		}
	}
	switch {
	case l.call.done:
		l.fail(ExpectedClose, i)
	case c == '{' && !l.call.args:
		l.call.json = true
		l.openBracket(i)
	default:
		l.call.args, l.call.dots = true, 0
		return l.beginKey(i, inKey, 0)
	}
	return true
}

// beginKey enters a key at win[i], which does not begin with the byte except.
func (l *Lexer) beginKey(i int, key state, except byte) bool {
	c := l.win[i]
	k := l.tags.Classes[c]
	if c != except && k&lexeme.BeginsTag != 0 && lexeme.ClassOf(c)&lexeme.Key != 0 {
		switch l.tagAt(i) {
		case lexeme.SomeTag:
			return l.hold(i)
		case lexeme.NoTag:
			k = lexeme.ClassOf(c)
		}
	}
	if k&lexeme.Key == 0 || c == except {
		l.fail(ExpectedKey, i)
		return true
	}
	l.state, l.scan = key, i+1
	l.call.high = c >= 0x80
	return true
}

// readSegment looks at the first byte of a path segment after a dot.
func (l *Lexer) readSegment() bool {
	i := l.pos
	if i == l.bound {
		return l.wait(i)
	}
	return l.beginKey(i, inKey, 0)
}

// readKey reads a path segment and the dot or = after it.
//
// Rule: body.path.
func (l *Lexer) readKey() bool {
	i, _, ok, more := l.key()
	if !ok {
		return more
	}
	switch c := l.win[i]; {
	case c == '=':
		if !l.valid(i) {
			return true
		}
		l.emit(Key, 0, l.pos, i)
		l.emit(Equals, 0, i, i+1)
		l.state = inValue
		l.call.quotes, l.call.high = lexeme.Quotes{}, false
	case c == '.' && l.call.dots >= l.limits.Depth:
		l.fail(TooDeep, i)
	case c == '.':
		if !l.valid(i) {
			return true
		}
		l.call.dots++
		l.emit(Key, 0, l.pos, i)
		l.emit(Dot, 0, i, i+1)
		l.state = inSegment
	default:
		l.fail(ExpectedEquals, i)
	}
	return true
}

// key reads on in a key. It returns the index after it and the tag there; or false if
// the key does not end here, and more is then what its state returns.
func (l *Lexer) key() (i int, tag lexeme.Tag, ok, more bool) {
	i, tag, _ = l.consume()
	switch {
	case tag == lexeme.SomeTag:
		return i, tag, false, l.hold(i)
	case i == l.bound:
		return i, tag, false, l.wait(i)
	}
	return i, tag, true, true
}

// closeAt is tagAt where only the close tag can stand, or a lexeme whose bytes have
// the given role.
func (l *Lexer) closeAt(i int, role lexeme.Class) lexeme.Tag {
	l.steps++
	return l.tags.CloseAt(l.win[i:], role)
}

// readValue looks at the first byte after =.
//
// Rule: value.bare, value.empty, value.string, value.array, value.object.
func (l *Lexer) readValue() bool {
	i := l.pos
	if i == l.bound {
		return l.wait(i)
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
	i, ok, more := l.word()
	if ok {
		l.state = inSpace
		l.emit(Bare, l.call.quotes.Flags(), l.pos, i)
	}
	return more
}

// word is key for a bare word or item, in which no call begins.
func (l *Lexer) word() (i int, ok, more bool) {
	i, tag, ok, more := l.key()
	switch {
	case !ok:
		return i, false, more
	case tag == lexeme.OpenTag:
		l.fail(NestedCall, i)
		return i, false, true
	}
	return i, l.valid(i), true
}

// readAfterValue looks at the byte after a quoted, array or object value.
func (l *Lexer) readAfterValue() bool {
	i := l.pos
	if i == l.bound {
		return l.wait(i)
	}
	k := l.tags.Classes[l.win[i]]
	if k&lexeme.Space != 0 {
		l.state = inSpace
		return true
	}
	if k&lexeme.BeginsTag != 0 {
		switch l.closeAt(i, 0) {
		case lexeme.CloseTag:
			return l.finish(i)
		case lexeme.SomeTag:
			return l.hold(i)
		}
	}
	l.fail(ExpectedSpace, i)
	return true
}

// valid checks the lexeme win[pos:to], whose end is reached. If it is not
// valid UTF-8, the call fails and valid returns false.
func (l *Lexer) valid(to int) bool {
	if !l.call.high {
		return true
	}
	l.steps += to - l.pos
	if bad := lexeme.IllFormed(l.win[l.pos:to]); bad >= 0 {
		l.failAt(InvalidUTF8, l.pos+bad, l.pos+bad)
		return false
	}
	return true
}
