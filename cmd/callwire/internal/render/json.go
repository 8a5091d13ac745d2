package render

import (
	"io"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/events"
	"github.com/callwire/callwire/stream"
)

// jsonLines prints a line of JSON for each event, or for each part of the text when it is
// complete. Errors of the output are sticky: its Flush reports them.
type jsonLines struct {
	out    io.Writer
	events bool
	text   corpus.Event // the text or reasoning that is not complete
	at     int          // the end of the last part
}

func (l *jsonLines) event(e *stream.Event) {
	c := events.OfStream(e)
	if e.Type == stream.Malformed {
		c.Name, c.Message = e.Name, e.Err.Error() // for people
	}
	if l.events {
		l.print(&c)
		return
	}
	switch e.Type {
	case stream.TextStart:
		l.text = corpus.Event{Type: corpus.TextEvent, Start: l.at}
	case stream.ReasoningStart:
		l.text = corpus.Event{Type: corpus.ReasoningEvent, Start: e.Start}
	case stream.TextDelta, stream.ReasoningDelta:
		l.text.Text, l.text.End = append(l.text.Text, e.Delta...), e.End
	case stream.TextEnd:
		l.print(&l.text)
	case stream.ReasoningEnd:
		l.text.End = e.End
		l.print(&l.text)
	case stream.Section, stream.Call, stream.Malformed:
		c.ID = ""
		l.print(&c)
	}
}

func (l *jsonLines) print(e *corpus.Event) {
	l.out.Write(append(e.AppendJSON(nil), '\n'))
	l.at = e.End
}

func (*jsonLines) source([]byte) {}
func (*jsonLines) pause()        {}
func (*jsonLines) end(Tally)     {}
