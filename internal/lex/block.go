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

// firstLine reports whether a block begins with the first line after a tag: Yes if that looks
// like the beginning of a mapping, or if the end tag follows, No if not, Partial if more input
// decides. Prose has colons too, so a key in the line of the tag is one word.
func (l *Lexer) firstLine(w []byte) lexeme.Match {
	c, line := l.call, l.call.line-l.base
	if w[line] == '{' || w[line] == '#' || c.ownLine && strings.IndexByte("?-.%", w[line]) >= 0 {
		return lexeme.Yes
	}
	for ; l.scan < min(len(w), line+maxKey); l.scan++ {
		l.steps++
		switch i, b := l.scan, w[l.scan]; {
		case b == '\n' || b == '\r' || b == ' ' && !c.ownLine:
			return lexeme.No
		case b == '<':
			_, m := lexeme.EndTag(w, i, c.tool)
			if m != lexeme.No || !c.ownLine {
				return m
			}
		case b != ':' || i == line:
		case i+1 == len(w):
			return lexeme.Partial
		case lexeme.IsSpace(w[i+1]):
			return lexeme.Yes
		}
	}
	if l.scan == len(w) {
		return lexeme.Partial
	}
	return lexeme.No
}

// readBlock reads on to the end tag, and pushes the block.
func (l *Lexer) readBlock() {
	c, w := l.call, l.win[:l.bound]
	w = w[:len(w)-lexeme.PartialRune(w[l.pos:])]
	bad := lexeme.IllFormed(w[l.pos:])
	if bad >= 0 {
		w = w[:l.pos+bad]
	}
	switch closed, opened := l.findBlockEnd(w); {
	case closed:
		flags := First | Last | Raw
		if c.layout.mode == inRemark {
			flags |= Ambiguous
		}
		l.h.String(l.Source(c.inside, l.offset(l.pos)), flags, c.inside)
		l.state = inEndTag
		l.readEndTag()
	case opened:
		l.fail(NestedCall, l.pos)
	case bad >= 0:
		l.failAt(InvalidUTF8, len(w), l.pos)
	default:
		l.wait(l.pos)
	}
}

// findBlockEnd moves to what ends the block, if that is in w: the end tag, or the opener of a call
// where a key is due.
func (l *Lexer) findBlockEnd(w []byte) (closed, opened bool) {
	c, i := l.call, l.pos
	defer func() { l.steps += i - l.pos + 1; l.moveTo(i) }()
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
		_, m := lexeme.EndTag(w, i, c.tool)
		closed = m == lexeme.Yes
		if m == lexeme.No && c.layout.keyDue() {
			_, m = l.toolOpener(l.syntax.names, w, i)
			opened = m == lexeme.Yes
		}
		if m != lexeme.No {
			return closed, opened
		}
		c.layout = next
	}
	return false, false
}
