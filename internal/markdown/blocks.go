package markdown

import (
	"bytes"
	"strings"
)

// blanks are whitespace inside a line.
const blanks = " \t\r"

// inQuote is the container that continues with a > instead of whitespace.
const inQuote = 0

// margin reads the head of a line.
type margin struct {
	head   []byte
	isLine bool // the line ends with its head
	i      int  // index of the next byte
	column int
	indent int // columns of whitespace since the last marker; -1 after a > without any
}

// skip skips a marker of n bytes, and the whitespace after it.
func (m *margin) skip(n int) {
	m.i += n
	m.column += n
	for ; m.i < len(m.head); m.i++ {
		width := 1
		switch m.head[m.i] {
		case '\t':
			width = 4 - m.column%4
		case ' ', '\r':
		default:
			return
		}
		m.column += width
		m.indent += width
	}
}

// next returns the next byte, or 0 at the end.
func (m *margin) next() byte {
	if m.i == len(m.head) {
		return 0
	}
	return m.head[m.i]
}

// isBlank reports whether the line ends here.
func (m *margin) isBlank() bool { return m.isLine && m.i == len(m.head) }

// endsWith reports whether the rest of the line is whitespace from the n-th next byte on.
func (m *margin) endsWith(n int) bool {
	return m.isLine && len(bytes.Trim(m.head[m.i+n:], blanks)) == 0
}

// isApart reports whether whitespace or the end of the line follows the next n bytes.
func (m *margin) isApart(n int) bool {
	rest := m.head[m.i+n:]
	return m.endsWith(n) || len(rest) > 0 && strings.IndexByte(blanks, rest[0]) >= 0
}

// isRule reports whether a thematic break comes next.
func (m *margin) isRule() bool {
	mark, rest := m.next(), m.head[m.i:]
	if !m.isLine || m.indent > 3 || strings.IndexByte("-*_", mark) < 0 {
		return false
	}
	isOther := func(c rune) bool { return c != rune(mark) && !strings.ContainsRune(blanks, c) }
	return bytes.Count(rest, []byte{mark}) >= 3 && bytes.IndexFunc(rest, isOther) < 0
}

// run returns how many times the next byte is repeated.
func (m *margin) run() int {
	rest := m.head[m.i:]
	n := 0
	for n < len(rest) && rest[n] == rest[0] {
		n++
	}
	return n
}

// quote reads the marker of a block quote, if it comes next.
func (m *margin) quote() bool {
	if m.next() != '>' || m.indent > 3 {
		return false
	}
	m.indent = -1
	m.skip(1)
	m.indent = max(m.indent, 0)
	return true
}

// continues reads what continues a container, if it comes next.
func (m *margin) continues(container int) bool {
	switch {
	case container == inQuote:
		return m.quote()
	case m.isBlank():
		return true
	case m.indent < container:
		return false
	}
	m.indent -= container
	return true
}

// begin reads the head of a line: the markers of containers, and what begins a block. IsLine
// reports that the line ends with it.
func (c *Code) begin(isLine bool) {
	m := margin{head: c.head, isLine: isLine}
	m.skip(0)
	c.place, c.head, c.matched = inText, c.head[:0], 0
	for c.matched < c.depth && m.continues(int(c.containers[c.matched])) {
		c.matched++
	}
	switch {
	case m.isBlank():
		if c.emptyItem && c.matched == c.depth {
			c.matched--
		}
		if c.fence.depth > c.matched {
			c.fence = fence{}
		}
		c.close()
		return
	case c.fence.size == 0:
	case c.matched == c.fence.depth:
		n := m.run()
		isCloser := m.next() == c.fence.mark && n >= int(c.fence.size) && m.indent <= 3
		if isCloser && m.endsWith(n) {
			c.fence = fence{}
		}
		return
	default:
		c.fence, c.paragraph = fence{}, false
	}
	for c.container(&m) {
	}
	c.wraps = !c.started && c.depth == 0
	c.started = true
	c.block(&m)
	c.rest(m.head[m.i:])
}

// container opens a container if its marker comes next.
func (c *Code) container(m *margin) bool {
	switch {
	case c.matched == maxDepth || m.isRule():
		return false
	case m.quote():
		c.push(inQuote)
		return true
	}
	return m.indent <= 3 && c.item(m)
}

// item opens a list item if its marker comes next, and reports whether it has text. An empty item
// cannot interrupt a paragraph, nor can a number other than 1.
func (c *Code) item(m *margin) bool {
	rest := m.head[m.i:]
	digits := len(rest) - len(bytes.TrimLeft(rest, "0123456789"))
	n, marks := digits+1, "-*+"
	if digits > 0 {
		marks = ".)"
	}
	if digits > 9 || n > len(rest) || strings.IndexByte(marks, rest[digits]) < 0 || !m.isApart(n) {
		return false
	}
	isOne, isEmpty := string(rest[:digits]) == "1", m.endsWith(n)
	if c.interrupts() && (isEmpty || digits > 0 && !isOne) {
		return false
	}
	width := m.indent + n
	m.indent = 0
	m.skip(n)
	switch {
	case isEmpty:
		width++
	case m.indent > 4: // the item begins with indented text
		width++
		m.indent--
	default:
		width += m.indent
		m.indent = 0
	}
	c.push(uint8(width))
	c.emptyItem = isEmpty
	return !isEmpty
}

// block begins the block that comes next.
func (c *Code) block(m *margin) {
	mark, n := m.next(), m.run()
	switch {
	case m.isBlank(): // after the marker of a container
	case m.isRule():
		c.close()
	case m.indent > 3:
		c.text(m.indent)
	case (mark == '-' || mark == '=') && c.interrupts() && m.endsWith(n): // underlines a heading
		c.paragraph = false
	case mark == '#' && n <= 6 && m.isApart(n):
		c.close()
	case (mark == '`' || mark == '~') && n >= 3:
		c.place, c.bare = inInfo, true
		c.opener = fence{mark: mark, depth: c.matched, size: int32(n)}
		m.i += n
	default:
		c.text(m.indent)
	}
}

// push opens a container in those that the line continues.
func (c *Code) push(container uint8) {
	c.close()
	c.containers[c.depth] = container
	c.depth++
	c.matched = c.depth
}

// close closes the paragraph and the containers that the line does not continue.
func (c *Code) close() { c.depth, c.paragraph, c.emptyItem = c.matched, false, false }

// interrupts reports whether the line would otherwise continue a paragraph.
func (c *Code) interrupts() bool { return c.paragraph && c.matched == c.depth }

// text begins ordinary text. It continues a paragraph even if it lacks the markers of containers.
func (c *Code) text(indent int) {
	c.place = inText
	if !c.paragraph {
		c.close()
		c.paragraph = indent <= 3
	}
}
