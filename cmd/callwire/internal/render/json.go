package render

import (
	"io"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/stream"
)

// lines prints events as lines of JSON. Errors of the output are sticky: its Flush reports
// them.
type lines struct{ out io.Writer }

func (l lines) print(e *corpus.Event) { l.out.Write(append(e.AppendJSON(nil), '\n')) }

func (lines) source([]byte) {}
func (lines) pause()        {}
func (lines) end(Tally)     {}

// eventLines is the sink of --follow --json: a line for each event.
type eventLines struct{ lines }

func (l eventLines) event(e *stream.Event) { l.print(forPeople(e)) }

// forPeople returns an event with what people want to know of a malformed call: its name,
// and what is wrong.
func forPeople(e *stream.Event) *corpus.Event {
	c := protocol.StreamEventOf(e)
	if e.Type == stream.Malformed {
		c.Name, c.Message = e.Name, e.Err.Error()
	}
	return &c
}

// partLines is the sink of --json: a line for each part of the text, when it is complete.
type partLines struct {
	lines
	text corpus.Event // the text or reasoning that is not complete
	at   int          // the end of what is
}

func (l *partLines) event(e *stream.Event) {
	switch e.Type {
	case stream.TextStart:
		l.text = corpus.Event{Type: corpus.TextEvent, Start: l.at, End: l.at}
	case stream.ReasoningStart:
		l.text = corpus.Event{Type: corpus.ReasoningEvent, Start: e.Start, End: e.End}
	case stream.TextDelta, stream.ReasoningDelta:
		l.text.Text = append(l.text.Text, e.Delta...)
		l.text.End = e.End
	case stream.TextEnd:
		l.complete(&l.text)
	case stream.ReasoningEnd:
		l.text.End = e.End
		l.complete(&l.text)
	case stream.Section, stream.Call, stream.Malformed:
		part := forPeople(e)
		part.ID = ""
		l.complete(part)
	}
}

// complete prints a part.
func (l *partLines) complete(e *corpus.Event) {
	l.print(e)
	l.at = e.End
}
