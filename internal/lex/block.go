package lex

import (
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
)

// A block of YAML, or of what is laid out like it, in an element named after the tool. The block
// is pushed as one String once its end tag is read. An end tag in a quoted scalar or in a block
// scalar is text; layout.go follows the block closely enough to know.

// maxKey is how many bytes the first line of a block may have before a colon. YAML allows keys of
// 1024 characters.
const maxKey = 4 << 10

// firstLine reports whether a block begins with the first line after a tag: OpenTag if that looks
// like the beginning of a mapping, or if the end tag follows, NoTag if not, SomeTag if more input
// decides. Prose has colons too, so a key in the line of the tag is one word.
func (l *Lexer) firstLine(w []byte) lexeme.Tag {
	c, line := l.call, l.call.line-l.base
	if w[line] == '{' || w[line] == '#' || c.ownLine && strings.IndexByte("?-.%", w[line]) >= 0 {
		return lexeme.OpenTag
	}
	for ; l.scan < min(len(w), line+maxKey); l.scan++ {
		l.steps++
		switch i, b := l.scan, w[l.scan]; {
		case b == '\n' || b == '\r' || b == ' ' && !c.ownLine:
			return lexeme.NoTag
		case b == '<':
			_, t := lexeme.EndTag(w, i, c.tool)
			switch {
			case t == lexeme.CloseTag:
				return lexeme.OpenTag
			case t == lexeme.SomeTag || !c.ownLine:
				return t
			}
		case b != ':' || i == line:
		case i+1 == len(w):
			return lexeme.SomeTag
		case lexeme.IsSpace(w[i+1]):
			return lexeme.OpenTag
		}
	}
	if l.scan == len(w) {
		return lexeme.SomeTag
	}
	return lexeme.NoTag
}

// readBlock reads on to the end tag, and pushes the block.
func (l *Lexer) readBlock() {
	c, w := l.call, l.win[:l.bound]
	w = w[:len(w)-lexeme.PartialRune(w[l.pos:])]
	bad := lexeme.IllFormed(w[l.pos:])
	if bad >= 0 {
		w = w[:l.pos+bad]
	}
	switch t := l.findBlockEnd(w); {
	case t == lexeme.CloseTag:
		flags := First | Last | Raw
		if c.layout.mode == inRemark {
			flags |= Tagged
		}
		l.h.String(l.Source(c.inside, l.offset(l.pos)), flags, c.inside)
		l.state = inEndTag
		l.readEndTag()
	case t == lexeme.OpenTag:
		l.fail(NestedCall, l.pos)
	case bad >= 0:
		l.failAt(InvalidUTF8, len(w), l.pos)
	default:
		l.wait(l.pos)
	}
}

// findBlockEnd moves to the end tag, and returns CloseTag, or to the opener of a call where a key
// is due, and returns OpenTag. It returns NoTag if neither is in w.
func (l *Lexer) findBlockEnd(w []byte) lexeme.Tag {
	c, i := l.call, l.pos
	defer func() { l.steps += i - l.pos + 1; l.at(i) }()
	for ; i < len(w); i++ {
		if w[i] != '<' {
			c.layout.step(w[i])
			continue
		}
		next := c.layout
		next.step('<')
		if next.inScalar() {
			c.layout = next
			continue
		}
		_, t := lexeme.EndTag(w, i, c.tool)
		if t == lexeme.NoTag && c.layout.keyDue() {
			_, t = l.toolOpener(l.syntax.names, w, i)
		}
		switch t {
		case lexeme.CloseTag, lexeme.OpenTag:
			return t
		case lexeme.SomeTag:
			return lexeme.NoTag
		}
		c.layout = next
	}
	return lexeme.NoTag
}
