// Package events translates what is read into the events of package corpus, which a conformance
// runner and the page of the playground are given.
package events

import (
	"bytes"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/parse"
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
