package main

import (
	"bufio"
	"bytes"
	"encoding/json"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/stream"
)

// streamEventOf returns an event of a stream, as the runner protocol has it. It
// shares no memory with e.
func streamEventOf(e *stream.Event) protocol.StreamEvent {
	p := protocol.StreamEvent{Type: e.Type.String()}
	switch e.Type {
	case stream.TextStart, stream.TextEnd:
		return p // without an id: runs of text never overlap
	case stream.TextDelta:
		p.TextPart = &protocol.TextPart{Text: bytes.Clone(e.Delta)}
		return p
	case stream.ReasoningStart, stream.ReasoningEnd:
		p.Span = &protocol.Span{Start: e.Start, End: e.End}
		return p
	case stream.ReasoningDelta:
		p.TextPart = &protocol.TextPart{Text: bytes.Clone(e.Delta)}
		return p
	case stream.ToolInputStart:
		p.Name = e.Name
	case stream.ToolInputDelta:
		delta := string(e.Delta)
		p.Delta = &delta
	case stream.ToolCall:
		p.Name, p.CallPart = e.Name, callPart(e.Input, e.Issues, e.AfterMalformed, e.Mended)
		p.Span = &protocol.Span{Start: e.Start, End: e.End}
	case stream.Malformed:
		p.MalformedPart = malformedPart(e.Err, e.Closed)
		p.Span = &protocol.Span{Start: e.Start, End: e.End}
	}
	p.ID = e.ID
	return p
}

// streamPrinter is the audience of programs: one line of JSON for each event.
type streamPrinter struct{ enc *json.Encoder }

func newStreamPrinter(out *bufio.Writer) streamPrinter {
	return streamPrinter{enc: jsonl.NewEncoder(out)}
}

func (p streamPrinter) source([]byte) {}

func (p streamPrinter) event(e *stream.Event) {
	shown := streamEventOf(e)
	if e.Type == stream.Malformed {
		shown.Name, shown.Message = e.Name, e.Err.Error()
	}
	p.enc.Encode(shown)
}

func (p streamPrinter) pause() {}

func (p streamPrinter) end(tally) {}
