// Package markdown finds the code in a message as it arrives:
//
//	var code markdown.Code
//	code.Text([]byte("Write `<call>"))
//	code.Inside() // true
//
// It follows the block structure and the code spans of CommonMark: fences, also those in block
// quotes and list items, and spans. It differs where only later bytes would decide, because it
// never looks ahead, and where conversations need another rule:
//
//   - A fence that opens the message wraps it. What it contains is read as if it were not there.
//   - Indented lines are not code.
//   - A code span ends with its line, closed or not.
//   - HTML and links are text, and more than 12 nested containers are too many to follow.
package markdown

import "bytes"

// Code follows the code in a message. The zero value is at the beginning of a message.
type Code struct {
	// Of the message.
	containers [maxDepth]uint8 // outermost first: columns that a list item is indented, or inQuote
	depth      uint8           // of the open containers
	started    bool            // something other than whitespace was read
	paragraph  bool            // the innermost block is a paragraph
	emptyItem  bool            // the innermost container is a list item whose first line is blank
	fence      fence           // open if its size is not 0
	wrapper    fence           // the fence that opened the message

	// Of the line.
	place   place
	matched uint8 // containers that the line continues
	column  int32 // of the next byte, in the margin
	indent  int32 // columns of whitespace since the last marker; -1 after a > without any
	item    int32 // columns of indent and marker of what may be a list item, or 0
	rule    rule  // what may be a thematic break, or the underline of a heading
	run     run   // of the same byte
	wraps   bool  // the run opens the message
	bare    bool  // the run is without an info string

	// Of a paragraph.
	span    int32 // size of the run that opened the code span, or 0
	escaped bool  // a backslash escapes the next byte
}

// maxDepth is how many nested containers are followed.
const maxDepth = 12

// inQuote is the container that continues with a > instead of whitespace.
const inQuote = 0

// fence is an opening code fence.
type fence struct {
	mark  byte
	depth uint8 // containers around it
	size  int32
}

// run is a run of the same byte.
type run struct {
	mark byte
	size int32
}

// rule is a line that consists of the same byte and whitespace, so far.
type rule struct {
	run
	depth  uint8 // containers around it
	spaced bool  // it contains whitespace
}

// place is what comes next in the line.
type place uint8

const (
	inMargin  place = iota // whitespace and the markers of containers
	inNumber               // digits that may number a list item
	inHeading              // the number signs of what may be a heading
	inRule                 // the rest of what may be a rule
	inFence                // a run that may open a fence
	inInfo                 // the info string of a fence, unless a backquote follows
	inCloser               // a run that may close the fence
	inTail                 // whitespace after it
	inRun                  // backquotes that may open or close a code span
	inRest                 // anything
)

// Text reads the next piece of text. The pieces may be cut anywhere.
func (c *Code) Text(b []byte) {
	quote := -1 // the next backquote
	for i := 0; i < len(b); {
		switch {
		case c.place != inRest:
			if c.take(b[i]) {
				i++
			}
		case c.fence.size > 0:
			i = c.skipLine(b, i)
		default:
			if quote < i {
				quote = next(b, i, '`')
			}
			i = c.skipText(b, i, quote)
		}
	}
}

// Marks reports whether b may end a piece of ordinary text, or change how the rest is read.
func Marks(b byte) bool { return b == '\n' || b == '`' || b == '\\' }

// Plain is Text for a piece without such bytes, if it comes inside a line. Otherwise it reads
// nothing and returns false.
func (c *Code) Plain() bool {
	if c.place != inRest {
		return false
	}
	c.escaped = false
	return true
}

// Inside reports whether a call that begins here is in code.
func (c *Code) Inside() bool {
	if c.place == inRest {
		return c.span > 0 || c.fence.size > 0
	}
	settled := *c
	settled.settle()
	if settled.place == inInfo {
		return !settled.wraps && !settled.unwraps()
	}
	return settled.span > 0 || settled.fence.size > 0
}

// Call reads a call, and reports whether it is in code. The rest of its line is text.
func (c *Code) Call() (inside bool) {
	c.escaped = false
	if c.place == inRest {
		return c.span > 0 || c.fence.size > 0
	}
	return c.callElsewhere()
}

func (c *Code) callElsewhere() (inside bool) {
	inside = c.Inside()
	c.settle()
	if c.place == inInfo && c.unwraps() {
		c.wrapper, c.place = fence{}, inRest
	}
	return inside
}

// settle ends what a byte of ordinary text ends.
func (c *Code) settle() {
	for c.place != inRest && c.place != inInfo && !c.take('<') {
	}
}

// take reads a byte outside of ordinary text. It returns false if the byte must be read again
// in another place.
func (c *Code) take(b byte) (taken bool) {
	if b == '\n' {
		c.endLine()
		return true
	}
	switch c.place {
	case inMargin:
		return c.takeMargin(b)
	case inNumber:
		return c.takeNumber(b)
	case inHeading:
		return c.takeHeading(b)
	case inRule:
		return c.takeRule(b)
	case inInfo:
		return c.takeInfo(b)
	case inTail:
		if !isBlank(b) {
			c.place = inRest
		}
		return true
	}
	if b == c.run.mark {
		c.run.size++
		return true
	}
	c.endRun()
	return false
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' }

// takeInfo reads an info string. After a fence of backquotes it cannot contain backquotes.
func (c *Code) takeInfo(b byte) (taken bool) {
	if b == '`' && c.run.mark == '`' {
		c.span = c.run.size
		c.text()
		return false
	}
	c.bare = c.bare && isBlank(b)
	return true
}

// unwraps reports whether the run closes the fence that opened the message.
func (c *Code) unwraps() bool {
	w := c.wrapper
	closes := c.run.mark == w.mark && c.run.size >= w.size
	return c.bare && w.size > 0 && c.matched == 0 && closes
}

// endFence ends the line of an opening fence.
func (c *Code) endFence() {
	switch {
	case c.wraps:
		c.wrapper = fence{mark: c.run.mark, size: c.run.size}
	case c.unwraps():
		c.wrapper = fence{}
	default:
		c.fence = fence{mark: c.run.mark, depth: c.matched, size: c.run.size}
	}
	c.close()
}

// endRun ends a run of backquotes or tildes.
func (c *Code) endRun() {
	n := c.run.size
	switch {
	case c.place == inCloser && n >= c.fence.size:
		c.place = inTail
		return
	case c.place == inFence && n >= 3:
		c.place = inInfo
		return
	case c.place == inFence:
		c.text()
	}
	c.place = inRest
	switch {
	case c.run.mark != '`' || c.fence.size > 0:
	case c.span == 0:
		c.span = n
	case c.span == n:
		c.span = 0
	}
}

// endLine reads the end of a line.
func (c *Code) endLine() {
	if c.place == inFence || c.place == inCloser {
		c.endRun()
	}
	switch c.place {
	case inMargin:
		c.endMargin()
	case inNumber:
		c.text()
	case inHeading:
		c.takeHeading(' ')
	case inRule:
		if !c.endRule() {
			c.text()
		}
	case inInfo:
		c.endFence()
	case inTail:
		c.fence = fence{}
	}
	c.place, c.matched, c.column, c.indent, c.item = inMargin, 0, 0, 0, 0
	c.rule = rule{}
	c.span, c.escaped = 0, false
}

// skipLine skips the rest of a line in a fence.
func (c *Code) skipLine(b []byte, i int) int {
	i = next(b, i, '\n')
	if i < len(b) {
		c.endLine()
		i++
	}
	return i
}

// skipText skips text to the end of the line, or to the next backquote, which may begin a run.
func (c *Code) skipText(b []byte, i, quote int) int {
	end := next(b[:quote], i, '\n')
	for end+1 < quote && c.continues(b[end+1]) {
		i = end + 1
		c.column, c.indent, c.rule, c.escaped = 0, 0, rule{}, false
		end = next(b[:quote], i, '\n')
	}
	if end < quote {
		c.endLine()
		return end + 1
	}
	c.escape(b, i, end)
	switch {
	case end == len(b):
	case c.escaped:
		c.escaped = false
		end++
	default:
		c.place, c.run = inRun, run{mark: '`'}
	}
	return end
}

// continues reports whether a line that begins with x continues a paragraph, and nothing else
// is open.
func (c *Code) continues(x byte) bool {
	letter := x >= 0x80 || 'a' <= x|0x20 && x|0x20 <= 'z'
	return letter && c.paragraph && c.depth == 0 && c.span == 0
}

// escape records whether the text b[i:end] ends with a backslash that escapes what follows.
func (c *Code) escape(b []byte, i, end int) {
	n := end
	for n > i && b[n-1] == '\\' {
		n--
	}
	odd := (end-n)%2 == 1
	c.escaped = c.span == 0 && (odd != (n == i && c.escaped))
}

// next returns the index of the next such byte, or len(b).
func next(b []byte, i int, c byte) int {
	if n := bytes.IndexByte(b[i:], c); n >= 0 {
		return i + n
	}
	return len(b)
}
