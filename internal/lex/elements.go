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

	// IsArgument reports whether the tool may have an argument of that name.
	IsArgument(name []byte) bool
}

// element is an open element.
type element struct {
	from, to int  // offsets of its name
	members  bool // it contains only members
}

// top returns the innermost element.
func (l *Lexer) top() *element { return &l.call.elements[len(l.call.elements)-1] }

// readMembers reads a member, a comment, or the end tag.
func (l *Lexer) readMembers() {
	w := l.win[:l.bound]
	i := lexeme.SkipSpace(w, l.pos)
	l.steps += i - l.pos + 1
	if i > l.pos {
		l.moveTo(i)
	}
	switch rest := w[i:]; {
	case len(rest) == 0:
		l.wait(i)
	case rest[0] != '<':
		l.fail(ExpectedKey, i)
	case len(rest) == 1:
		l.wait(i)
	case rest[1] == '/' && len(l.call.elements) == 1:
		l.h.End(l.offset(i), nil)
		l.state = inEndTag
		l.readEndTag()
	case rest[1] == '/':
		l.readElementEnd(w)
	case rest[1] != '!' || !l.readMarkup(w, commentOpen, inComment):
		l.readTag(w)
	}
}

// readMarkup reads the opener of a comment or CDATA section at win[pos], if it is one or may be.
func (l *Lexer) readMarkup(w []byte, open string, s state) bool {
	m := l.beginMarked(w, open, s)
	if m == lexeme.Partial {
		l.wait(l.pos)
	}
	return m != lexeme.No
}

// readContent reads, in an element that may contain anything, text up to the next tag, and the
// tag.
func (l *Lexer) readContent() {
	w, i := l.win[:l.bound], l.pos
	n := bytes.IndexByte(w[i:], '<')
	switch {
	case n < 0:
		l.steps += len(w) - i + 1
		if l.pushContent(len(w) - lexeme.PartialRune(w[i:])) {
			l.wait(l.pos)
		}
	case n > 0:
		l.steps += n
		l.pushContent(i + n)
	case lexeme.MatchTag(w[i:], "</") == lexeme.Yes:
		l.readElementEnd(w)
	case l.readMarkup(w, cdataOpen, inCDATA) || l.readMarkup(w, commentOpen, inComment):
	case !lexeme.BeginsElement(w[i+1]):
		l.pushContent(i + 1)
	default:
		l.readTag(w)
	}
}

// pushContent pushes the text before win[to]. It returns false if the call has failed.
func (l *Lexer) pushContent(to int) bool {
	if bad := lexeme.IllFormed(l.win[l.pos:to]); bad >= 0 {
		l.failAt(InvalidUTF8, l.pos+bad, l.pos+bad)
		return false
	}
	if l.pos < to {
		l.h.String(l.win[l.pos:to], Raw|Entities, l.offset(l.pos))
		l.moveTo(to)
	}
	return true
}

// readElementEnd reads the end tag of the innermost element at win[pos].
func (l *Lexer) readElementEnd(w []byte) {
	top := l.top()
	switch end, m := lexeme.EndTag(w, l.pos, l.Source(top.from, top.to)); m {
	case lexeme.Partial:
		l.wait(l.pos)
	case lexeme.Yes:
		l.endElement(l.pos, end)
	default:
		l.fail(ExpectedClose, l.pos)
	}
}

// endElement ends the innermost element with the tag win[i:end].
func (l *Lexer) endElement(i, end int) {
	c := l.call
	l.h.End(l.offset(i), nil)
	c.elements = c.elements[:len(c.elements)-1]
	l.moveTo(end)
	l.state = inContent
	if l.top().members {
		l.state = inMembers
	}
}

// readTag reads the tag of an element at win[pos].
func (l *Lexer) readTag(w []byte) {
	c, i := l.call, l.pos
	parent := l.top()
	from := max(i+1, c.looked-l.base)
	name, more := lexeme.TagName(w, from)
	l.steps += name - from + 1
	end, empty := 0, false
	switch {
	case w[i+1] == '!' || w[i+1] == '?' || name == i+1 && !more:
		l.fail(ExpectedKey, i+1)
		return
	case !more:
		if bad := lexeme.IllFormed(w[i+1 : name]); bad >= 0 {
			l.fail(InvalidUTF8, i+1+bad)
			return
		}
		end, empty, more = lexeme.TagEnd(w, name)
	}
	switch {
	case more:
		c.looked = l.offset(name)
		l.wait(i)
	case end == 0 && !parent.members:
		l.pushContent(i + 1)
	case end == 0:
		l.fail(ExpectedEquals, lexeme.SkipSpace(w[:min(len(w), name+lexeme.MaxTagSpace)], name))
	case len(c.elements) == 1 && l.beginsCall(w[i+1:name]):
		l.h.End(l.offset(i), nil)
		l.fail(ExpectedClose, i)
	case !parent.members && len(c.elements) > l.syntax.Limits.Depth+1:
		l.fail(TooDeep, i)
	default:
		l.beginElement(w[i+1:name], end, empty)
	}
}

// beginsCall reports whether an element in that of the tool is the next call. Many tools are named
// like an argument, so it is not if this tool may have that argument.
func (l *Lexer) beginsCall(name []byte) bool {
	isTool, _ := l.syntax.names.find(name)
	return isTool && !l.schema.IsArgument(name)
}

// beginElement begins an element whose tag ends before win[end].
func (l *Lexer) beginElement(name []byte, end int, empty bool) {
	c, parent, from := l.call, l.top(), l.offset(l.pos+1)
	l.h.Key(name, 0, from)
	parent.members = parent.members || l.schema.IsMembers()
	l.h.Begin(true, l.offset(end))
	c.elements = append(c.elements, element{from: from, to: from + len(name)})
	l.moveTo(end)
	switch {
	case empty:
		l.endElement(end, end)
	case l.schema.IsText():
		c.string, c.part = l.offset(end), First|Raw|Entities
		c.inner = append(c.inner[:0], name...)
		l.state = inTaggedText
	default:
		l.state = inContent
	}
}
