package markdown

// takeMargin reads whitespace, and the first byte after it.
func (c *Code) takeMargin(b byte) (taken bool) {
	switch b {
	case '\t':
		n := 4 - c.column%4
		c.column += n
		c.indent += n
		return true
	case ' ', '\r':
		c.column++
		c.indent++
		return true
	}
	if c.item > 0 && c.indent == 0 {
		c.item, c.place = 0, inRule
		return false
	}
	if c.item > 0 {
		c.beginItem()
	}
	c.indent = max(c.indent, 0)
	return c.begin(b)
}

// begin reads the first byte of a block, or of the marker of a container.
func (c *Code) begin(b byte) (taken bool) {
	first := !c.started
	c.started = true
	if b != c.rule.mark {
		c.rule = rule{}
	}
	if c.matches(b) {
		return true
	}
	if c.fence.size > 0 {
		if c.matched == c.fence.depth {
			c.place = inRest
			if b == c.fence.mark && c.indent <= 3 {
				c.place, c.run = inCloser, run{mark: b}
			}
			return false
		}
		c.fence, c.paragraph = fence{}, false
	}
	switch {
	case c.indent > 3 && c.rule.mark == b:
		c.place = inRule
		return false
	case c.indent > 3:
		c.text()
		return false
	}
	switch b {
	case '>':
		c.push(inQuote)
		c.column++
		c.indent = -1
		return true
	case '-', '*', '_', '=', '+':
		return c.beginRule(b)
	case '`', '~':
		c.place, c.run = inFence, run{mark: b}
		c.wraps, c.bare = first, true
	case '#':
		c.place, c.run = inHeading, run{mark: b}
	default:
		if b < '0' || b > '9' {
			c.text()
			return false
		}
		c.place, c.run = inNumber, run{}
	}
	return false
}

// matches goes through the containers that the line continues, up to a quote whose marker is b.
func (c *Code) matches(b byte) (quote bool) {
	for c.matched < c.depth {
		n := c.containers[c.matched]
		switch {
		case n == inQuote && b == '>' && c.indent <= 3:
			c.matched++
			c.column++
			c.indent = -1
			return true
		case n == inQuote || c.indent < int32(n):
			return false
		}
		c.indent -= int32(n)
		c.matched++
	}
	return false
}

// push opens a container in those that the line continues.
func (c *Code) push(container uint8) {
	c.close()
	if c.depth < maxDepth {
		c.containers[c.depth] = container
		c.depth++
	}
	c.matched = c.depth
}

// close closes the paragraph and the containers that the line does not continue.
func (c *Code) close() { c.depth, c.paragraph, c.emptyItem = c.matched, false, false }

// interrupts reports whether the line would otherwise continue a paragraph.
func (c *Code) interrupts() bool { return c.paragraph && c.matched == c.depth }

// text begins ordinary text. It continues a paragraph even if it lacks the markers of containers.
func (c *Code) text() {
	if !c.paragraph {
		c.close()
		c.paragraph = c.indent <= 3
	}
	c.place, c.item = inRest, 0
}

// beginItem opens a list item, after its marker and whitespace.
func (c *Code) beginItem() {
	width, rest := c.item+c.indent, int32(0)
	if c.indent > 4 { // the item begins with indented text
		width, rest = c.item+1, c.indent-1
	}
	c.push(uint8(width))
	c.item, c.indent = 0, rest
}

// takeNumber reads the number of a list item and what ends it.
func (c *Code) takeNumber(b byte) (taken bool) {
	const mostDigits = 9
	if digit := b - '0'; digit <= 9 && c.run.size < mostDigits {
		c.run.size++
		c.run.mark = digit
		c.column++
		return true
	}
	one := c.run == run{mark: 1, size: 1}
	if b != '.' && b != ')' || !one && c.interrupts() {
		c.text()
		return false
	}
	c.column++
	c.place, c.item, c.indent = inMargin, c.indent+c.run.size+1, 0
	return true
}

// takeHeading reads the marker of a heading.
func (c *Code) takeHeading(b byte) (taken bool) {
	switch {
	case b == '#':
		c.run.size++
		return true
	case isBlank(b) && c.run.size <= 6:
		c.close()
		c.place = inRest
		return true
	}
	c.text()
	return false
}

// beginRule reads the first byte of what may be a rule, or the marker of a list item.
func (c *Code) beginRule(b byte) (taken bool) {
	if c.rule.mark == 0 {
		c.rule = rule{run: run{mark: b}, depth: c.matched}
	}
	c.rule.size++
	c.column++
	c.place = inRule
	if b == '-' || b == '*' || b == '+' {
		c.place, c.item, c.indent = inMargin, c.indent+1, 0
	}
	return true
}

// takeRule reads on in what may be a rule.
func (c *Code) takeRule(b byte) (taken bool) {
	switch {
	case isBlank(b):
		c.rule.spaced = true
		return true
	case b == c.rule.mark && !(b == '=' && c.rule.spaced):
		c.rule.size++
		return true
	}
	c.text()
	return false
}

// endRule ends a line that consists of rule. It reports whether it is more than text.
func (c *Code) endRule() bool {
	underline := c.interrupts() && (c.rule.mark == '-' || c.rule.mark == '=')
	switch c.rule.mark {
	case '-', '*', '_':
		if c.rule.size >= 3 {
			c.matched = c.rule.depth
			c.close()
			return true
		}
	}
	c.paragraph = c.paragraph && !underline
	return underline
}

// endMargin ends a blank line, or one that ends with the marker of a list item.
func (c *Code) endMargin() {
	if c.item > 0 {
		switch {
		case c.endRule():
		case c.interrupts(): // an empty item can not
		default:
			c.push(uint8(c.item + 1))
			c.emptyItem = true
		}
		return
	}
	for c.matched < c.depth && c.containers[c.matched] != inQuote {
		c.matched++
	}
	if c.emptyItem && c.matched == c.depth {
		c.matched--
	}
	if c.fence.depth > c.matched {
		c.fence = fence{}
	}
	c.close()
}
