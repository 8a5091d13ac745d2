package lex

import "github.com/callwire/callwire/internal/lexeme"

// endMessage reads the end of the message, except that reasoning stays open. Everything before it
// has been read.
func (l *Lexer) endMessage(aborted bool) {
	accepts := l.syntax.AllowUnclosed && !aborted
	for {
		if l.state == inToolTag || l.state == inMention {
			l.mention(len(l.win), true)
		} else if aborted || accepts && l.isComplete() || !l.endLost() {
			break
		}
		l.run()
	}
	n := len(l.win)
	switch {
	case l.state.isText():
	case l.state == inDamage:
		l.starved = false
		l.skipDamage(true)
	case l.state == afterFunctionEnd && !aborted:
		l.finish(l.pos, l.pos+len(l.syntax.last.Text))
		l.run()
		l.endMessage(aborted)
		return
	case accepts && l.isComplete():
		if l.valid(n) {
			l.accept(n)
		}
	default:
		code, at := Unterminated, n
		if limit := l.limit(); limit < n {
			code, at = CallTooLong, limit
		}
		if bad := lexeme.IllFormed(l.win[l.pos:at]); bad >= 0 && l.pos+bad < at {
			code, at = InvalidUTF8, l.pos+bad
		}
		if l.syntax.Repair && l.isComplete() {
			l.endParameters(n)
		}
		l.failAt(code, at, n)
	}
	if l.state.isText() {
		l.pushText(n)
		return
	}
	l.freeze()
	l.endDamage(n, false)
}

// readFunctionEnd reads the closing tag of a call that has no opener, which may be missing too. The
// end of the function is at win[pos].
func (l *Lexer) readFunctionEnd() {
	end, tag := l.pos+len(l.syntax.last.Text), l.syntax.Tags.Close
	from := max(l.scan, end)
	j := lexeme.SkipSpace(l.win, from)
	l.steps += j - from + 1
	if j <= l.limit() {
		switch lexeme.MatchTag(l.win[j:], tag) {
		case lexeme.Yes:
			end = j + len(tag)
		case lexeme.Partial:
			l.hold(j)
			return
		}
	}
	l.finish(l.pos, end)
}

// accept ends a call whose body is complete at the end of the message.
func (l *Lexer) accept(n int) {
	switch l.state {
	case inName:
		l.h.Name(l.win[l.pos:n], l.offset(l.pos), l.offset(n))
	case beforeValue:
		l.h.Word(l.win[n:n], l.offset(n))
	case inWord:
		l.pushWord(n)
	}
	l.endParameters(n)
	l.finish(n, n)
}

// endParameters ends the arguments between marks, which are complete, at the end of the message.
func (l *Lexer) endParameters(n int) {
	if l.state == inTaggedText {
		l.h.String(l.win[l.pos:l.scan], l.call.part|Last, l.call.string)
	}
	if l.state == inTaggedText || l.state == betweenParameters {
		l.h.End(l.offset(n), nil)
	}
}

// isComplete reports whether the body is complete at the end of the window, which must not end
// inside what may become a tag.
func (l *Lexer) isComplete() bool {
	isScanned := l.scan == len(l.win)
	isLast := l.syntax.format.Function.Close == "" // then it ends with the closing tag
	switch l.state {
	case inName, inWord:
		return isScanned && lexeme.PartialRune(l.win[l.pos:]) == 0
	case betweenArguments, beforeValue, afterValue, afterBody:
		return isScanned
	case betweenParameters:
		return isScanned && isLast
	case inTaggedText:
		return isLast && l.syntax.names == nil && l.endsText()
	}
	return false
}
