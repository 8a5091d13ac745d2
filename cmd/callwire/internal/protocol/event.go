// Package protocol translates between the messages of package corpus, which name formats,
// options and events, and the packages that read and write calls.
//
//	p, err := protocol.Format("hermes")
//	event := protocol.EventOf(&segment) // a corpus.Event
package protocol

import (
	"bytes"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// EventOf returns the event of a segment. It shares the segment's text.
func EventOf(s *parse.Segment) corpus.Event {
	e := corpus.Event{Type: s.Kind.String(), Start: s.Start, End: s.End}
	switch s.Kind {
	case parse.Prose, parse.Reasoning:
		e.Text = s.Text
	case parse.Call:
		e.Name, e.Input = s.Name, string(s.Input)
		e.AfterMalformed, e.Mended = s.AfterMalformed, s.Mended
		e.Issues = issuesOf(s.Issues)
	case parse.Malformed:
		setFault(&e, s.Err, s.Closed)
	}
	return e
}

// StreamEventOf returns an event of a stream. It shares no memory with e.
func StreamEventOf(e *stream.Event) corpus.Event {
	c := corpus.Event{Type: e.Type.String(), Start: e.Start, End: e.End}
	switch e.Type {
	case stream.TextDelta, stream.ReasoningDelta:
		c.Text = bytes.Clone(e.Delta)
	case stream.ToolInputStart:
		c.ID, c.Name = e.ID, e.Name
	case stream.ToolInputDelta:
		c.ID, c.Delta = e.ID, string(e.Delta)
	case stream.ToolInputEnd:
		c.ID = e.ID
	case stream.ToolCall:
		c.ID, c.Name, c.Input = e.ID, e.Name, string(e.Input)
		c.AfterMalformed, c.Mended = e.AfterMalformed, e.Mended
		c.Issues = issuesOf(e.Issues)
	case stream.Malformed:
		c.ID = e.ID
		setFault(&c, e.Err, e.Closed)
	}
	return c
}

func issuesOf(issues []parse.Issue) (all []corpus.Issue) {
	for _, i := range issues {
		all = append(all, corpus.Issue{Code: string(i.Code), Path: i.Path, At: i.At})
	}
	return all
}

func setFault(e *corpus.Event, err *lexer.Error, closed bool) {
	e.Code, e.At, e.Closed = string(err.Code), err.Offset, closed
}
