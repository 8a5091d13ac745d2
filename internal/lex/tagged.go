package lex

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/callwire/callwire/internal/lexeme"
)

// Text between tags, of a parameter or of an element, has no quotes. It ends at the first closer
// that structure follows. After a parameter that is whitespace, then the opener of a parameter or
// the closer of the function; after an element it is whitespace, then any tag.

// readTaggedText reads a text, in pieces if the window ends.
func (l *Lexer) readTaggedText() {
	w, c := l.win[:l.bound], l.call
	isFirst := l.offset(l.pos) == c.string && l.pos < l.bound
	if isFirst && w[l.pos] == '\n' && l.syntax.lines {
		l.moveTo(l.pos + 1)
	}
	waits := c.lost > 0 // for an end that may be lost
	to, end := l.scanText(w)
	switch {
	case !l.validPiece(to):
		return
	case end > 0:
		l.h.String(w[l.pos:to], c.part|Last, c.string)
		if l.syntax.names != nil {
			l.endElement(to, end)
			return
		}
		l.moveTo(end)
		l.state = betweenParameters
		return
	case to > l.pos && !waits:
		l.pushPiece(to, c.part)
	}
	if c.lost > 0 && !waits { // from now on it waits: the next turn looks for the end, from here
		return
	}
	if l.syntax.names == nil || l.beginMarked(w, cdataOpen, inCDATA) != lexeme.Yes {
		l.wait(to)
	}
}

// scanText returns the index up to which the text at w[pos] is certain. If the text ends there,
// end is the index after its closer, otherwise it is 0.
func (l *Lexer) scanText(w []byte) (to, end int) {
	c := l.call
	if slices.Contains(l.unclosed, l.syntax) {
		l.suspect(l.pos)
		return l.pos, 0
	}
	for i := l.scan; ; i++ {
		n := l.nextMark(w[i:])
		if n < 0 {
			l.steps += len(w) - i + 1
			return l.certain(w, i), 0
		}
		l.steps += n + 1
		i += n
		end, m := l.textCloser(w, i)
		if m == lexeme.No {
			m = l.innerMark(w, i)
		} else if m == lexeme.Yes {
			from := max(end, c.looked-l.base)
			j := lexeme.SkipSpace(w, from)
			l.steps += j - from + 1
			switch m = l.afterText(w, j); m {
			case lexeme.Yes:
				return l.beforeNewline(i), end
			case lexeme.Partial:
				c.looked = l.offset(j)
			case lexeme.No:
				m = l.suspect(i)
				if m == lexeme.No {
					c.part |= Ambiguous
				}
			}
		}
		if m == lexeme.Partial {
			return l.beforeNewline(i), 0
		}
	}
}

// nextMark returns the index of the first byte in w with which a mark in a text may begin, or -1.
func (l *Lexer) nextMark(w []byte) int {
	m := &l.syntax.format.Parameter
	switch {
	case l.syntax.names != nil:
		return bytes.IndexByte(w, '<')
	case m.Open[0] == m.Close[0]:
		return bytes.IndexByte(w, m.Close[0])
	}
	for i, c := range w {
		if c == m.Open[0] || c == m.Close[0] {
			return i
		}
	}
	return -1
}

// textCloser looks for the closer of the text at w[i], and returns the index after it.
func (l *Lexer) textCloser(w []byte, i int) (end int, m lexeme.Match) {
	if l.syntax.names == nil {
		return i + len(l.syntax.close.Text), l.syntax.close.Match(w[i:])
	}
	return lexeme.EndTag(w, i, l.call.inner)
}

// innerMark looks at a mark at w[i] that does not end the text. A parameter in a parameter is text,
// but worth a note. A CDATA section is not text.
func (l *Lexer) innerMark(w []byte, i int) lexeme.Match {
	if l.syntax.names != nil {
		if lexeme.MatchTag(w[i:], cdataOpen) != lexeme.No {
			return lexeme.Partial
		}
		return lexeme.No
	}
	m := lexeme.MatchTag(w[i:], l.syntax.open.Text)
	switch {
	case m == lexeme.Yes:
		l.call.part |= Ambiguous
	case m == lexeme.No && l.syntax.Repair:
		m = l.syntax.last.Match(w[i:])
		if m == lexeme.Yes {
			m = l.suspect(i)
		}
	}
	return m
}

// afterText returns Yes if what is at w[i], after whitespace, shows that the text has ended,
// and Partial if more input decides.
func (l *Lexer) afterText(w []byte, i int) lexeme.Match {
	switch {
	case l.syntax.names == nil:
		return l.structureAt(w, i)
	case i == len(w) || w[i] == '<' && i+1 == len(w):
		return lexeme.Partial
	case lexeme.IsTag(w[i:]):
		return lexeme.Yes
	}
	return lexeme.No
}

// certain returns the index up to which w is certainly text, if no mark begins after w[i].
func (l *Lexer) certain(w []byte, i int) int {
	to := len(w) - lexeme.PartialRune(w[i:])
	switch {
	case l.syntax.names != nil:
		to -= lexeme.PartialEntity(w[l.pos:to])
	case to == len(w):
		to = l.beforeNewline(to)
	}
	return to
}

// beforeNewline returns i, or the index before a newline that ends there and belongs to the closer.
func (l *Lexer) beforeNewline(i int) int {
	if l.syntax.lines && i > l.pos && l.win[i-1] == '\n' {
		i--
	}
	return i
}

// endsText reports whether the text ends before win[scan], and only whitespace follows its closer.
func (l *Lexer) endsText() bool {
	rest, found := bytes.CutPrefix(l.win[l.scan:], []byte(l.syntax.close.Text))
	return found && lexeme.SkipSpace(rest, 0) == len(rest)
}

// A model forgets the closer of the last parameter, or of the function. With repairs, a text whose
// end does not come before that of the message therefore ends at the first of these:
//
//	( Parameter.Close | Function.Close ) [ws] Call.Close
//	Call.Close                                            without a Function.Close
//
// From the first closer on that may begin one of these, the text waits for its end.

// suspect notes that the text may end at win[i], and returns Partial if that is new.
func (l *Lexer) suspect(i int) lexeme.Match {
	if !l.syntax.Repair || l.state != inTaggedText || l.syntax.names != nil || l.call.lost > 0 {
		return lexeme.No
	}
	l.call.lost = l.offset(l.beforeNewline(i))
	return lexeme.Partial
}

// endLost ends the call, at the end of the message, if the text that is being read lacks its end.
// It reports whether the call has ended. What follows was part of the text, so it is in doubt.
func (l *Lexer) endLost() bool {
	c := l.call
	if l.state != inTaggedText || c.lost == 0 {
		return false
	}
	to, at, end := l.findLost(c.lost - l.base)
	if end == 0 || lexeme.IllFormed(l.win[l.pos:to]) >= 0 || !l.mayLack(l.win[c.string-l.base:to]) {
		return false
	}
	l.h.String(l.win[l.pos:to], c.part&^Ambiguous|Last, c.string)
	l.h.End(l.offset(to), nil)
	l.h.Fault(Unterminated, l.offset(at))
	if !slices.Contains(c.unclosed, l.syntax) {
		c.unclosed = append(c.unclosed, l.syntax)
	}
	l.endDamage(end, true)
	l.h.Doubt()
	return true
}

// mayLack reports whether only one closer is missing after text: it contains no mark, and does not
// end in what may be the closer in another spelling.
func (l *Lexer) mayLack(text []byte) bool {
	f := l.syntax.format
	for _, mark := range [...]string{f.Call.Open, f.Parameter.Open, f.Parameter.Close} {
		if bytes.Contains(text, []byte(mark)) {
			return false
		}
	}
	text = bytes.TrimRight(text, lexeme.Whitespace)
	tail := text[max(0, len(text)-len(f.Parameter.Close)-2):]
	return !bytes.HasSuffix(tail, []byte(">")) && !bytes.Contains(tail, []byte("</"))
}

// findLost looks for such an end from win[i] on. It returns the index after the text, that of the
// first closer, and the one after the call, which is 0 if there is no such end.
func (l *Lexer) findLost(i int) (to, at, end int) {
	f, quote := l.syntax.format, regexp.QuoteMeta
	pattern := "(" + quote(f.Call.Close) + ")"
	if f.Function.Close != "" {
		closers := quote(f.Parameter.Close) + "|" + quote(f.End())
		pattern = "((?:" + closers + ")[" + lexeme.Whitespace + "]*" + quote(f.Call.Close) + ")"
	}
	if l.syntax.lines {
		pattern = "\n?" + pattern
	}
	found := regexp.MustCompile(pattern).FindSubmatchIndex(l.win[i:])
	if found == nil {
		return 0, 0, 0
	}
	l.steps += found[1]
	return i + found[0], i + found[2], i + found[1]
}

// In a CDATA section tags and entities mean nothing. A comment is skipped.
const (
	cdataOpen, cdataClose     = "<![CDATA[", "]]>"
	commentOpen, commentClose = "<!--", "-->"
)

// beginMarked begins a comment or CDATA section if its opener is at win[pos]. It returns Yes if
// so, or Partial if more input decides.
func (l *Lexer) beginMarked(w []byte, open string, s state) lexeme.Match {
	m := lexeme.MatchTag(w[l.pos:], open)
	if m == lexeme.Yes {
		l.call.back, l.state = l.state, s
		l.moveTo(l.pos + len(open))
	}
	return m
}

// scanMarked returns the index up to which w[pos:] is certainly inside the section, and the
// index after the section, or 0 if w ends before that.
func (l *Lexer) scanMarked(w []byte, s state) (to, end int) {
	closer := cdataClose
	if s == inComment {
		closer = commentClose
	}
	if n := bytes.Index(w[l.pos:], []byte(closer)); n >= 0 {
		return l.pos + n, l.pos + n + len(closer)
	}
	to = max(l.pos, len(w)-len(closer)+1)
	return to - lexeme.PartialRune(w[l.pos:to]), 0
}

// readMarked reads on in a comment or CDATA section.
func (l *Lexer) readMarked() {
	c, w := l.call, l.win[:l.bound]
	to, end := l.scanMarked(w, l.state)
	l.steps += to - l.pos + 1
	good, bad := to, lexeme.IllFormed(w[l.pos:to])
	if bad >= 0 {
		to = l.pos + bad
		good = to - lexeme.PartialRune(w[l.pos:to])
	}
	if l.state == inCDATA && good > l.pos {
		part, at := Raw, l.offset(l.pos)
		if c.back == inTaggedText {
			part, at = c.part&^Entities, c.string
			c.part &^= First
		}
		l.h.String(w[l.pos:good], part, at)
	}
	switch {
	case bad >= 0:
		l.failAt(InvalidUTF8, to, to)
	case end == 0:
		l.moveTo(to)
		l.wait(to)
	default:
		l.moveTo(end)
		l.state = c.back
	}
}

// skipInterrupted skips damage up to the end of the text, section or block that contains the
// fault. It returns false if that is not in the window.
func (l *Lexer) skipInterrupted() bool {
	w, c := l.win, l.call
	for c.interrupted != inText {
		switch c.interrupted {
		case inBlock:
			closed, opened := l.findBlockEnd(w)
			if !closed && !opened {
				return false
			}
			c.interrupted = inText
		case inTaggedText:
			to, end := l.scanText(w)
			l.moveTo(to)
			if end > 0 {
				c.interrupted = inText
				break
			}
			if l.syntax.names == nil || lexeme.MatchTag(w[to:], cdataOpen) != lexeme.Yes {
				return false
			}
			l.moveTo(to + len(cdataOpen))
			c.interrupted, c.back = inCDATA, inTaggedText
		default:
			to, end := l.scanMarked(w, c.interrupted)
			l.moveTo(max(to, end))
			if end == 0 {
				return false
			}
			c.interrupted = inText
			if c.back == inTaggedText {
				c.interrupted = inTaggedText
			}
		}
	}
	return true
}
