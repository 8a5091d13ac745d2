// Package events translates what is read into the events of package corpus, which a conformance
// runner and the page of the playground are given.
package events

import (
	"bytes"
	"strings"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// Of returns the event of a segment. It has an ID if the call does.
func Of(s *parse.Segment) corpus.Event {
	e := corpus.Event{Start: s.Start, End: s.End}
	switch {
	case s.Call != nil:
		setCall(&e, s.Call)
	case s.Err != nil:
		setFault(&e, s.Err)
	case s.Reasoning:
		e.Type, e.Text = corpus.ReasoningEvent, corpus.Bytes(s.Text)
	case s.Text == "":
		e.Type = corpus.SectionEvent
	default:
		e.Type, e.Text = corpus.TextEvent, corpus.Bytes(s.Text)
	}
	return e
}

// OfStream returns an event of a stream. It shares no memory with e.
func OfStream(e *stream.Event) corpus.Event {
	c := corpus.Event{Type: e.Type.String(), Start: e.Start, End: e.End}
	switch e.Type {
	case stream.TextDelta, stream.ReasoningDelta:
		c.Text = bytes.Clone(e.Delta)
	case stream.InputStart:
		c.ID, c.Name = e.ID, e.Name
	case stream.InputDelta:
		c.ID, c.Delta = e.ID, string(e.Delta)
	case stream.InputEnd:
		c.ID = e.ID
	case stream.Call:
		setCall(&c, e.Call)
	case stream.Malformed:
		c.ID = e.ID
		setFault(&c, e.Err)
	}
	return c
}

func setCall(e *corpus.Event, call *parse.Call) {
	e.Type, e.ID, e.Name, e.Input = corpus.ToolCallEvent, call.ID, call.Name, string(call.Input)
	e.AfterMalformed = call.AfterMalformed
	for _, i := range call.Issues {
		e.Issues = append(e.Issues, corpus.Issue{Code: string(i.Code), Path: i.Path, At: i.Offset})
	}
}

func setFault(e *corpus.Event, err *parse.Error) {
	e.Type, e.Code, e.At, e.Closed = corpus.MalformedEvent, string(err.Code), err.Offset, err.Closed
}

// A Reading is the events of one text, read at one list of cuts after another.
type Reading struct {
	decoder *stream.Decoder
	text    []byte
	out     []byte
	delta   corpus.Event // a delta that may go on; its Type is "" if there is none
}

// NewReading returns the readings of a text. The error reports options that cannot be used.
func NewReading(catalog *sig.Catalog, o *parse.Options, text []byte) (*Reading, error) {
	r := &Reading{text: text}
	var err error
	r.decoder, err = stream.NewDecoder(catalog, r.take, o)
	return r, err
}

// Lines returns the events of the text at some cuts, one in each line, with adjacent
// deltas joined. It is valid until the next call.
func (r *Reading) Lines(cuts []int) []byte {
	r.decoder.Reset()
	r.out = r.out[:0]
	start := 0
	for _, cut := range cuts {
		r.decoder.Write(r.text[start:cut]) // take returns no error
		start = cut
	}
	r.decoder.Write(r.text[start:])
	r.decoder.Close()
	r.complete()
	return r.out
}

func (r *Reading) take(event stream.Event) error {
	e := OfStream(&event)
	isDelta := strings.HasSuffix(e.Type, "-delta")
	if isDelta && e.Type == r.delta.Type && e.ID == r.delta.ID {
		r.delta.Text = append(r.delta.Text, e.Text...)
		r.delta.Delta += e.Delta
		return nil
	}
	r.complete()
	if isDelta {
		r.delta = e
	} else {
		r.out = append(e.AppendJSON(r.out), '\n')
	}
	return nil
}

// complete ends the delta that may go on.
func (r *Reading) complete() {
	if r.delta.Type != "" {
		r.out = append(r.delta.AppendJSON(r.out), '\n')
	}
	r.delta = corpus.Event{}
}
