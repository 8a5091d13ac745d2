package render

import (
	"bufio"
	"unicode/utf8"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// live is the audience of people: a renderer that shows a call while it is being
// written. On a terminal the growing call is one line, whose end is seen, and
// the finished one takes its place. Elsewhere nothing can be taken back, so that
// a call stands as it came, in one line.
type live struct {
	*renderer
	growing bool
	name    string // of the growing call, visible

	drawn bool // something of its input is shown

	// On a terminal.
	input []byte // the end of its input so far
	stale bool   // the line does not show all of that
}

func newLive(out *bufio.Writer, s terminal.Screen) *live {
	return &live{renderer: newRenderer(out, s)}
}

func (l *live) Event(e *stream.Event) {
	switch e.Type {
	case stream.TextDelta, stream.ReasoningDelta:
		l.prose(e.Delta)
	case stream.ReasoningStart, stream.ReasoningEnd:
		l.offset += e.End - e.Start
	case stream.ToolInputStart:
		l.grow(e)
	case stream.ToolInputDelta:
		l.more(e.Delta)
	case stream.ToolCall, stream.Malformed:
		l.id = e.ID
		l.finish(e.Segment)
	}
}

// grow begins a call.
func (l *live) grow(e *stream.Event) {
	l.begin()
	l.id, l.name, l.growing = e.ID, terminal.Visible(e.Name), true
	l.input, l.stale, l.drawn = l.input[:0], true, false
	if !l.Redraw {
		head, _ := l.head(terminal.Calling, terminal.CallMark, l.name)
		l.out.WriteString(head)
		l.inLine = true
	}
}

// more shows more of the input.
func (l *live) more(delta []byte) {
	if !l.Redraw {
		if !l.drawn {
			l.out.WriteByte(' ')
			l.drawn = true
		}
		l.out.WriteString(sig.Visible(string(delta)))
		return
	}
	l.input = append(l.input, delta...)
	if seen := (l.Width + 1) * utf8.UTFMax; len(l.input) > 16*seen {
		l.input = append(l.input[:0], l.input[len(l.input)-seen:]...)
	}
	l.stale = true
}

// pause draws the line of the growing call.
func (l *live) pause() {
	if !l.Redraw || !l.growing || !l.stale {
		return
	}
	head, width := l.head(terminal.Calling, terminal.CallMark, terminal.CutEnd(l.name, l.Width/2))
	l.out.WriteString("\r" + head + " " + terminal.CutStart(l.input, l.Width-width-2) + "\x1b[K")
	l.stale, l.drawn = false, true
}

// finish prints what the growing call, or a span that never began to be one, has
// come to.
func (l *live) finish(s *parse.Segment) {
	switch {
	case !l.growing:
		l.segment(s)
	case l.Redraw:
		if l.drawn {
			l.out.WriteString("\r\x1b[K")
		}
		l.segment(s)
	default:
		l.begin() // ends the line
		if s.Kind == parse.Call {
			l.doubts(s)
			l.pass(s)
		} else {
			l.segment(s)
		}
	}
	l.growing = false
}
