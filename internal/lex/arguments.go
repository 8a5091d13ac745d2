package lex

import "github.com/callwire/callwire/internal/lexeme"

// The body of the wire format: a name, then arguments or one object. Where the bytes of the
// next state are at hand, a method calls that state's method directly, so most arguments take
// one turn of the loop in run.

// readName reads the name of the tool.
func (l *Lexer) readName() {
	if l.scan == l.pos && l.offer(l.pos, afterValue, beforeValue) {
		return
	}
	limit := min(l.bound, l.pos+l.syntax.Limits.Name)
	i, tag := l.syntax.Tags.ConsumeNameResumable(l.win, l.scan, limit)
	l.saw(i)
	switch {
	case i == l.bound:
		l.wait(i)
		return
	case tag == lexeme.SomeTag:
		l.hold(i)
		return
	}
	c := l.win[i]
	switch k := l.classes[c]; {
	case k&lexeme.Space != 0, c == '{', tag == lexeme.CloseTag:
	case k&lexeme.Name != 0, tag == lexeme.NoTag && lexeme.ClassOf(c)&lexeme.Name != 0:
		l.fail(NameTooLong, i)
		return
	default:
		l.fail(BadName, i)
		return
	}
	if l.valid(i) {
		l.h.Name(l.win[l.pos:i], l.offset(l.pos), l.offset(i))
		l.moveTo(i)
		l.state = betweenArguments
		l.readBetweenArguments()
	}
}

// readBetweenArguments reads whitespace and what follows it: the closing tag, a JSON body or
// an argument.
func (l *Lexer) readBetweenArguments() {
	i, ok := l.next()
	if !ok {
		return
	}
	switch k := l.classes[l.win[i]]; {
	case k&lexeme.Key != 0:
		l.call.dots = 0
		if l.offer(i, afterValue, beforeValue) {
			return
		}
	case l.win[i] == '{' && !l.call.hasArguments:
		l.call.isObject, l.call.uncounted = true, 1
		l.openBracket(i)
		return
	case k&lexeme.BeginsTag != 0:
		if l.syntax.Tags.Closer.IsAt(l.win, i) {
			l.closeCall(i, i+len(l.syntax.Tags.Close))
			return
		}
		if l.closingTagAt(i, lexeme.Key) == lexeme.SomeTag {
			l.hold(i)
			return
		}
	}
	l.call.hasArguments = true
	l.state, l.call.dots = inPath, 0
	l.readPath()
}

// minOffer is how many bytes an offer has at least. Tokens inside a call have fewer.
const minOffer = 8

// offer lets the Handler read a name and plain arguments, or elements or members, from win[i] on.
// It reports whether the Handler read any. The next state is after if they end with a value, else
// before; a closing tag after the last argument is read too.
func (l *Lexer) offer(i int, after, before state) bool {
	if !l.syntax.offers || l.bound-i < minOffer {
		return false
	}
	n, ended := l.h.Offer(l.win[i:l.bound], l.offset(i))
	if n == 0 {
		return false
	}
	l.steps += n
	l.moveTo(i + n)
	switch {
	case ended == AfterName:
		l.state = betweenArguments
		return true
	case ended >= 0:
		l.state = before
		l.call.dots += ended
	default:
		l.state = after
	}
	l.call.hasArguments = true
	tags := &l.syntax.Tags
	if l.state == afterValue && tags.Closer.IsAt(l.win, l.pos) { // most calls end here
		l.closeCall(l.pos, l.pos+len(tags.Close))
	}
	return true
}

// readPath reads the path of an argument and its equals sign.
func (l *Lexer) readPath() {
	for i := l.scan; ; i++ {
		l.scan = i
		end, tag := l.syntax.Tags.ConsumeResumable(l.win, i, l.bound, lexeme.Key)
		l.saw(end)
		i = end
		switch {
		case tag == lexeme.SomeTag:
			l.hold(i)
			return
		case i == l.bound:
			l.wait(i)
			return
		case i == l.pos || l.win[i-1] == '.':
			l.fail(ExpectedKey, i)
			return
		case l.win[i] == '=':
			l.endPath(i)
			return
		case l.win[i] != '.':
			l.fail(ExpectedEquals, i)
			return
		case l.call.dots >= l.syntax.Limits.Depth:
			l.fail(TooDeep, i)
			return
		}
		l.call.dots++
	}
}

// endPath pushes the path before the equals sign at win[i].
func (l *Lexer) endPath(i int) {
	if l.valid(i) {
		l.h.Path(l.win[l.pos:i], l.offset(l.pos), l.call.dots)
		l.moveTo(i + 1)
		l.state = beforeValue
		l.readValue()
	}
}

// readValue looks at the first byte after an equals sign.
func (l *Lexer) readValue() {
	i := l.pos
	if i == l.bound {
		l.wait(i)
		return
	}
	switch c := l.win[i]; c {
	case '"', '\'':
		l.beginString(c, inString)
		l.readString()
	case '[', '{':
		l.openBracket(i)
	default:
		l.state = inWord
		l.readWord()
	}
}

// readWord reads a bare word: anything up to whitespace or the closing tag.
func (l *Lexer) readWord() {
	if i, ok := l.scanWord(lexeme.Word); ok {
		l.pushWord(i)
		l.state = betweenArguments
	}
}

// pushWord pushes the bare word before win[to].
func (l *Lexer) pushWord(to int) {
	l.h.Word(l.win[l.pos:to], l.offset(l.pos))
	l.moveTo(to)
}

// scanWord scans a bare word, or a bare element of an array or object. It returns the index
// after it, and false if the state ends here.
func (l *Lexer) scanWord(role lexeme.Class) (i int, ok bool) {
	i, tag := l.syntax.Tags.ConsumeResumable(l.win, l.scan, l.bound, role)
	l.saw(i)
	switch {
	case tag == lexeme.SomeTag:
		l.hold(i)
	case i == l.bound:
		l.wait(i)
	case tag == lexeme.OpenTag:
		l.fail(NestedCall, i)
	default:
		return i, l.valid(i)
	}
	return i, false
}

// readAfterValue looks at the byte after a value, which must be whitespace or begin the
// closing tag.
func (l *Lexer) readAfterValue() {
	i := l.pos
	switch {
	case i == l.bound:
		l.wait(i)
	case l.classes[l.win[i]]&lexeme.Space != 0:
		l.moveTo(i + 1)
		l.state = betweenArguments
	default:
		l.readClose(i, ExpectedSpace)
	}
}

// readAfterBody reads what follows a JSON body or tagged parameters: whitespace and the
// closing tag.
func (l *Lexer) readAfterBody() {
	if i, ok := l.skipSpace(); ok {
		l.readClose(i, ExpectedClose)
	}
}

// readClose reads the closing tag at win[i]. Anything else is a fault with that code.
func (l *Lexer) readClose(i int, code Code) {
	switch {
	case l.syntax.Tags.Closer.IsAt(l.win, i):
		l.closeCall(i, i+len(l.syntax.Tags.Close))
	case l.classes[l.win[i]]&lexeme.BeginsTag != 0 && l.closingTagAt(i, 0) == lexeme.SomeTag:
		l.hold(i)
	default:
		l.fail(code, i)
	}
}
