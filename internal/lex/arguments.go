package lex

import "github.com/callwire/callwire/internal/lexeme"

// The body of the wire format: a name, then arguments or one object. Where the bytes of the
// next state are at hand, a method calls that state's method directly, so most arguments take
// one turn of the loop in run.

// readName reads the name of the tool.
func (l *Lexer) readName() (more bool) {
	limit := min(l.bound, l.pos+l.syntax.limits.Name)
	i, tag, seen := l.syntax.tags.ConsumeNameResumable(l.win, l.scan, limit)
	l.steps += i - l.scan + 1
	l.call.high = l.call.high || seen >= 0x80
	switch {
	case i == l.bound:
		return l.wait(i)
	case tag == lexeme.SomeTag:
		return l.hold(i)
	}
	c := l.win[i]
	switch k := l.classes[c]; {
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
	l.h.Name(l.win[l.pos:i], l.offset(l.pos))
	l.at(i)
	l.state = betweenArguments
	return l.readBetweenArguments()
}

// readBetweenArguments reads whitespace and what follows it: the closing tag, a JSON body or
// an argument.
func (l *Lexer) readBetweenArguments() (more bool) {
	i, ok, more := l.next()
	if !ok {
		return more
	}
	switch k := l.class(i); {
	case k&lexeme.Key != 0:
		l.call.hasArguments, l.call.dots = true, 0
		if l.offer(i, afterValue, beforeValue) {
			if l.state == afterValue {
				return l.readAfterValue()
			}
			return l.readValue()
		}
	case l.win[i] == '{' && !l.call.hasArguments:
		l.call.isObject, l.call.uncounted = true, 1
		l.open(i)
		return true
	case k&lexeme.BeginsTag != 0:
		if l.syntax.ClosesAt(l.win, i) {
			return l.close(i, i+len(l.syntax.tags.Close))
		}
		if l.closingTagAt(i, lexeme.Key) == lexeme.SomeTag {
			return l.hold(i)
		}
	}
	l.call.hasArguments = true
	l.state, l.call.dots = inPath, 0
	return l.readPath()
}

// minOffer is how many bytes an offer has at least. Tokens inside a call have fewer.
const minOffer = 8

// offer lets the Handler read plain arguments, elements or members from win[i] on, and reports
// whether it read any. The next state is after if they end with a value, else before.
func (l *Lexer) offer(i int, after, before state) bool {
	if !l.syntax.offers || l.bound-i < minOffer {
		return false
	}
	n, dots := l.h.Offer(l.win[i:l.bound], l.offset(i))
	if n == 0 {
		return false
	}
	l.steps += n
	l.at(i + n)
	l.state = after
	if dots >= 0 {
		l.state = before
		l.call.dots += dots
	}
	return true
}

// readPath reads the path of an argument and its equals sign.
func (l *Lexer) readPath() (more bool) {
	w, i := l.win[:l.bound], l.scan
	classes := l.classes
	for {
		from, seen := i, byte(0)
		for i < len(w) && classes[w[i]]&lexeme.Key != 0 {
			seen |= w[i]
			i++
		}
		l.steps += i - from + 1
		l.call.high = l.call.high || seen >= 0x80
		if i == len(w) {
			return l.wait(i)
		}
		c := w[i]
		if classes[c]&lexeme.BeginsTag != 0 && lexeme.ClassOf(c)&lexeme.Key != 0 {
			switch l.tagAt(i) { // a tag that begins with a key byte
			case lexeme.SomeTag:
				return l.hold(i)
			case lexeme.NoTag:
				i++
				continue
			}
		}
		switch {
		case i == l.pos || w[i-1] == '.':
			l.fail(ExpectedKey, i)
		case c == '=':
			return l.endPath(i)
		case c != '.':
			l.fail(ExpectedEquals, i)
		case l.call.dots >= l.syntax.limits.Depth:
			l.fail(TooDeep, i)
		default:
			l.call.dots++
			i++
			continue
		}
		return true
	}
}

// endPath pushes the path before the equals sign at win[i].
func (l *Lexer) endPath(i int) (more bool) {
	if !l.valid(i) {
		return true
	}
	l.h.Path(l.win[l.pos:i], l.offset(l.pos), l.call.dots)
	l.at(i + 1)
	l.state = beforeValue
	if i+1 == len(l.win) {
		return false
	}
	return l.readValue()
}

// readValue looks at the first byte after an equals sign.
func (l *Lexer) readValue() (more bool) {
	i := l.pos
	if i == l.bound {
		return l.wait(i)
	}
	switch c := l.win[i]; c {
	case '"', '\'':
		l.beginString(c, inString)
		return l.readString()
	case '[', '{':
		l.open(i)
		return true
	}
	l.state = inWord
	l.call.quotes = lexeme.Quotes{}
	return l.readWord()
}

// readWord reads a bare word: anything up to whitespace or the closing tag.
func (l *Lexer) readWord() (more bool) {
	i, ok, more := l.scanWord(lexeme.EndsWord)
	if !ok {
		return more
	}
	l.h.Word(l.win[l.pos:i], Flags(l.call.quotes.Flags()), l.offset(l.pos))
	l.at(i)
	l.state = betweenArguments
	return true
}

// scanWord scans a bare word, or a bare element of an array or object. It returns the index
// after it, or ok false; more is then the result of the state.
func (l *Lexer) scanWord(stop lexeme.Class) (i int, ok, more bool) {
	tags, quotes := &l.syntax.tags, &l.call.quotes
	i, tag, seen := tags.ConsumeWordResumable(l.win, l.pos, l.scan, l.bound, stop, quotes)
	l.steps += i - l.scan + 1
	l.call.high = l.call.high || seen >= 0x80
	switch {
	case tag == lexeme.SomeTag:
		return i, false, l.hold(i)
	case i == l.bound:
		return i, false, l.wait(i)
	case tag == lexeme.OpenTag:
		l.fail(NestedCall, i)
		return i, false, true
	}
	return i, l.valid(i), true
}

// readAfterValue looks at the byte after a value, which must be whitespace or begin the
// closing tag.
func (l *Lexer) readAfterValue() (more bool) {
	i := l.pos
	if i == l.bound {
		return l.wait(i)
	}
	k := l.class(i)
	if k&lexeme.Space != 0 {
		l.at(i + 1)
		l.state = betweenArguments
		return true
	}
	return l.readClose(i, ExpectedSpace)
}

// readAfterBody reads what follows a JSON body or tagged parameters: whitespace and the
// closing tag.
func (l *Lexer) readAfterBody() (more bool) {
	i, ok, more := l.skipSpace()
	if !ok {
		return more
	}
	return l.readClose(i, ExpectedClose)
}

// readClose reads the closing tag at win[i]. Anything else is a fault with that code.
func (l *Lexer) readClose(i int, code Code) (more bool) {
	if l.syntax.ClosesAt(l.win, i) {
		return l.close(i, i+len(l.syntax.tags.Close))
	}
	if l.class(i)&lexeme.BeginsTag != 0 && l.closingTagAt(i, 0) == lexeme.SomeTag {
		return l.hold(i)
	}
	l.fail(code, i)
	return true
}
