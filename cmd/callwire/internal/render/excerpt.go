package render

import (
	"bytes"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/parse"
)

// An excerpt is the line in which a malformed span has its fault: what is before
// the fault, and the rest from it on. Of the line only what belongs to the span
// is shown.
type excerpt struct {
	offset        int // of a byte in the line
	before, after string
}

// excerptOf returns the excerpt of a malformed span, cut to width columns. A
// fault at the end of input is shown after the last thing that was written.
func excerptOf(s *parse.Segment, width int) excerpt {
	text := s.Text
	at := min(max(s.Err.Offset-s.Start, 0), len(text))
	if at == len(text) {
		text = bytes.TrimRight(text, " \t\r\n")
		at = len(text)
	}
	head := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	tail, _, _ := bytes.Cut(text[at:], []byte{'\n'})
	tail = bytes.TrimSuffix(tail, []byte{'\r'})

	e := excerpt{offset: s.Start + at, before: terminal.CutStart(head, width*2/3)}
	e.after = terminal.CutEnd(tail, width-terminal.Cells(e.before))
	return e
}
