package fuzz

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/callwire/callwire/stream"
)

// Reader reads a message in chunks with a [stream.Decoder]. It keeps what was emitted, and checks
// at every step that events come in order, that their spans tile the message, and that deltas
// contain what the complete call contains.
type Reader struct {
	Parts []Part // emitted so far
	Done  int    // everything before this offset has been emitted
	Err   error  // the first broken promise

	Ragged  bool     // a delta is not valid UTF-8
	Dropped []string // the input that was emitted of each malformed call

	decoder *stream.Decoder
	last    stream.Type
	started bool            // there was an event
	id      string          // of the open text, reasoning or call
	name    string          // of the open call
	ids     map[string]bool // of all
	input   []byte          // of the open call
	inInput bool            // a call is open
	kept    []stream.Event  // complete calls and errors, which belong to the caller
}

// NewReader returns a Reader. The options of the setup must be legal.
func NewReader(s Setup) *Reader {
	r := new(Reader)
	d, err := stream.NewDecoder(s.Catalog, func(e stream.Event) error {
		r.event(e)
		return nil
	}, &s.Options)
	if err != nil {
		panic(err)
	}
	r.decoder = d
	return r
}

// Feed reads a copy of chunk, and overwrites it afterward.
func (r *Reader) Feed(chunk []byte) {
	own := bytes.Clone(chunk)
	n, err := r.decoder.Write(own)
	if n != len(chunk) || err != nil {
		r.fail("%d of %d bytes are written: %v", n, len(chunk), err)
	}
	if !bytes.Equal(own, chunk) {
		r.fail("chunk %q was changed to %q", chunk, own)
	}
	for i := range own {
		own[i] = '"'
	}
}

// Close ends the message.
func (r *Reader) Close() { r.end((*stream.Decoder).Close) }

// Abort ends a message that broke off.
func (r *Reader) Abort() { r.end((*stream.Decoder).Abort) }

func (r *Reader) end(end func(*stream.Decoder) error) {
	if err := end(r.decoder); err != nil {
		r.fail("at the end: %v", err)
	}
	if r.started && !slices.Contains(complete, r.last) {
		r.fail("the message ends after %s", r.last)
	}
}

// Reset prepares for another message.
func (r *Reader) Reset() {
	r.decoder.Reset()
	*r = Reader{decoder: r.decoder}
}

// Read reads a message in chunks.
func (s Setup) Read(chunks ...[]byte) ([]Part, error) { return NewReader(s).Read(chunks...) }

// Read reads a message in chunks.
func (r *Reader) Read(chunks ...[]byte) ([]Part, error) {
	for _, c := range chunks {
		r.Feed(c)
	}
	r.Close()
	return r.Parts, r.Err
}

// Kept returns the calls and errors in the events that came so far, as parts.
func (r *Reader) Kept() (parts []Part) {
	for _, e := range r.kept {
		parts = append(parts, completePart(e))
	}
	return parts
}

func (r *Reader) fail(format string, args ...any) {
	if r.Err == nil {
		r.Err = fmt.Errorf(format, args...)
	}
}

// complete are the events after which nothing is open.
var complete = []stream.Type{
	stream.TextEnd, stream.ReasoningEnd, stream.Section, stream.Call, stream.Malformed,
}

// follows has the events that may follow each. Whatever is in nothing may come first, and after
// those that are complete.
var (
	nothing = []stream.Type{
		stream.TextStart, stream.ReasoningStart, stream.Section, stream.InputStart,
		stream.Malformed,
	}
	follows = map[stream.Type][]stream.Type{
		stream.TextStart:      {stream.TextDelta},
		stream.TextDelta:      {stream.TextDelta, stream.TextEnd},
		stream.ReasoningStart: {stream.ReasoningDelta, stream.ReasoningEnd},
		stream.ReasoningDelta: {stream.ReasoningDelta, stream.ReasoningEnd},
		stream.InputStart:     {stream.InputDelta, stream.Malformed},
		stream.InputDelta:     {stream.InputDelta, stream.InputEnd, stream.Malformed},
		stream.InputEnd:       {stream.Call},
	}
)

func (r *Reader) event(e stream.Event) {
	allowed := nothing
	if r.started && !slices.Contains(complete, r.last) {
		allowed = follows[r.last]
	}
	if !slices.Contains(allowed, e.Type) {
		r.fail("%s after %s", e.Type, r.last)
	}
	r.last, r.started = e.Type, true
	switch e.Type {
	case stream.TextStart, stream.ReasoningStart, stream.InputStart:
		r.start(e)
		return
	case stream.TextDelta, stream.ReasoningDelta, stream.InputDelta:
		r.delta(e)
	case stream.Section:
		r.add(Part{Kind: SectionPart, Start: e.Start, End: e.End})
		return
	case stream.ReasoningEnd:
		r.extend(e, "")
	case stream.Call, stream.Malformed:
		r.call(e)
	}
	if e.ID != r.id {
		r.fail("%s with the ID %q inside %q", e.Type, e.ID, r.id)
	}
}

func (r *Reader) start(e stream.Event) {
	if e.ID == "" || r.ids[e.ID] && e.Type != stream.InputStart { // a format's own IDs may repeat
		r.fail("%s with the ID %q", e.Type, e.ID)
	}
	if r.ids == nil {
		r.ids = map[string]bool{}
	}
	r.ids[e.ID] = true
	r.id, r.name, r.input = e.ID, e.Name, r.input[:0]
	switch e.Type {
	case stream.ReasoningStart:
		r.add(Part{Kind: ReasoningPart, Start: e.Start, End: e.End})
	case stream.InputStart:
		r.inInput = true
		if e.Start != r.Done || e.Name == "" {
			r.fail("%q starts at %d after offset %d", e.Name, e.Start, r.Done)
		}
	}
}

func (r *Reader) delta(e stream.Event) {
	r.Ragged = r.Ragged || !utf8.Valid(e.Delta)
	if len(e.Delta) == 0 || e.Type != stream.InputDelta && e.End-e.Start != len(e.Delta) {
		r.fail("%s [%d,%d) of %d bytes", e.Type, e.Start, e.End, len(e.Delta))
	}
	switch e.Type {
	case stream.InputDelta:
		r.input = append(r.input, e.Delta...)
		if insideEscape(r.input) {
			r.fail("input ends inside an escape: %q", r.input)
		}
	case stream.ReasoningDelta:
		r.extend(e, string(e.Delta))
	case stream.TextDelta:
		if n := len(r.Parts) - 1; n >= 0 && r.Parts[n].Kind == TextPart {
			r.extend(e, string(e.Delta))
			return
		}
		r.add(Part{Kind: TextPart, Start: e.Start, End: e.End, Text: string(e.Delta)})
	}
}

// extend adds to the last part.
func (r *Reader) extend(e stream.Event, text string) {
	p := &r.Parts[len(r.Parts)-1]
	if e.Start != r.Done {
		r.fail("%s at %d after offset %d", e.Type, e.Start, r.Done)
	}
	p.Text += text
	p.End, r.Done = e.End, e.End
}

// call adds a call or a malformed call.
func (r *Reader) call(e stream.Event) {
	switch {
	case !r.inInput:
		r.id = ""
	case r.name != e.Name:
		r.fail("%q ends as %q", r.name, e.Name)
	}
	if e.Type == stream.Malformed && r.inInput {
		r.Dropped = append(r.Dropped, string(r.input))
	}
	r.inInput = false
	if e.Type == stream.Call && string(r.input) != string(e.Call.Input) {
		r.fail("input %q was emitted as %q", e.Call.Input, r.input)
	}
	r.kept = append(r.kept, e)
	r.add(completePart(e))
}

// completePart returns a call or malformed call as a part. Its strings are copies.
func completePart(e stream.Event) Part {
	p := Part{Kind: MalformedPart, Start: e.Start, End: e.End, Text: e.Text}
	if e.Type == stream.Call {
		p.Kind = CallPart
		p.addCall(e.Call)
		p.Issues = slices.Clone(p.Issues)
	} else {
		p.addError(e.Err)
	}
	return p
}

// add adds the next part, which must begin where the last one ended.
func (r *Reader) add(p Part) {
	if p.Start != r.Done || p.End < p.Start {
		r.fail("%s [%d,%d) after offset %d", p.Kind, p.Start, p.End, r.Done)
	}
	r.Done = p.End
	r.Parts = append(r.Parts, p)
}

// insideEscape reports whether incomplete JSON ends inside an escape.
func insideEscape(json []byte) bool {
	n := len(json)
	for back := 1; back <= min(6, n); back++ {
		if json[n-back] != '\\' {
			continue
		}
		run := 0
		for n-back-run > 0 && json[n-back-run-1] == '\\' {
			run++
		}
		if run%2 == 1 {
			return false // the backslash is itself escaped
		}
		return back == 1 || json[n-back+1] == 'u' && back < 6
	}
	return false
}
