package protocol

import (
	"bytes"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// EventOf returns the event of a segment.
func EventOf(s *parse.Segment) Event {
	e := Event{Type: s.Kind.String(), Start: s.Start, End: s.End}
	switch s.Kind {
	case parse.Prose, parse.Reasoning:
		e.TextPart = &TextPart{Text: s.Text}
	case parse.Call:
		e.Name, e.CallPart = s.Name, callPart(s.Input, s.Issues, s.AfterMalformed, s.Mended)
	case parse.Malformed:
		e.MalformedPart = malformedPart(s.Err, s.Closed)
	}
	return e
}

// StreamEventOf returns an event of a stream. It
// shares no memory with e.
func StreamEventOf(e *stream.Event) StreamEvent {
	p := StreamEvent{Type: e.Type.String()}
	switch e.Type {
	case stream.TextStart, stream.TextEnd:
		return p // without an id: runs of text never overlap
	case stream.TextDelta:
		p.TextPart = &TextPart{Text: bytes.Clone(e.Delta)}
		return p
	case stream.ReasoningStart, stream.ReasoningEnd:
		p.Span = &Span{Start: e.Start, End: e.End}
		return p
	case stream.ReasoningDelta:
		p.TextPart = &TextPart{Text: bytes.Clone(e.Delta)}
		return p
	case stream.ToolInputStart:
		p.Name = e.Name
	case stream.ToolInputDelta:
		delta := string(e.Delta)
		p.Delta = &delta
	case stream.ToolCall:
		p.Name, p.CallPart = e.Name, callPart(e.Input, e.Issues, e.AfterMalformed, e.Mended)
		p.Span = &Span{Start: e.Start, End: e.End}
	case stream.Malformed:
		p.MalformedPart = malformedPart(e.Err, e.Closed)
		p.Span = &Span{Start: e.Start, End: e.End}
	}
	p.ID = e.ID
	return p
}

func callPart(input []byte, issues []parse.Issue, afterMalformed, mended bool) *CallPart {
	c := &CallPart{Input: string(input), AfterMalformed: afterMalformed, Mended: mended}
	for _, i := range issues {
		c.Issues = append(c.Issues, Issue{Code: string(i.Code), Path: i.Path, At: i.At})
	}
	return c
}

func malformedPart(err *lexer.Error, closed bool) *MalformedPart {
	return &MalformedPart{Code: string(err.Code), At: err.Offset, Closed: closed}
}
