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

import (
	"bytes"
	"slices"
)

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
	matched uint8  // containers that the line continues
	wraps   bool   // the opener opens the message
	bare    bool   // the opener has no info string
	escaped bool   // a backslash escapes the next byte
	opener  fence  // whose info string is being read
	span    int32  // size of the run that opened the code span, or 0
	run     int32  // backquotes directly before
	head    []byte // the line so far, while its block is undecided
}

// maxDepth is how many nested containers are followed.
const maxDepth = 12

// mostPlain is how many bytes are faster looked at one by one.
const mostPlain = 16

// maxHead is how long the head of a line can be, in bytes. What follows is text.
const maxHead = 1 << 10

// fence is an opening code fence.
type fence struct {
	mark  byte
	depth uint8 // containers around it
	size  int32
}

// place is what comes next in the line.
type place uint8

const (
	inHead place = iota // what may be a marker, or whitespace
	inInfo              // the info string of a fence, unless a backquote follows
	inText              // anything
)

// inHeads has the bytes of a head.
var inHeads = [256]bool{
	' ': true, '\t': true, '\r': true, '>': true, '-': true, '*': true, '+': true, '_': true,
	'=': true, '#': true, '`': true, '~': true, '.': true, ')': true, '0': true, '1': true,
	'2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
}

// Reset prepares for a new message.
func (c *Code) Reset() { *c = Code{head: c.head[:0]} }

// Text reads the next piece of text. The pieces may be cut anywhere.
func (c *Code) Text(b []byte) {
	if len(b) <= mostPlain && !slices.ContainsFunc(b, Marks) && c.Plain() {
		return
	}
	for len(b) > 0 {
		end := next(b, '\n')
		c.inLine(b[:end])
		if end < len(b) {
			c.endLine()
			end++
		}
		b = b[end:]
	}
}

// inLine reads a piece of a line.
func (c *Code) inLine(b []byte) {
	switch {
	case c.place != inHead || len(b) == 0:
	case c.paragraph && c.depth == 0 && len(c.head) == 0 && !inHeads[b[0]]: // most lines
		c.place, c.matched = inText, 0
	default:
		n := 0
		for n < len(b) && inHeads[b[n]] && len(c.head)+n < maxHead {
			n++
		}
		c.head = append(c.head, b[:n]...)
		b = b[n:]
		if len(b) > 0 {
			c.begin(false)
		}
	}
	c.rest(b)
}

// rest reads a piece of a line after its head.
func (c *Code) rest(b []byte) {
	switch {
	case c.place == inInfo:
		c.info(b)
	case c.fence.size == 0:
		c.spans(b)
	}
}

// endLine reads the end of a line.
func (c *Code) endLine() {
	if c.place == inHead {
		c.begin(true)
	}
	if c.place == inInfo {
		c.endOpener()
	}
	c.place = inHead
	c.span, c.run, c.escaped = 0, 0, false
}

// Marks reports whether b may end a piece of ordinary text, or change how the rest is read.
func Marks(b byte) bool { return b == '\n' || b == '`' || b == '\\' }

// Plain is Text for a piece without such bytes, if it comes inside a line. Otherwise it reads
// nothing and returns false.
func (c *Code) Plain() bool {
	if c.place != inText || c.run > 0 {
		return false
	}
	c.escaped = false
	return true
}

// Inside reports whether a call that begins here is in code.
func (c *Code) Inside() bool {
	settled := *c
	settled.settle()
	if settled.place == inInfo {
		return !settled.wraps && !settled.unwraps()
	}
	return settled.span > 0 || settled.fence.size > 0
}

// Call reads a call, and reports whether it is in code. The rest of its line is text.
func (c *Code) Call() (inside bool) {
	if c.Plain() { // most calls
		return c.span > 0 || c.fence.size > 0
	}
	inside = c.Inside()
	c.settle()
	c.escaped = false
	if c.place == inInfo && c.unwraps() {
		c.wrapper, c.place = fence{}, inText
	}
	return inside
}

// settle ends what a byte of ordinary text ends.
func (c *Code) settle() {
	if c.place == inHead {
		c.begin(false)
	}
	c.endRun()
}

// info reads an info string. After a fence of backquotes it cannot contain backquotes.
func (c *Code) info(b []byte) {
	n := len(b)
	if c.opener.mark == '`' {
		n = next(b, '`')
	}
	c.bare = c.bare && len(bytes.Trim(b[:n], blanks)) == 0
	if n < len(b) {
		c.text(0)
		c.span = c.opener.size
		c.spans(b[n:])
	}
}

// unwraps reports whether the opener closes the fence that opened the message.
func (c *Code) unwraps() bool {
	w := c.wrapper
	closes := c.opener.mark == w.mark && c.opener.size >= w.size
	return c.bare && w.size > 0 && c.matched == 0 && closes
}

// endOpener ends the line of an opening fence.
func (c *Code) endOpener() {
	switch {
	case c.wraps:
		c.wrapper = c.opener
	case c.unwraps():
		c.wrapper = fence{}
	default:
		c.fence = c.opener
	}
	c.close()
}

// spans follows the code spans in a piece of a line.
func (c *Code) spans(b []byte) {
	for len(b) > 0 {
		if b[0] == '`' && !c.escaped {
			c.run++
			b = b[1:]
			continue
		}
		c.endRun()
		n := 1 + next(b[1:], '`')
		backslashes := n - len(bytes.TrimRight(b[:n], `\`))
		isOdd := backslashes%2 == 1
		c.escaped = c.span == 0 && isOdd != (backslashes == n && c.escaped)
		b = b[n:]
	}
}

// endRun ends a run of backquotes, which may open or close a code span.
func (c *Code) endRun() {
	switch {
	case c.run == 0:
	case c.span == 0:
		c.span = c.run
	case c.span == c.run:
		c.span = 0
	}
	c.run = 0
}

// next returns the index of the next such byte, or len(b).
func next(b []byte, c byte) int {
	if n := bytes.IndexByte(b, c); n >= 0 {
		return n
	}
	return len(b)
}
