package lex

import (
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
)

// fail makes the call malformed at win[at], from where the rest is skipped.
func (l *Lexer) fail(code Code, at int) { l.failFrom(code, at, at) }

// failFrom is fail where skipping starts at win[from], the first byte of the unit that
// contains the fault. Bytes of the same lexeme that are not valid UTF-8 are the earlier fault.
func (l *Lexer) failFrom(code Code, at, from int) {
	limit := code == CallTooLong || code == NameTooLong || code == TooDeep
	if bad := lexeme.IllFormed(l.win[l.pos:at]); bad >= 0 && (l.pos+bad < at || !limit) {
		code, at = InvalidUTF8, l.pos+bad
		from = at
	} else if !limit && lexeme.BeginsNone(l.win[at]) {
		code = InvalidUTF8
	}
	l.failAt(code, at, from)
}

// failAt is failFrom for a fault that is known to be the first one.
func (l *Lexer) failAt(code Code, at, from int) {
	if l.state != inString && l.state != inQuotedKey {
		l.call.quote = 0
	}
	if l.syntax.names != nil {
		l.interrupt()
	}
	l.state = inDamage
	l.h.Fault(code, l.offset(at))
	if l.syntax.foreign {
		l.leave()
	}
	l.at(from)
}

// readDamage skips to the closing tag, or to an opener that begins a call. Both count only
// outside quoted strings.
func (l *Lexer) readDamage() (more bool) {
	if l.syntax.names != nil {
		return l.readToolDamage()
	}
	if l.call.inTagged && !l.skipTaggedText() {
		return false
	}
	w, i := l.win, l.scan
	for i < len(w) {
		l.steps++
		if l.call.quote != 0 {
			end, ok := l.skipQuoted(i)
			if !ok {
				return false
			}
			i = end
			continue
		}
		if l.call.isNear {
			if ends, more := l.endsNear(i); ends {
				return more
			}
		}
		switch k := l.class(i); {
		case k&lexeme.StopsSkip == 0:
		case k&lexeme.BeginsTag == 0:
			if l.quotes(w[i]) && l.opensString(i) {
				l.call.quote = w[i]
			}
		default:
			if ends, more := l.endsDamage(i); ends {
				return more
			}
		}
		i++
	}
	l.at(i)
	return false
}

// skipQuoted skips the rest of a string in damage. It returns ok false if the window ends in
// an escape.
func (l *Lexer) skipQuoted(i int) (end int, ok bool) {
	w := l.win
	end, _, _ = lexeme.SkipPlain(w, i, l.call.quote)
	l.steps += end - i
	switch {
	case end == len(w):
		return end, true
	case w[end] == l.call.quote:
		l.call.quote = 0
		return end + 1, true
	case end+1 == len(w):
		l.at(end)
		return end, false
	}
	return end + 2, true
}

// endsDamage reports whether the damage ends at the first byte of a tag at win[i], or may;
// more is then the result of the state.
func (l *Lexer) endsDamage(i int) (ends, more bool) {
	t := lexeme.NoTag
	if l.syntax.sections != nil {
		_, t = l.sectionAt(i)
	}
	if t == lexeme.NoTag {
		_, t = l.opener(i) // before the closer, which may begin an opener
	}
	switch t {
	case lexeme.OpenTag:
		l.at(i)
		l.endDamage(i, false)
		return true, true
	case lexeme.SomeTag:
		l.at(i)
		return true, false
	}
	return l.closesDamage(i)
}

// closesDamage is endsDamage for the closing tag.
func (l *Lexer) closesDamage(i int) (ends, more bool) {
	tag := l.syntax.tags.Close
	switch lexeme.MatchTag(l.win[i:], tag) {
	case len(tag):
		l.endDamage(i+len(tag), true)
		return true, true
	case len(l.win) - i:
		l.at(i)
		return true, false
	}
	return false, false
}

// beginDamaged begins the malformed call whose near miss is at win[pos].
func (l *Lexer) beginDamaged(near nearMiss) {
	i := l.pos
	l.enter()
	if l.syntax.members != nil {
		l.use(l.syntax.members[0])
	}
	l.openCall()
	l.call.near, l.call.isNear = near.nearEnd, true
	l.failAt(WrongOpener, i, i+near.size)
}

// endsNear reports whether the call of a near miss ends at win[i], or may; more is then the
// result of the state.
func (l *Lexer) endsNear(i int) (ends, more bool) {
	near, w := &l.call.near, l.win[i:]
	if near.tagged && w[0] == '>' {
		near.tagged = false
		if l.byteBefore(i) == '/' {
			l.endDamage(i+1, true)
			return true, true
		}
		return false, false
	}
	if near.closer == "" || lower(w[0]) != near.closer[0] {
		return false, false
	}
	p := peeker{w: w}
	switch {
	case p.folded(near.closer):
		l.endDamage(i+p.i, true)
		return true, true
	case p.short:
		l.at(i)
		return true, false
	}
	return false, false
}

// byteBefore returns the byte before win[i].
func (l *Lexer) byteBefore(i int) byte {
	if i == 0 {
		return l.prev
	}
	return l.win[i-1]
}

// endDamage ends a malformed call before win[end].
func (l *Lexer) endDamage(end int, closed bool) {
	l.h.Damaged(l.offset(end), closed, l.source(end))
	l.beginText(end)
}

// quotes reports whether the format has strings in quotes c, in which tags do not count.
func (l *Lexer) quotes(c byte) bool {
	b := l.syntax.format.Body
	return b == format.Arguments || b == format.Envelope && (c == '"' || l.syntax.repair)
}

// opensString reports whether the quote at win[i] opens a string in damage: it does directly
// after whitespace or punctuation that introduces a value.
func (l *Lexer) opensString(i int) bool {
	c := l.byteBefore(i)
	return lexeme.IsSpace(c) || lexeme.Introduces(c)
}

// end reads the end of the message. Everything before it has been read.
func (l *Lexer) end(aborted bool) {
	for l.state == inToolTag || l.state == inMention {
		if len(l.win) > l.limit() {
			l.openDamaged()
			break
		}
		l.mention()
		l.run()
	}
	n := len(l.win)
	switch {
	case l.state == inReasoning:
		l.endMessageInReasoning()
		return
	case l.state == inText:
		l.pushText(n)
		return
	case l.state >= inDamage:
		l.endOpener()
		if l.state == inText {
			l.pushText(n)
			return
		}
	case l.state == afterFunctionEnd && !aborted:
		l.finish(l.pos, l.pos+len(l.syntax.tags.Close))
		l.run()
		l.end(aborted)
		return
	case l.syntax.allowUnclosed && !aborted && l.isComplete():
		if l.valid(n) {
			l.accept(n)
			return
		}
	default:
		code, at := Unterminated, n
		if limit := l.limit(); limit < n {
			code, at = CallTooLong, limit
		}
		if bad := lexeme.IllFormed(l.win[l.pos:at]); bad >= 0 && l.pos+bad < at {
			code, at = InvalidUTF8, l.pos+bad
		}
		l.failAt(code, at, n)
	}
	l.freeze()
	l.endDamage(n, false)
}

// endOpener reads the rest of the message after what may have become an opener in damage. No
// call begins there, but it may contain a closing tag.
func (l *Lexer) endOpener() {
	if l.syntax.names != nil {
		return // a partial tag contains no other one
	}
	for l.pos < len(l.win) && l.call.quote == 0 && !l.call.inTagged {
		l.state = inDamage
		l.closesDamage(l.pos)
		if l.state == inText {
			return
		}
		l.scan = l.pos + 1
		l.readDamage()
	}
}

// accept ends a call whose body is complete at the end of the message.
func (l *Lexer) accept(n int) {
	switch l.state {
	case inName:
		l.h.Name(l.win[l.pos:n], l.offset(l.pos))
	case beforeValue:
		l.h.Word(l.win[n:n], 0, l.offset(n))
	case inWord:
		l.h.Word(l.win[l.pos:n], Flags(l.call.quotes.Flags()), l.offset(l.pos))
	case inTaggedText:
		l.h.String(l.win[l.pos:l.pos], l.call.part|Last, l.call.string)
		l.call.inTagged = false
		l.h.End(l.offset(n), nil)
	case betweenParameters:
		l.h.End(l.offset(n), nil)
	}
	l.h.Close(l.offset(n), l.offset(n), l.source(n))
	l.beginText(n)
}

// isComplete reports whether the body is complete at the end of the window, which must not end
// inside what may become a tag.
func (l *Lexer) isComplete() bool {
	if l.scan < len(l.win) {
		return false
	}
	switch l.state {
	case inName, inWord:
		return !l.call.high || lexeme.PartialRune(l.win[l.pos:]) == 0
	case betweenArguments, beforeValue, afterValue, afterBody:
		return true
	case betweenParameters, inTaggedText:
		f := l.syntax.format // without a mark after the function, its end is the closing tag
		return f.Function.Close == "" && (l.state != inTaggedText || l.endsText())
	}
	return false
}
