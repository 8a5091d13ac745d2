package lex

import (
	"bytes"

	"github.com/callwire/callwire/internal/lexeme"
)

// XML elements, in one named after the tool:
//
//	members = { [ws] ( element | comment ) } [ws]
//	element = "<" KEY [ws] ( "/>" | ">" content "</" KEY [ws] ">" )
//	content = TEXT | { text | element | comment | section }
//
// Only the [Schema] knows what an element can contain. If that is just a string, everything up
// to the first end tag that another tag follows is text. If it is an object or a list for
// certain, text between its members is a fault. Otherwise a < that begins no tag is text.

// Schema answers what an element can contain. A Handler for a format with Elements is one.
type Schema interface {
	// IsText reports whether the element that began last contains a string, even if that
	// looks like something else.
	IsText() bool

	// IsMembers reports whether the element that contains the last Key contains only members.
	IsMembers() bool
}

// element is an open element.
type element struct {
	from, to int  // offsets of its name
	members  bool // it contains only members
}

// In a CDATA section tags and entities mean nothing. A comment is skipped.
const (
	cdataOpen, cdataClose     = "<![CDATA[", "]]>"
	commentOpen, commentClose = "<!--", "-->"
)

// top returns the name of the innermost element.
func (l *Lexer) top() []byte {
	e := &l.call.elements[len(l.call.elements)-1]
	return l.slice(e.from, e.to)
}

// unfinished reports that win[pos:] may be the beginning of something. If the call has reached
// its byte limit, it fails.
func (l *Lexer) unfinished() (more bool) {
	if l.bound < len(l.win) {
		l.failFrom(CallTooLong, l.bound, l.pos)
		return true
	}
	l.scan = len(l.win)
	return false
}

// readMembers reads a member, a comment, or the end tag.
func (l *Lexer) readMembers() (more bool) {
	w := l.win[:l.bound]
	i := lexeme.SkipSpace(w, l.pos)
	l.steps += i - l.pos + 1
	if i > l.pos {
		l.at(i)
	}
	switch rest := w[i:]; {
	case len(rest) == 0:
		return l.unfinished()
	case rest[0] != '<':
		l.fail(ExpectedKey, i)
		return true
	case len(rest) == 1:
		return l.unfinished()
	case rest[1] == '/' && len(l.call.elements) == 1:
		l.h.End(l.offset(i), nil)
		l.state = inEndTag
		return l.readEndTag()
	case rest[1] == '/':
		return l.readElementEnd(w)
	case lexeme.BeginsElement(rest[1]) && l.offer(i, inMembers, inMembers):
		l.call.lookahead = 0
		return true
	case rest[1] == '!':
		if t := l.beginMarked(w, commentOpen, inComment); t != lexeme.NoTag {
			return t == lexeme.OpenTag || l.unfinished()
		}
	}
	return l.readTag(w)
}

// readContent reads, in an element that may contain anything, text up to the next tag, and the
// tag.
func (l *Lexer) readContent() (more bool) {
	w, i := l.win[:l.bound], l.pos
	n := bytes.IndexByte(w[i:], '<')
	switch {
	case n < 0:
		l.steps += len(w) - i + 1
		l.pushContent(len(w) - lexeme.PartialRune(w[i:]))
		return l.state == inDamage || l.unfinished()
	case n > 0:
		l.steps += n
		l.pushContent(i + n)
		return true
	case lexeme.MatchTag(w[i:], "</") == len("</"):
		return l.readElementEnd(w)
	}
	for _, s := range [...]struct {
		open  string
		state state
	}{{cdataOpen, inCDATA}, {commentOpen, inComment}} {
		if t := l.beginMarked(w, s.open, s.state); t != lexeme.NoTag {
			return t == lexeme.OpenTag || l.unfinished()
		}
	}
	if !lexeme.BeginsElement(w[i+1]) {
		l.pushContent(i + 1)
		return true
	}
	return l.readTag(w)
}

// pushContent pushes the text before win[to].
func (l *Lexer) pushContent(to int) {
	if bad := lexeme.IllFormed(l.win[l.pos:to]); bad >= 0 {
		l.failAt(InvalidUTF8, l.pos+bad, l.pos+bad)
	} else if l.pos < to {
		l.h.String(l.win[l.pos:to], Raw|Entities, l.offset(l.pos))
		l.at(to)
	}
}

// readElementEnd reads the end tag of the innermost element at win[pos].
func (l *Lexer) readElementEnd(w []byte) (more bool) {
	switch end, more := lexeme.EndTag(w, l.pos, l.top()); {
	case more:
		return l.unfinished()
	case end == 0:
		l.fail(ExpectedClose, l.pos)
	default:
		l.endElement(l.pos, end)
	}
	return true
}

// endElement ends the innermost element with the tag win[i:end].
func (l *Lexer) endElement(i, end int) {
	c := l.call
	l.h.End(l.offset(i), nil)
	c.elements = c.elements[:len(c.elements)-1]
	l.at(end)
	l.state = inContent
	if c.elements[len(c.elements)-1].members {
		l.state = inMembers
	}
}

// readTag reads the tag of an element at win[pos].
func (l *Lexer) readTag(w []byte) (more bool) {
	c, i := l.call, l.pos
	parent := &c.elements[len(c.elements)-1]
	name, more := lexeme.TagName(w, i+1+c.lookahead)
	l.steps += name - i - c.lookahead
	c.lookahead = 0
	switch {
	case w[i+1] == '!' || w[i+1] == '?' || name == i+1 && !more:
		l.fail(ExpectedKey, i+1)
		return true
	case more:
		c.lookahead = name - i - 1
		return l.unfinished()
	}
	if bad := lexeme.IllFormed(w[i+1 : name]); bad >= 0 {
		l.fail(InvalidUTF8, i+1+bad)
		return true
	}
	end, empty, more := lexeme.TagEnd(w, name)
	switch {
	case more:
		c.lookahead = name - i - 1
		return l.unfinished()
	case end == 0 && !parent.members:
		l.pushContent(i + 1)
		return true
	case end == 0:
		l.fail(ExpectedEquals, lexeme.SkipSpace(w[:min(len(w), name+lexeme.MaxTagSpace)], name))
		return true
	case !parent.members && len(c.elements) > l.syntax.limits.Depth+1:
		l.fail(TooDeep, i)
		return true
	}
	l.h.Key(w[i+1:name], 0, l.offset(i+1))
	parent.members = parent.members || l.schema.IsMembers()
	l.h.Begin(true, l.offset(end))
	c.elements = append(c.elements, element{from: l.offset(i + 1), to: l.offset(name)})
	l.at(end)
	switch {
	case empty:
		l.endElement(end, end)
	case l.schema.IsText():
		c.string, c.part = l.offset(end), First|Raw|Entities
		l.state = inElementText
	default:
		l.state = inContent
	}
	return true
}

// readElementText reads on in text up to the end tag that another tag follows.
func (l *Lexer) readElementText() (more bool) {
	w, c := l.win[:l.bound], l.call
	to, end := l.scanElementText(w, l.top())
	if !l.validText(to) {
		return true
	}
	if end > 0 {
		l.h.String(w[l.pos:to], c.part|Last, c.string)
		l.endElement(to, end)
		return true
	}
	if to > l.pos {
		l.pushPiece(to, c.part)
	}
	t := l.beginMarked(w, cdataOpen, inCDATA)
	return t == lexeme.OpenTag || l.unfinished()
}

// scanElementText returns the index up to which the text at w[pos], in an element of that name,
// is certain. If the text ends there, end is the index after its end tag, otherwise it is 0.
func (l *Lexer) scanElementText(w, name []byte) (to, end int) {
	c := l.call
	for i := l.pos; ; i++ {
		n := bytes.IndexByte(w[i:], '<')
		if n < 0 {
			l.steps += len(w) - i + 1
			to = len(w) - lexeme.PartialRune(w[i:])
			return to - lexeme.PartialEntity(w[l.pos:to]), 0
		}
		l.steps += n + 1
		i += n
		end, more := lexeme.EndTag(w, i, name)
		if more {
			return i, 0
		}
		if end > 0 {
			from := max(end, i+c.lookahead)
			j := lexeme.SkipSpace(w, from)
			l.steps += j - from + 1
			c.lookahead = 0
			switch {
			case j == len(w) || w[j] == '<' && j+1 == len(w):
				c.lookahead = j - i
				return i, 0
			case lexeme.IsTag(w[j:]):
				return i, end
			}
			c.part |= Tagged
		}
		if lexeme.MatchTag(w[i:], cdataOpen) > 0 {
			return i, 0
		}
	}
}

// beginMarked begins a comment or CDATA section if its opener is at win[pos]. It returns OpenTag if
// so, or SomeTag if more input decides.
func (l *Lexer) beginMarked(w []byte, open string, s state) lexeme.Tag {
	t := matchMark(w, l.pos, open)
	if t == lexeme.OpenTag {
		l.call.back, l.state = l.state, s
		l.at(l.pos + len(open))
	}
	return t
}

// scanMarked returns the index up to which w[i:] is certainly inside the section, and the
// index after the section, or 0 if w ends before that.
func scanMarked(w []byte, i int, s state) (to, end int) {
	closer := cdataClose
	if s == inComment {
		closer = commentClose
	}
	if n := bytes.Index(w[i:], []byte(closer)); n >= 0 {
		return i + n, i + n + len(closer)
	}
	to = max(i, len(w)-len(closer)+1)
	return to - lexeme.PartialRune(w[i:to]), 0
}

// readMarked reads on in a comment or CDATA section.
func (l *Lexer) readMarked() (more bool) {
	c, w := l.call, l.win[:l.bound]
	to, end := scanMarked(w, l.pos, l.state)
	l.steps += to - l.pos + 1
	good, bad := to, lexeme.IllFormed(w[l.pos:to])
	if bad >= 0 {
		to = l.pos + bad
		good = to - lexeme.PartialRune(w[l.pos:to])
	}
	if l.state == inCDATA && good > l.pos {
		part, at := Raw, l.offset(l.pos)
		if c.back == inElementText {
			part, at = c.part&^Entities, c.string
			c.part &^= First
		}
		l.h.String(w[l.pos:good], part, at)
	}
	switch {
	case bad >= 0:
		l.failAt(InvalidUTF8, to, to)
		return true
	case end == 0:
		l.at(to)
		return l.unfinished()
	}
	l.at(end)
	l.state = c.back
	return true
}

// skipInterrupted skips damage up to the end of the text, section or block that contains the
// fault. It returns false if that is not in the window.
func (l *Lexer) skipInterrupted() bool {
	for c := l.call; c.interrupted != inText; {
		switch c.interrupted {
		case inBlock:
			if l.findBlockEnd(l.win) == lexeme.NoTag {
				return false
			}
			c.interrupted = inText
		case inElementText:
			to, end := l.scanElementText(l.win, c.inner)
			l.at(to)
			switch {
			case end > 0:
				c.interrupted = inText
			case lexeme.MatchTag(l.win[to:], cdataOpen) == len(cdataOpen):
				l.at(to + len(cdataOpen))
				c.interrupted, c.back = inCDATA, inElementText
			default:
				return false
			}
		default:
			to, end := scanMarked(l.win, l.pos, c.interrupted)
			l.at(max(to, end))
			if end == 0 {
				return false
			}
			c.interrupted = inText
			if c.back == inElementText {
				c.interrupted = inElementText
			}
		}
	}
	return true
}
