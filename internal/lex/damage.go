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
	c := l.call
	switch l.state {
	case inString, inQuotedKey:
	case inTaggedText, inCDATA, inComment, inBlock:
		c.interrupted = l.state
	default:
		c.quote = 0
	}
	l.state = inDamage
	l.h.Fault(code, l.offset(at))
	if l.syntax.foreign {
		c.isNear = true
		if l.home.format.Body == format.Arguments { // whose damage ends as in a call of its own
			l.use(l.home)
			c.interrupted = inText
		}
	}
	l.moveTo(from)
}

// skipDamage skips to the closing tag, or to an opener that begins a call. Both count only
// outside quoted strings, and outside the text or block that contains the fault. Last reports that
// no more input follows, so that no part of a tag counts.
func (l *Lexer) skipDamage(last bool) {
	c := l.call
	switch {
	case c.interrupted != inText && !l.skipInterrupted():
		l.starved = true
		return
	case l.syntax.names != nil:
		l.readToolDamage()
		return
	}
	w := l.win
	for i := l.scan; i < len(w); i++ {
		l.steps++
		k := l.classes[l.win[i]]
		switch {
		case c.quote != 0:
			i = l.skipQuoted(i)
			continue
		case k&lexeme.StopsSkip == 0 && !c.isNear:
			continue
		}
		switch end, m := l.endAt(i, last); {
		case m == lexeme.Yes:
			l.endDamage(end, end > i)
			return
		case m == lexeme.Partial:
			l.moveTo(i)
			l.starved = true
			return
		case k&lexeme.StopsSkip != 0 && k&lexeme.BeginsTag == 0 && l.opensString(i):
			c.quote = w[i]
		}
	}
	if !l.starved {
		l.moveTo(len(w))
		l.starved = true
	}
}

// skipQuoted skips the rest of a string in damage, and returns the index of its last byte. If the
// window ends in an escape, it ends the state.
func (l *Lexer) skipQuoted(i int) int {
	w := l.win
	end, _, _ := lexeme.SkipPlain(w, i, l.call.quote)
	l.steps += end - i
	switch {
	case end == len(w):
	case w[end] == l.call.quote:
		l.call.quote = 0
	case end+1 == len(w):
		l.moveTo(end)
		l.starved = true
	default:
		end++
	}
	return end
}

// endAt looks for what ends the damage at win[i], and returns the index where that is: after a
// closing tag, which a near miss has in any case, or i if something else begins there. If this is
// the last input, nothing is partial.
func (l *Lexer) endAt(i int, last bool) (end int, m lexeme.Match) {
	if near := &l.call.near; l.call.isNear {
		p := peeker{w: l.win, i: i}
		isEmpty := near.inTag && l.win[i] == '>' && l.byteBefore(i) == '/'
		near.inTag = near.inTag && l.win[i] != '>'
		switch {
		case isEmpty:
			return i + 1, lexeme.Yes
		case near.closer != "" && p.folded(near.closer):
			return p.i, lexeme.Yes
		case p.short && !last:
			return i, lexeme.Partial
		}
	}
	if l.classes[l.win[i]]&lexeme.BeginsTag == 0 {
		return i, lexeme.No
	}
	var other found
	m = l.sectionAt(i, &other)
	if m == lexeme.No {
		m = l.opener(l.syntax, i, &other) // before the closer, which may begin an opener
	}
	if m == lexeme.Yes || m == lexeme.Partial && !last {
		return i, m
	}
	tag := l.syntax.Tags.Close
	m = lexeme.MatchTag(l.win[i:], tag)
	switch {
	case m == lexeme.Yes:
		return i + len(tag), lexeme.Yes
	case last:
		return i, lexeme.No
	}
	return i, m
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

// opensString reports whether the quote at win[i] opens a string in damage, in which tags do not
// count, if the format has such strings: it does directly after whitespace or punctuation that
// introduces a value.
func (l *Lexer) opensString(i int) bool {
	b, before := l.syntax.format.Body, l.byteBefore(i)
	if b != format.Arguments && (b != format.Envelope || l.win[i] != '"' && !l.syntax.Repair) {
		return false
	}
	return lexeme.IsSpace(before) || lexeme.Introduces(before)
}
