package lex

import "github.com/callwire/callwire/internal/lexeme"

// Arrays and objects: JSON and its relaxed superset, or JSON alone if the call is strict.

// open reads the [ or { at win[i].
func (l *Lexer) open(i int) {
	if len(l.call.nest)+l.call.dots-l.call.uncounted >= l.syntax.limits.Depth {
		l.fail(TooDeep, i)
		return
	}
	c := l.win[i]
	l.call.nest = append(l.call.nest, bracket{c, l.offset(i)})
	l.h.Begin(c == '{', l.offset(i))
	l.at(i + 1)
	l.state = afterBracket
}

// shut reads the ] or } at win[i].
func (l *Lexer) shut(i int) {
	n := len(l.call.nest) - 1
	b := l.call.nest[n]
	l.call.nest = l.call.nest[:n]
	l.h.End(l.offset(i), l.win[b.at-l.base:i+1])
	l.at(i + 1)
	l.state = l.afterAny()
}

// afterAny is the state after a value, whose brackets are closed.
func (l *Lexer) afterAny() state {
	switch {
	case len(l.call.nest) > 0:
		return afterElement
	case l.call.isObject:
		return afterBody
	}
	return afterValue
}

// closer returns the byte that closes the innermost bracket.
func (l *Lexer) closer() byte { return l.call.nest[len(l.call.nest)-1].c + 2 }

// readFirst reads, after an opening bracket or a comma, the closing bracket or the start of an
// element or member.
func (l *Lexer) readFirst() (more bool) {
	i, ok, more := l.next()
	if !ok {
		return more
	}
	c, closer, strict := l.win[i], l.closer(), l.call.strict
	switch {
	case c == closer && !(strict && l.state == afterComma):
		l.shut(i)
		return true
	case (c == '"' || lexeme.BeginsLiteral[c]) && l.offer(i, afterElement, beforeElement):
		return true
	case closer == ']':
		l.state = beforeElement
		return l.readElement()
	case c == '"' || c == '\'' && !strict:
		l.beginString(c, inQuotedKey)
		return l.readQuotedKey()
	case strict:
		l.fail(ExpectedKey, i)
		return true
	}
	return l.beginKey(i)
}

// beginKey begins a bare key at win[i].
func (l *Lexer) beginKey(i int) (more bool) {
	c, k := l.win[i], l.class(i)
	if c != ':' && k&lexeme.BeginsTag != 0 && lexeme.ClassOf(c)&lexeme.Key != 0 {
		switch l.tagAt(i) {
		case lexeme.SomeTag:
			return l.hold(i)
		case lexeme.NoTag:
			k = lexeme.ClassOf(c)
		}
	}
	if k&lexeme.Key == 0 || c == ':' {
		l.fail(ExpectedKey, i)
		return true
	}
	l.state, l.scan = inKey, i+1
	l.call.high = c >= 0x80
	return true
}

// readKey reads a bare key.
func (l *Lexer) readKey() (more bool) {
	i, tag, seen := l.syntax.tags.ConsumeKeyResumable(l.win, l.scan, l.bound, ':')
	l.steps += i - l.scan + 1
	l.call.high = l.call.high || seen >= 0x80
	switch {
	case tag == lexeme.SomeTag:
		return l.hold(i)
	case i == l.bound:
		return l.wait(i)
	case !l.valid(i):
		return true
	}
	l.call.key = key{from: l.offset(l.pos), to: l.offset(i), at: l.offset(l.pos)}
	l.at(i)
	l.state = beforeColon
	return true
}

// readQuotedKey reads a quoted key. Unlike a value it is not pushed in pieces.
func (l *Lexer) readQuotedKey() (more bool) {
	w := l.win[:l.bound]
	i := lexeme.SkipPlainASCII(w, l.scan)
	var seen lexeme.Flags
	high := false
	if i == len(w) || w[i] != l.call.quote {
		i, seen, high = lexeme.ConsumeStringResumable(w, i, l.call.quote)
	}
	l.steps += i - l.scan + 1
	if l.call.strict && !l.isJSON(w, l.scan, i, Flags(seen)) {
		return true
	}
	l.call.part = l.stringFlags(seen)
	l.call.high = l.call.high || high
	switch {
	case i < len(w) && w[i] == l.call.quote:
	case len(w) < len(l.win):
		l.failFrom(CallTooLong, len(w), i)
		return true
	default:
		l.scan = i
		return false
	}
	if !l.valid(i) {
		return true
	}
	at := l.offset(l.pos)
	l.call.key = key{from: at + 1, to: l.offset(i), at: at, flags: l.call.part}
	l.call.quote = 0
	if l.call.strict {
		l.pushKey()
	}
	l.at(i + 1)
	l.state = beforeColon
	return true
}

// pushKey pushes the last key.
func (l *Lexer) pushKey() {
	k := &l.call.key
	l.h.Key(l.win[k.from-l.base:k.to-l.base], k.flags, k.at)
}

// readColon reads the colon after a key.
func (l *Lexer) readColon() (more bool) {
	i, ok, more := l.next()
	if !ok {
		return more
	}
	if l.win[i] != ':' {
		l.fail(ExpectedColon, i)
		return true
	}
	if !l.call.strict {
		l.pushKey()
	}
	l.at(i + 1)
	l.state = beforeElement
	if i+1 == len(l.win) {
		return false
	}
	return l.readElement()
}

// readElement looks at the first byte of a value in brackets.
func (l *Lexer) readElement() (more bool) {
	i, ok, more := l.next()
	if !ok {
		return more
	}
	switch c := l.win[i]; {
	case c == '"' || c == '\'' && !l.call.strict:
		l.beginString(c, inString)
		return l.readString()
	case c == '[' || c == '{':
		l.open(i)
		return true
	case l.call.strict:
		l.state = inLiteral
		return l.readLiteral()
	case c == ',' || c == ']' || c == '}':
		l.fail(ExpectedValue, i)
		return true
	case l.class(i)&lexeme.BeginsTag != 0:
		switch l.tagAt(i) {
		case lexeme.SomeTag:
			return l.hold(i)
		case lexeme.CloseTag:
			l.fail(ExpectedValue, i)
			return true
		}
	}
	l.state = inElement
	l.call.quotes = lexeme.Quotes{}
	return l.readBareElement()
}

// readBareElement reads a bare element: anything up to a comma, a closing bracket, a line end
// or the closing tag, without blanks at its end.
func (l *Lexer) readBareElement() (more bool) {
	i, ok, more := l.scanWord(lexeme.EndsItem)
	if !ok {
		return more
	}
	for l.win[i-1] == ' ' || l.win[i-1] == '\t' {
		i--
	}
	l.h.Word(l.win[l.pos:i], Flags(l.call.quotes.Flags()), l.offset(l.pos))
	l.at(i)
	l.state = afterElement
	return true
}

// readAfterElement reads the comma or the closing bracket after an element or member.
func (l *Lexer) readAfterElement() (more bool) {
	i, ok, more := l.next()
	if !ok {
		return more
	}
	switch l.win[i] {
	case ',':
		l.at(i + 1)
		l.state = afterComma
		if i+1 == len(l.win) {
			return false
		}
		return l.readFirst()
	case l.closer():
		l.shut(i)
	default:
		l.fail(ExpectedComma, i)
	}
	return true
}
