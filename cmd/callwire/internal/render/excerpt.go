package render

import (
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/stream"
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
func excerptOf(s *stream.Event, width int) excerpt {
	text := s.Text
	at := min(max(s.Err.Offset-s.Start, 0), len(text))
	if at == len(text) {
		text = strings.TrimRight(text, " \t\r\n")
		at = len(text)
	}
	head := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	tail, _, _ := strings.Cut(text[at:], "\n")
	tail = strings.TrimSuffix(tail, "\r")

	e := excerpt{offset: s.Start + at, before: terminal.CutStart(head, width*2/3)}
	e.after = terminal.CutEnd(tail, width-terminal.Cells(e.before))
	return e
}
