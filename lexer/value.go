package lexer

import "github.com/callwire/callwire/lexer/lexeme"

// Arrays and objects: JSON, and its relaxed superset.

// openBracket reads the [ or { at win[i].
//
// Rule: value.array, value.object.
func (l *Lexer) openBracket(i int) {
	c := l.win[i]
	depth := len(l.call.nest) + l.call.dots
	if l.call.json {
		depth = len(l.call.nest) - 1 // the arguments object itself is no level
	}
	if depth >= l.limits.Depth {
		l.fail(TooDeep, i)
		return
	}
	l.call.nest = append(l.call.nest, c)
	l.state = inFirst
	kind := ArrayOpen
	if c == '{' {
		kind = ObjectOpen
	}
	l.emit(kind, 0, i, i+1)
}

// closeBracket reads the ] or } at win[i].
func (l *Lexer) closeBracket(i int) {
	kind := ArrayClose
	if l.inObject() {
		kind = ObjectClose
	}
	l.call.nest = l.call.nest[:len(l.call.nest)-1]
	switch {
	case len(l.call.nest) > 0:
		l.state = afterItem
	case l.call.json:
		l.call.done = true
		l.state = inSpace
	default:
		l.state = afterValue
	}
	l.emit(kind, 0, i, i+1)
}

// inObject reports whether the innermost bracket is a brace.
func (l *Lexer) inObject() bool { return l.call.nest[len(l.call.nest)-1] == '{' }

// closer returns the byte that closes the innermost bracket.
func (l *Lexer) closer() byte { return l.call.nest[len(l.call.nest)-1] + 2 }

// skipSpace reads whitespace and returns the index of the byte after it. It
// returns false at the end of the window; more is then what its state returns.
func (l *Lexer) skipSpace() (i int, ok, more bool) {
	w, i := l.win[:l.bound], l.scan
	for i < len(w) && l.tags.Classes[w[i]]&lexeme.Space != 0 {
		i++
	}
	l.steps += i - l.scan
	if i > l.pos {
		l.emit(Space, 0, l.pos, i)
	}
	if i == len(w) {
		return i, false, l.wait(i)
	}
	return i, true, false
}

// readFirst reads, after an opening bracket or a comma, the closing bracket or
// the beginning of an item or member.
func (l *Lexer) readFirst() bool {
	i, ok, more := l.skipSpace()
	if !ok {
		return more
	}
	c := l.win[i]
	if c == l.closer() {
		l.closeBracket(i)
		return true
	}
	if !l.inObject() {
		l.state = inItem
		return true
	}
	if c == '"' || c == '\'' {
		l.beginString(c, MemberKey)
		return true
	}
	return l.beginKey(i, inMember, ':')
}

// readMember reads a bare key of an object.
//
// Rule: value.object.
func (l *Lexer) readMember() bool {
	i, _, ok, more := l.key()
	if !ok {
		return more
	}
	if !l.valid(i) {
		return true
	}
	l.emit(Key, 0, l.pos, i)
	l.state = afterMember
	return true
}

// readAfterMember reads the colon after a key of an object.
func (l *Lexer) readAfterMember() bool {
	i, ok, more := l.skipSpace()
	if !ok {
		return more
	}
	if l.win[i] != ':' {
		l.fail(ExpectedColon, i)
		return true
	}
	l.emit(Colon, 0, i, i+1)
	l.state = inItem
	return true
}

// readItem looks at the first byte of a value inside brackets.
//
// Rule: value.array, value.object, value.single-quoted, value.bare-item.
func (l *Lexer) readItem() bool {
	i, ok, more := l.skipSpace()
	if !ok {
		return more
	}
	switch c := l.win[i]; c {
	case '"', '\'':
		l.beginString(c, 0)
	case '[', '{':
		l.openBracket(i)
	case ',', ']', '}':
		l.fail(ExpectedValue, i)
	default:
		if l.tags.Classes[c]&lexeme.BeginsTag != 0 {
			switch l.tagAt(i) {
			case lexeme.SomeTag:
				return l.hold(i)
			case lexeme.CloseTag:
				l.fail(ExpectedValue, i)
				return true
			}
		}
		l.state = inBareItem
		l.call.quotes, l.call.high = lexeme.Quotes{}, false
	}
	return true
}

// readBareItem reads a bare item: up to a comma, a closing bracket, a line end
// or the close tag, without blanks at its end.
//
// Rule: value.bare-item.
func (l *Lexer) readBareItem() bool {
	i, ok, more := l.word()
	if !ok {
		return more
	}
	for l.win[i-1] == ' ' || l.win[i-1] == '\t' {
		i--
	}
	l.state = afterItem
	l.emit(Bare, l.call.quotes.Flags(), l.pos, i)
	return true
}

// readAfterItem reads the comma or the closing bracket after an item.
func (l *Lexer) readAfterItem() bool {
	i, ok, more := l.skipSpace()
	if !ok {
		return more
	}
	switch l.win[i] {
	case ',':
		l.emit(Comma, 0, i, i+1)
		l.state = inNext
	case l.closer():
		l.closeBracket(i)
	default:
		l.fail(ExpectedComma, i)
	}
	return true
}
