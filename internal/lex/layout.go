package lex

import "github.com/callwire/callwire/internal/lexeme"

// layout follows YAML byte by byte, just closely enough to know where a tag is text: in a quoted
// scalar, and in a block scalar, which contains all lines that are indented deeper than its key. It
// does not check that the text is valid YAML, and it never looks ahead.
type layout struct {
	mode   layoutMode
	recent uint32 // the last bytes, the last one lowest
	column int    // of the next byte, in bytes
	indent int    // of the innermost key or dash, -1 before the first
	flow   int    // open brackets
	block  bool   // a block scalar is open
	plain  bool   // an unquoted scalar, which a more indented line continues
	quote  byte   // of the last scalar
	token  int    // column of the current scalar, -1 if it cannot be a key
	length int    // bytes of it; -1 after a backslash in quotes
}

// layoutMode is what the next byte belongs to.
type layoutMode uint8

const (
	inIndent    layoutMode = iota
	atNode                 // a node may begin
	inPlain                // an unquoted scalar, or an indicator
	inQuotes               // a quoted scalar
	afterNode              // what follows one
	inProperty             // a tag or an anchor
	inHeader               // the rest of the line after | or >
	inBlockLine            // a line of a block scalar
	inRemark
)

func newLayout() layout { return layout{indent: -1} }

// inScalar reports whether the last byte was text of a scalar, even if it looks like a tag.
func (l *layout) inScalar() bool { return l.mode == inQuotes || l.mode == inBlockLine }

// keyDue reports whether the next byte begins a key, unless it is a space or a quote.
func (l layout) keyDue() bool {
	if l.mode != inIndent || l.flow > 0 {
		return false
	}
	l.step('x')
	return l.mode == inPlain && l.token >= 0
}

// step reads the next byte.
func (l *layout) step(c byte) {
	before := byte(l.recent)
	l.recent = l.recent<<8 | uint32(c)
	l.column++
	if c == '\n' || c == '\r' {
		l.endLine(before)
		return
	}
	switch l.mode {
	case inIndent:
		if c != ' ' {
			l.beginLine(c)
		}
	case atNode:
		l.beginNode(c)
	case inPlain, afterNode:
		l.text(c, before)
	case inQuotes:
		switch {
		case l.length < 0: // after a backslash
			l.length = 0
		case c == '\\' && l.quote == '"':
			l.length = -1
		case c == l.quote:
			l.mode = afterNode
		}
	case inProperty:
		if lexeme.IsSpace(c) {
			l.mode = atNode
		} else if l.flow > 0 {
			l.bracket(c)
		}
	}
}

// endLine reads a line end.
func (l *layout) endLine(before byte) {
	switch l.mode {
	case inQuotes:
		l.length = 0
		return
	case inPlain, afterNode:
		isPlain := l.mode == inPlain
		l.plain = !l.indicator(before) && isPlain
	case inIndent: // an empty line
	default:
		l.block = l.block || l.mode == inHeader
		l.plain = false
	}
	l.mode, l.column = inIndent, 0
}

// beginLine reads the first byte of a line that is not a space.
func (l *layout) beginLine(c byte) {
	column := l.column - 1
	if l.block && column > max(l.indent, 0) {
		l.mode = inBlockLine
		return
	}
	l.block = false
	continues := l.plain && (column > l.indent || l.flow > 0)
	l.plain = false
	if !continues || c == '#' {
		l.mode = atNode
		l.beginNode(c)
		return
	}
	l.mode, l.token, l.length = inPlain, -1, 0
	l.text(c, ' ')
}

// beginNode reads a byte that may begin a node.
func (l *layout) beginNode(c byte) {
	switch c {
	case ' ', '\t':
	case '"', '\'':
		l.mode, l.quote, l.token, l.length = inQuotes, c, l.column-1, 0
	case '#':
		l.mode = inRemark
	case '!', '&':
		l.mode = inProperty
	default:
		switch {
		case l.flow == 0 && (c == '|' || c == '>'):
			l.mode = inHeader
		case !l.bracket(c):
			l.mode, l.token, l.length = inPlain, l.column-1, 0
			l.text(c, ' ')
		}
	}
}

// bracket reads c if it is a bracket, or a comma between brackets.
func (l *layout) bracket(c byte) bool {
	switch {
	case c == '[' || c == '{':
		if l.flow == 0 {
			l.token = l.column - 1
		}
		l.flow++
		l.mode = atNode
	case l.flow == 0:
		return false
	case c == ',':
		l.mode = atNode
	case c == ']' || c == '}':
		l.flow--
		l.mode, l.quote, l.length = afterNode, 0, 0
	default:
		return false
	}
	return true
}

// text reads a byte of an unquoted scalar, or after a node.
func (l *layout) text(c, before byte) {
	isAfter := l.mode == afterNode
	switch {
	case isAfter && c == '\'' && before == c && l.quote == c: // two of them are one
		l.mode = inQuotes
	case lexeme.IsSpace(c):
		l.indicator(before)
	case c == '#' && lexeme.IsSpace(before):
		l.mode = inRemark
	case isAfter && l.flow > 0 && c == ':':
		l.mode = atNode
	case (isAfter || l.flow > 0) && l.bracket(c):
	case !isAfter:
		l.length++
	}
}

// indicator reads whitespace after a word or node. It reports whether that was an indicator or a
// key, so that a node may follow.
func (l *layout) indicator(before byte) bool {
	isItem := l.length == 1 && (before == '-' || before == '?')
	switch {
	case isItem || before == ':':
		if l.flow == 0 && l.token >= 0 {
			l.indent = l.token
		}
	case l.length == 3 && l.token == 0 && l.recent>>8&0xffffff == '-'<<16|'-'<<8|'-':
		l.indent = -1
	default:
		return false
	}
	l.mode = atNode
	return true
}
