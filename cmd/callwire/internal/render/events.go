package render

import (
	"bufio"
	"io"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/parse"
)

// eventPrinter is the sink for programs: one line of JSON for each segment.
type eventPrinter struct {
	out  io.Writer
	text parse.Segment // the prose that is not yet complete
}

func newEventPrinter(out *bufio.Writer) *eventPrinter {
	return &eventPrinter{out: terminal.Lines{Out: out}}
}

func (p *eventPrinter) source([]byte) {}

func (p *eventPrinter) prose(piece []byte) {
	p.text.Text = append(p.text.Text, piece...)
	p.text.End += len(piece)
}

func (p *eventPrinter) thought(part parse.Part, piece []byte) {
	if part == parse.ReasoningStartPart {
		p.begin()
		p.text.Kind = parse.Reasoning
	}
	if part == parse.ReasoningPart {
		p.text.Text = append(p.text.Text, piece...)
	}
	if p.text.End += len(piece); part == parse.ReasoningEndPart {
		p.print(protocol.EventOf(&p.text))
		p.text = parse.Segment{Start: p.text.End, End: p.text.End, Text: p.text.Text[:0]}
	}
}

func (p *eventPrinter) begin() {
	if len(p.text.Text) > 0 {
		p.print(protocol.EventOf(&p.text))
	}
	p.text = parse.Segment{Start: p.text.End, End: p.text.End, Text: p.text.Text[:0]}
}

func (p *eventPrinter) segment(s *parse.Segment) {
	p.begin()
	e := protocol.EventOf(s)
	if s.Kind == parse.Malformed {
		e.Name, e.Message = s.Name, s.Err.Error()
	}
	p.print(e)
	p.text.Start, p.text.End = s.End, s.End
}

func (p *eventPrinter) end(Tally) { p.begin() }

// print prints an event. Errors of the output are sticky: its Flush reports them.
func (p *eventPrinter) print(e corpus.Event) {
	p.out.Write(append(e.AppendJSON(nil), '\n'))
}
