package main

import (
	"bufio"
	"encoding/json"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// eventOf returns the event of a segment, as the runner protocol has it.
func eventOf(s *parse.Segment) protocol.Event {
	e := protocol.Event{Type: s.Kind.String(), Start: s.Start, End: s.End}
	switch s.Kind {
	case parse.Prose, parse.Reasoning:
		e.TextPart = &protocol.TextPart{Text: s.Text}
	case parse.Call:
		e.Name, e.CallPart = s.Name, callPart(s.Input, s.Issues, s.AfterMalformed, s.Mended)
	case parse.Malformed:
		e.MalformedPart = malformedPart(s.Err, s.Closed)
	}
	return e
}

func callPart(input []byte, issues []parse.Issue, afterMalformed, mended bool) *protocol.CallPart {
	c := &protocol.CallPart{Input: string(input), AfterMalformed: afterMalformed, Mended: mended}
	for _, i := range issues {
		c.Issues = append(c.Issues, protocol.Issue{Code: string(i.Code), Path: i.Path, At: i.At})
	}
	return c
}

func malformedPart(err *lexer.Error, closed bool) *protocol.MalformedPart {
	return &protocol.MalformedPart{Code: string(err.Code), At: err.Offset, Closed: closed}
}

// eventPrinter is the sink for programs: one line of JSON for each segment.
type eventPrinter struct {
	enc  *json.Encoder
	text parse.Segment // the prose that is not yet complete
}

func newEventPrinter(out *bufio.Writer) *eventPrinter {
	return &eventPrinter{enc: jsonl.NewEncoder(out)}
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
		p.enc.Encode(eventOf(&p.text))
		p.text = parse.Segment{Start: p.text.End, End: p.text.End, Text: p.text.Text[:0]}
	}
}

func (p *eventPrinter) begin() {
	if len(p.text.Text) > 0 {
		p.enc.Encode(eventOf(&p.text))
	}
	p.text = parse.Segment{Start: p.text.End, End: p.text.End, Text: p.text.Text[:0]}
}

func (p *eventPrinter) segment(s *parse.Segment) {
	p.begin()
	e := eventOf(s)
	if s.Kind == parse.Malformed {
		e.Name, e.Message = s.Name, s.Err.Error()
	}
	p.enc.Encode(e)
	p.text.Start, p.text.End = s.End, s.End
}

func (p *eventPrinter) end(tally) { p.begin() }
