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
// In an envelope, one JSON object takes the place of the parameters. Whitespace at the beginning of
// Function.Close is optional.

// scanTagWord scans a name or key, up to the mark end or a byte that no word contains, and returns
// the index after it. ok is false if the window ends or the call fails; an empty word fails with
// the code empty. Limit counts the bytes of the name in an ID.
func (l *Lexer) scanTagWord(end string, limit int, empty Code) (i int, ok bool) {
	w, stop := l.win[:l.bound], byte('>')
	if end != "" {
		stop = end[0]
	}
	for i = l.scan; i < len(w) && w[i] != stop && !lexeme.EndsTagWord(w[i]); {
		i++
	}
	l.saw(i)
	from, to := l.nameIn(w[l.pos:i], i == len(w))
	switch {
	case to-from > limit:
		l.fail(NameTooLong, l.pos+from+limit)
	case i == len(w):
		l.wait(i)
	case i == l.pos:
		l.fail(empty, i)
	default:
		return i, l.valid(i)
	}
	return i, false
}

// readFunction reads the name of the tool, and the mark after it. Whitespace may precede the mark
// if the name follows the opener, unless the mark itself begins with whitespace.
func (l *Lexer) readFunction() {
	c, f := l.call, l.syntax.format
	end, ok := l.scanTagWord(f.Function.End, l.syntax.Limits.Name, ExpectedName)
	if !ok {
		return
	}
	i := end
	switch w := l.win[:l.bound]; {
	case f.Function.End == "":
		if w[i] != '<' && !lexeme.IsSpace(w[i]) {
			l.fail(BadName, i)
			return
		}
	case f.Function.Open == "" && !lexeme.IsSpace(f.Function.End[0]):
		from := max(end, c.looked-l.base)
		i = lexeme.SkipSpace(w, from)
		l.steps += i - from + 1
		c.looked = l.offset(i)
		if i == len(w) {
			l.wait(end)
			return
		}
	}
	next, ok := l.readMark(i, f.Function.End, BadName)
	if l.starved {
		l.scan = end // what comes after the name is looked at again
	}
	if !ok || !l.pushFunction(end) {
		return
	}
	l.moveTo(next)
	l.state = betweenParameters
	if f.Body == format.Envelope {
		c.isObject, c.strict, c.uncounted = true, true, 1
		l.state = beforeElement
	}
}

// An ID is functions.NAME:INDEX. More digits would be looked at again with each chunk.
const (
	idPrefix = "functions."
	maxIndex = 20
)

// nameIn returns the span of the name in a word, which may be an ID. If the word is cut, more of it
// may not belong to the name.
func (l *Lexer) nameIn(word []byte, cut bool) (from, to int) {
	n := len(word)
	switch {
	case !l.syntax.format.NameIsID:
		return 0, n
	case bytes.HasPrefix(word, []byte(idPrefix)):
		from = len(idPrefix)
	case cut && lexeme.MatchTag(word, idPrefix) != lexeme.No:
		return n, n
	}
	for n > from && len(word)-n < maxIndex && '0' <= word[n-1] && word[n-1] <= '9' {
		n--
	}
	if n > from && word[n-1] == ':' && (cut || n < len(word)) {
		return from, n - 1
	}
	return from, len(word)
}

// pushFunction pushes the name before win[end], and the ID if the name is part of one. It returns
// false if the call has failed.
func (l *Lexer) pushFunction(end int) bool {
	word := l.win[l.pos:end]
	from, to := l.nameIn(word, false)
	if from == to {
		l.failAt(ExpectedName, l.pos+from, end)
		return false
	}
	if to < len(word) {
		l.h.ID(word, l.offset(l.pos), l.offset(end))
	}
	l.h.Name(word[from:to], l.offset(l.pos+from), l.offset(l.pos+to))
	return true
}

// readMark reads a mark at win[i]. It returns the index after it, and false if the state ends
// here. Anything else is a fault with that code.
func (l *Lexer) readMark(i int, mark string, code Code) (end int, ok bool) {
	l.steps++
	switch lexeme.MatchTag(l.win[i:l.bound], mark) {
	case lexeme.Yes:
		return i + len(mark), true
	case lexeme.Partial:
		l.wait(i)
	default:
		l.fail(code, i)
	}
	return 0, false
}

// readParameter reads the key of a parameter, and the mark after it.
func (l *Lexer) readParameter() {
	mark := &l.syntax.format.Parameter
	end, ok := l.scanTagWord(mark.End, l.bound, ExpectedKey)
	if !ok {
		return
	}
	i, ok := l.readMark(end, mark.End, ExpectedKey)
	if !ok {
		return
	}
	l.h.Key(l.win[l.pos:end], 0, l.offset(l.pos))
	if mark.Value == "" {
		l.beginValue(i)
		return
	}
	l.moveTo(i)
	l.state = beforeValueMark
}

// readValueMark reads whitespace and the mark before a value.
func (l *Lexer) readValueMark() {
	if _, ok := l.skipSpace(); !ok {
		return
	}
	if i, ok := l.readMark(l.pos, l.syntax.format.Parameter.Value, ExpectedValue); ok {
		l.beginValue(i)
	}
}

// readBetweenParameters reads whitespace, then the opener of a parameter or the end of the
// body.
func (l *Lexer) readBetweenParameters() {
	i, ok := l.next()
	if !ok {
		return
	}
	w, f := l.win[:l.bound], l.syntax.format
	if l.syntax.open.Begins(w[i:]) {
		l.moveTo(i + len(f.Parameter.Open))
		l.state = inParameter
		l.readParameter()
		return
	}
	switch l.structureAt(w, i) {
	case lexeme.Yes:
		l.h.End(l.offset(i), nil)
		end := i + len(l.syntax.last.Text)
		switch {
		case f.Function.Close == "":
			l.readClose(i, ExpectedClose)
		case l.call.isBare:
			l.closeCall(i, end)
		default:
			l.moveTo(end)
			l.state = afterBody
		}
	case lexeme.Partial:
		l.wait(i)
	default:
		l.fail(ExpectedKey, i)
	}
}

// readFunctionMark reads the mark after an object that is the arguments of a function.
func (l *Lexer) readFunctionMark() {
	if _, ok := l.skipSpace(); !ok {
		return
	}
	if i, ok := l.readMark(l.pos, l.syntax.last.Text, ExpectedClose); ok {
		l.moveTo(i)
		l.state = afterBody
	}
}

// structureAt looks for the opener of a parameter or the end of the function at w[i]. Arguments
// that no tag of a function ends also end before the next call.
func (l *Lexer) structureAt(w []byte, i int) lexeme.Match {
	open := l.syntax.open.Match(w[i:])
	if open == lexeme.Yes {
		return open
	}
	last := l.syntax.last.Match(w[i:])
	if f := l.syntax.format; last == lexeme.No && f.Function.Close == "" {
		last = lexeme.MatchTag(w[i:], f.Call.Open)
	}
	if last == lexeme.No {
		return open
	}
	return last
}

// beginValue begins the text of a parameter at win[i].
func (l *Lexer) beginValue(i int) {
	l.moveTo(i)
	l.call.string, l.call.part, l.call.lost = l.offset(i), First|Raw, 0
	l.state = inTaggedText
}
