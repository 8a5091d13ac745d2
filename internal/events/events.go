// Package events translates what is read into the events of package corpus, which a conformance
// runner and the page of the playground are given.
package events

import (
	"bytes"
	"slices"

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
	joiner  corpus.Joiner
	out     []byte
}

// NewReading returns the readings of a text. The error reports options that cannot be used.
func NewReading(catalog *sig.Catalog, o *parse.Options, text []byte) (*Reading, error) {
	r := &Reading{text: text}
	var err error
	r.decoder, err = stream.NewDecoder(catalog, func(e stream.Event) error {
		one := OfStream(&e)
		if _, err := r.joiner.Add(&one); err != nil {
			r.out = append(r.out, err.Error()+"\n"...)
		}
		return nil
	}, o)
	return r, err
}

// Lines returns the events of the text, joined from those of its stream at some cuts, one in
// each line, after a line for each event that was misplaced. It is valid until the next call.
func (r *Reading) Lines(cuts []int) []byte {
	r.decoder.Reset()
	r.joiner = corpus.Joiner{}
	r.out = r.out[:0]
	start := 0
	for _, cut := range append(slices.Clip(cuts), len(r.text)) {
		r.decoder.Write(r.text[start:cut]) // the callback returns no error
		start = cut
	}
	r.decoder.Close()
	for _, e := range r.joiner.Events {
		r.out = append(e.AppendJSON(r.out), '\n')
	}
	return r.out
}
