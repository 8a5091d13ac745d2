package lex

import "github.com/callwire/callwire/internal/lexeme"

// Arrays and objects: JSON and its relaxed superset, or JSON alone if the call is strict. Strict
// JSON differs in four ways: a string has no control characters and only JSON escapes, a key is
// in double quotes, a bare value is a literal, and a comma needs a successor.

// openBracket reads the [ or { at win[i].
func (l *Lexer) openBracket(i int) {
	c := l.call
	if len(c.nest)+c.dots-c.uncounted >= l.syntax.Limits.Depth {
		l.fail(TooDeep, i)
		return
	}
	b := l.win[i]
	c.nest = append(c.nest, bracket{b, l.offset(i)})
	l.h.Begin(b == '{', l.offset(i))
	l.moveTo(i + 1)
	l.state = afterBracket
}

// closeBracket reads the ] or } at win[i].
func (l *Lexer) closeBracket(i int) {
	n := len(l.call.nest) - 1
	b := l.call.nest[n]
	l.call.nest = l.call.nest[:n]
	l.h.End(l.offset(i), l.win[b.at-l.base:i+1])
	if l.envelope != nil {
		l.envelope.endArguments()
	}
	l.moveTo(i + 1)
	l.state = l.afterAny()
}

// afterAny is the state after a value, whose brackets are closed.
func (l *Lexer) afterAny() state {
	switch {
	case len(l.call.nest) > 0:
		return afterElement
	case l.call.isObject:
		return l.syntax.afterObject
	}
	return afterValue
}

// closer returns the byte that closes the innermost bracket.
func (l *Lexer) closer() byte { return l.call.nest[len(l.call.nest)-1].c + 2 }

// readFirst reads, after an opening bracket or a comma, the closing bracket or the start of an
// element or member.
func (l *Lexer) readFirst() {
	i, ok := l.next()
	if !ok {
		return
	}
	c, closer, strict := l.win[i], l.closer(), l.call.strict
	switch {
	case c == closer && !(strict && l.state == afterComma):
		l.closeBracket(i)
	case (c == '"' || lexeme.BeginsLiteral[c]) && l.offer(i, afterElement, beforeElement):
	case closer == ']':
		l.state = beforeElement
		l.readElement()
	case c == '"' || c == '\'' && !strict:
		l.beginString(c, inQuotedKey)
		l.readQuotedKey()
	case strict:
		l.fail(ExpectedKey, i)
	default:
		l.state = inKey
		l.readKey()
	}
}

// readKey reads a bare key.
func (l *Lexer) readKey() {
	i, tag := l.syntax.Tags.ConsumeResumable(l.win, l.scan, l.bound, lexeme.MemberKey)
	l.saw(i)
	switch {
	case tag == lexeme.SomeTag:
		l.hold(i)
	case i == l.bound:
		l.wait(i)
	case i == l.pos:
		l.fail(ExpectedKey, i)
	case l.valid(i):
		l.endKey(key{from: l.offset(l.pos), to: l.offset(i), at: l.offset(l.pos)}, i)
	}
}

// endKey leaves a key, after which comes win[next].
func (l *Lexer) endKey(k key, next int) {
	l.call.key = k
	l.moveTo(next)
	l.state = beforeColon
}

// readQuotedKey reads a quoted key. Unlike a value it is not pushed in pieces.
func (l *Lexer) readQuotedKey() {
	w := l.win[:l.bound]
	i := lexeme.SkipPlainASCII(w, l.scan)
	var seen lexeme.Flags
	if i < len(w) && w[i] != l.call.quote {
		i, seen, _ = lexeme.ConsumeStringResumable(w, i, l.call.quote)
	}
	l.steps += i - l.scan + 1
	if l.call.strict && !l.isJSON(w, l.scan, i, Flags(seen)) {
		return
	}
	l.call.part = l.stringFlags(seen)
	if i == len(w) || w[i] != l.call.quote {
		l.wait(i)
		return
	}
	if !l.valid(i) {
		return
	}
	at := l.offset(l.pos)
	l.call.quote = 0
	l.endKey(key{from: at + 1, to: l.offset(i), at: at, flags: l.call.part}, i+1)
	if l.call.strict {
		l.pushKey()
	}
}

// pushKey pushes the last key.
func (l *Lexer) pushKey() {
	k := &l.call.key
	l.h.Key(l.Source(k.from, k.to), k.flags, k.at)
}

// readColon reads the colon after a key.
func (l *Lexer) readColon() {
	i, ok := l.next()
	switch {
	case !ok:
		return
	case l.win[i] != ':':
		l.fail(ExpectedColon, i)
		return
	case !l.call.strict:
		l.pushKey()
	}
	l.moveTo(i + 1)
	l.state = beforeElement
	l.readElement()
}

// readElement looks at the first byte of a value in brackets.
func (l *Lexer) readElement() {
	i, ok := l.next()
	if !ok {
		return
	}
	switch c := l.win[i]; {
	case c == '"' || c == '\'' && !l.call.strict:
		l.beginString(c, inString)
		l.readString()
	case c == '[' || c == '{':
		l.openBracket(i)
	case l.call.strict:
		l.state = inLiteral
		l.readLiteral()
	default:
		l.state = inElement
		l.readBareElement()
	}
}

// readBareElement reads a bare element: anything up to a comma, a closing bracket, a line end
// or the closing tag, without blanks at its end.
func (l *Lexer) readBareElement() {
	i, ok := l.scanWord(lexeme.Item)
	switch {
	case !ok:
		return
	case i == l.pos:
		l.fail(ExpectedValue, i)
		return
	}
	for l.win[i-1] == ' ' || l.win[i-1] == '\t' {
		i--
	}
	l.pushWord(i)
	l.state = afterElement
}

// readLiteral reads null, true, false or a number, in strict JSON.
func (l *Lexer) readLiteral() {
	w, i := l.win[:l.bound], l.scan
	for i < len(w) && lexeme.IsLiteralByte(w[i]) {
		i++
	}
	l.steps += i - l.scan + 1
	switch {
	case i == len(w) && i > l.pos:
		l.wait(i)
	case lexeme.LiteralOf(w[l.pos:i]) == 0:
		l.fail(ExpectedValue, l.pos)
	default:
		l.pushWord(i)
		l.state = l.afterAny()
	}
}

// readAfterElement reads the comma or the closing bracket after an element or member.
func (l *Lexer) readAfterElement() {
	i, ok := l.next()
	switch {
	case !ok:
	case l.win[i] == ',':
		l.moveTo(i + 1)
		l.state = afterComma
		l.readFirst()
	case l.win[i] == l.closer():
		l.closeBracket(i)
	default:
		l.fail(ExpectedComma, i)
	}
}
