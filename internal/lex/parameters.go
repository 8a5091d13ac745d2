package lex

import (
	"bytes"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
)

// Bodies in which marks enclose the function and its parameters:
//
//	body      = Function.Open NAME Function.End { [ws] parameter } [ws] Function.Close
//	parameter = Parameter.Open KEY Parameter.End [ws] Parameter.Value TEXT Parameter.Close
//
// A text has no quotes and no escapes. It ends at the first closer that structure follows:
// whitespace, then the opener of a parameter or the closer of the function. In an envelope, one
// JSON object takes the place of the parameters.

// beginFunction begins a body at win[j], with the mark before its name.
func (l *Lexer) beginFunction(j int) {
	l.call.hasArguments = true
	l.at(j + len(l.syntax.format.Function.Open))
	l.state = inFunction
	if l.pos > l.bound {
		l.failAt(CallTooLong, l.bound, l.bound)
	}
}

// scanTagWord scans a name or key, which end begins or a byte that no word contains.
func (l *Lexer) scanTagWord(w []byte, end string) (i int) {
	stop := byte('>')
	if end != "" {
		stop = end[0]
	}
	i, seen := l.scan, byte(0)
	for _, c := range w[i:] {
		if c == stop || lexeme.EndsTagWord(c) {
			break
		}
		seen |= c
		i++
	}
	l.call.high = l.call.high || seen >= 0x80
	l.steps += i - l.scan + 1
	return i
}

// readFunction reads the name of the tool.
func (l *Lexer) readFunction() (more bool) {
	w, mark := l.win[:l.bound], &l.syntax.format.Function
	i := l.scanTagWord(w, mark.End)
	limit := l.pos + l.syntax.limits.Name
	switch {
	case i > limit:
		l.fail(NameTooLong, limit)
	case i == len(w):
		return l.wait(i)
	case i == l.pos:
		l.fail(ExpectedName, i)
	case !l.valid(i):
	case mark.End != "":
		l.call.key = key{from: l.offset(l.pos), to: l.offset(i)}
		l.at(i)
		l.state = afterFunction
	case w[i] != '<' && !lexeme.IsSpace(w[i]):
		l.fail(BadName, i)
	default:
		l.h.Name(w[l.pos:i], l.offset(l.pos))
		l.at(i)
		l.state = betweenParameters
	}
	return true
}

// readAfterFunction reads the mark after the name. Whitespace may precede it if the name
// follows the opener.
func (l *Lexer) readAfterFunction() (more bool) {
	f := l.syntax.format
	if f.Function.Open == "" {
		if _, ok, more := l.skipSpace(); !ok {
			return more
		}
	}
	i, ok, more := l.readMark(f.Function.End, BadName)
	if !ok {
		return more
	}
	if !l.pushFunction() {
		return true
	}
	l.at(i)
	l.state = betweenParameters
	if f.Body == format.Envelope {
		l.call.isObject, l.call.strict, l.call.uncounted = true, true, 1
		l.state = beforeElement
	}
	return true
}

// pushFunction pushes the name before the mark, and the ID if the name is one:
// functions.NAME:INDEX. It returns false if the call has failed.
func (l *Lexer) pushFunction() bool {
	k := l.call.key
	name := l.win[k.from-l.base : k.to-l.base]
	at := k.from
	if l.syntax.format.NameIsID {
		id := name
		name = bytes.TrimPrefix(name, []byte("functions."))
		at += len(id) - len(name)
		n := len(bytes.TrimRight(name, "0123456789"))
		if n > 0 && n < len(name) && name[n-1] == ':' {
			name = name[:n-1]
			l.h.ID(id)
		}
		if len(name) == 0 {
			l.failAt(ExpectedName, at-l.base, l.pos)
			return false
		}
	}
	l.h.Name(name, at)
	return true
}

// readMark reads a mark at win[pos]. It returns the index after it, and ok false if the call has
// failed or the mark is cut; more is then the result of the state. Anything else is a fault with
// that code.
func (l *Lexer) readMark(mark string, code Code) (i int, ok, more bool) {
	l.steps++
	switch matchMark(l.win[:l.bound], l.pos, mark) {
	case lexeme.OpenTag:
		return l.pos + len(mark), true, false
	case lexeme.SomeTag:
		if l.bound == len(l.win) {
			return 0, false, l.hold(l.pos)
		}
		l.failFrom(CallTooLong, l.bound, l.pos)
	default:
		l.fail(code, l.pos)
	}
	return 0, false, true
}

// readParameter reads the key of a parameter.
func (l *Lexer) readParameter() (more bool) {
	w := l.win[:l.bound]
	i := l.scanTagWord(w, l.syntax.format.Parameter.End)
	switch {
	case i == len(w):
		return l.wait(i)
	case i == l.pos:
		l.fail(ExpectedKey, i)
	case l.valid(i):
		l.call.key = key{from: l.offset(l.pos), to: l.offset(i)}
		l.at(i)
		l.state = afterKey
		return l.readAfterKey()
	}
	return true
}

// readAfterKey reads the mark after a key.
func (l *Lexer) readAfterKey() (more bool) {
	mark := &l.syntax.format.Parameter
	i, ok, more := l.readMark(mark.End, ExpectedKey)
	if !ok {
		return more
	}
	k := l.call.key
	l.h.Key(l.win[k.from-l.base:k.to-l.base], 0, k.from)
	l.at(i)
	if mark.Value != "" {
		l.state = beforeValueMark
		return true
	}
	l.state = beforeText
	return l.readBeforeText()
}

// readValueMark reads whitespace and the mark before a value.
func (l *Lexer) readValueMark() (more bool) {
	if _, ok, more := l.skipSpace(); !ok {
		return more
	}
	i, ok, more := l.readMark(l.syntax.format.Parameter.Value, ExpectedValue)
	if !ok {
		return more
	}
	l.at(i)
	l.state = beforeText
	return true
}

// readBetweenParameters reads whitespace, then the opener of a parameter or the end of the
// body.
func (l *Lexer) readBetweenParameters() (more bool) {
	i, ok, more := l.next()
	if !ok {
		return more
	}
	w, f := l.win[:l.bound], l.syntax.format
	if l.syntax.open.Begins(w[i:]) {
		l.at(i + len(f.Parameter.Open))
		l.state = inParameter
		return l.readParameter()
	}
	switch l.structureAt(w, i) {
	case lexeme.OpenTag:
		l.h.End(l.offset(i), nil)
		if f.Function.Close == "" {
			return l.close(i, i+len(l.syntax.tags.Close))
		}
		l.at(i + len(f.Function.Close))
		l.state = afterBody
	case lexeme.SomeTag:
		if l.bound == len(l.win) {
			return l.hold(i)
		}
		l.failFrom(CallTooLong, l.bound, i)
	default:
		l.fail(ExpectedKey, i)
	}
	return true
}

// structureAt looks for the opener of a parameter or the end of the function at w[i].
func (l *Lexer) structureAt(w []byte, i int) lexeme.Tag {
	open := matchPhrase(w, i, &l.syntax.open)
	if open == lexeme.OpenTag {
		return open
	}
	if last := matchPhrase(w, i, &l.syntax.last); last != lexeme.NoTag {
		return last
	}
	return open
}

// readBeforeText reads the line end before a text, if the text is on lines of its own.
func (l *Lexer) readBeforeText() (more bool) {
	i := l.pos
	if i == l.bound {
		return l.wait(i)
	}
	c := l.call
	c.string, c.part = l.offset(i), First|Raw
	c.inTagged, c.lookahead = true, 0
	if l.win[i] == '\n' && l.syntax.format.Lines {
		i++
	}
	l.at(i)
	l.state = inTaggedText
	return l.readTaggedText()
}

// readTaggedText reads a text, in pieces if the window ends.
func (l *Lexer) readTaggedText() (more bool) {
	w := l.win[:l.bound]
	end, after := l.scanText(w)
	to := end
	if after >= 0 && l.pos < to && w[to-1] == '\n' && l.syntax.format.Lines {
		to--
	}
	if !l.validText(to) {
		return true
	}
	if after >= 0 {
		l.h.String(w[l.pos:to], l.call.part|Last, l.call.string)
		l.call.inTagged = false
		l.at(after)
		l.state = betweenParameters
		return true
	}
	if to > l.pos {
		l.pushPiece(to, l.call.part)
	}
	l.scan = len(w)
	if l.bound < len(l.win) {
		l.failFrom(CallTooLong, l.bound, end)
		return true
	}
	return false
}

// scanText returns the index up to which the text at w[pos] is certain. If the text ends
// there, after is the index after its closer, otherwise it is -1.
func (l *Lexer) scanText(w []byte) (end, after int) {
	param := &l.syntax.format.Parameter
	for i := l.pos; ; i++ {
		n := nextMark(w[i:], param)
		if n < 0 {
			l.steps += len(w) - i + 1
			return l.beforeNewline(w, len(w)-lexeme.PartialRune(w[i:]), len(w)), -1
		}
		l.steps += n + 1
		i += n
		switch matchPhrase(w, i, &l.syntax.close) {
		case lexeme.OpenTag:
			after = i + len(param.Close)
			j := lexeme.SkipSpace(w, after+l.call.lookahead)
			l.steps += j - after - l.call.lookahead + 1
			l.call.lookahead = 0
			switch l.structureAt(w, j) {
			case lexeme.OpenTag:
				return i, after
			case lexeme.SomeTag:
				l.call.lookahead = j - after
				return l.beforeNewline(w, i, i), -1
			}
			l.call.part |= Tagged
			continue
		case lexeme.SomeTag:
			return l.beforeNewline(w, i, i), -1
		}
		switch matchMark(w, i, param.Open) {
		case lexeme.OpenTag:
			l.call.part |= Tagged
		case lexeme.SomeTag:
			return l.beforeNewline(w, i, i), -1
		}
	}
}

// nextMark returns the index of the first byte in w with which a mark around a text may begin,
// or -1.
func nextMark(w []byte, m *format.Marks) int {
	if m.Open[0] == m.Close[0] {
		return bytes.IndexByte(w, m.Close[0])
	}
	for i, c := range w {
		if c == m.Open[0] || c == m.Close[0] {
			return i
		}
	}
	return -1
}

// beforeNewline returns i, or the index before a newline that ends at w[i] and may belong to
// the closer. Only a newline directly before limit can.
func (l *Lexer) beforeNewline(w []byte, i, limit int) int {
	if i == limit && i > l.pos && w[i-1] == '\n' && l.syntax.format.Lines {
		i--
	}
	return i
}

// endsText reports whether the text ends before win[pos], and only whitespace follows its closer.
func (l *Lexer) endsText() bool {
	rest, found := bytes.CutPrefix(l.win[l.pos:], []byte(l.syntax.format.Parameter.Close))
	return found && lexeme.SkipSpace(rest, 0) == len(rest)
}

// skipTaggedText skips damage up to the end of the text that contains the fault. It returns
// false if the text does not end in the window.
func (l *Lexer) skipTaggedText() bool {
	end, after := l.scanText(l.win)
	l.at(end)
	if after < 0 {
		l.scan = len(l.win)
		return false
	}
	l.call.inTagged = false
	return true
}
