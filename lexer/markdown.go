package lexer

// Markdown follows the code in a text, fences and spans, byte by byte. A fence with which
// a message begins is left out: it stands around what is said. A span ends with its line.
type Markdown struct {
	begun  bool // something else than whitespace was read
	indent int  // bytes of whitespace since the line began; -1 after anything else
	mark   byte // the run of ` or ~ being read
	run    int  // its length
	atLine bool // it began its line
	outer  byte // the byte of the fence with which the message begins, which is left out
	fence  int  // length of the run that opened a fence
	fencer byte // and its byte
	span   int  // length of the run that opened a code span
}

// Code reports whether what comes next stands in code.
func (m Markdown) Code() bool {
	m.endRun()
	return m.fence > 0 || m.span > 0
}

// Call reads a call in the text: what comes after it is no beginning of a line.
func (m *Markdown) Call() {
	m.endRun()
	m.begun, m.indent = true, -1
}

// Pass reads a byte of text.
func (m *Markdown) Pass(c byte) {
	if m.run > 0 && c == m.mark {
		m.run++
		return
	}
	m.endRun()
	switch c {
	case '\n':
		m.indent, m.span = 0, 0
	case ' ', '\t', '\r':
		if m.indent >= 0 {
			m.indent++
		}
	case '`', '~':
		m.mark, m.run, m.atLine = c, 1, m.indent >= 0 && m.indent <= 3
		m.indent = -1
	default:
		m.begun = true
		m.indent = -1
	}
}

// endRun ends a run of ` or ~: it opens or closes a fence or a code span.
func (m *Markdown) endRun() {
	n := m.run
	if m.run = 0; n == 0 {
		return
	}
	first := !m.begun
	m.begun = true
	switch {
	case m.fence > 0:
		if m.atLine && m.mark == m.fencer && n >= m.fence {
			m.fence = 0
		}
	case m.atLine && n >= 3 && first:
		m.outer = m.mark
	case m.atLine && n >= 3 && m.mark == m.outer:
		m.outer = 0
	case m.atLine && n >= 3:
		m.fence, m.fencer = n, m.mark
	case m.mark == '~':
	case m.span == n:
		m.span = 0
	case m.span == 0:
		m.span = n
	}
}
