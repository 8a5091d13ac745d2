package fuzz

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/events"
	"github.com/callwire/callwire/stream"
)

// Reader reads a message in chunks with a [stream.Decoder]. It keeps what was emitted, and checks
// at every step that events come in order, that their spans tile the message, that deltas are the
// text of their span and what the complete call contains, and that none ends inside a character
// or an escape.
type Reader struct {
	corpus.Joiner       // has the parts that were emitted so far
	Done          int   // everything before this offset has been emitted
	Err           error // the first broken promise

	Dropped []string // the input that was emitted of each malformed call

	decoder *stream.Decoder
	in      []byte         // the message so far
	ragged  bool           // a delta is not valid UTF-8
	id      string         // of the open text, reasoning or call
	ids     []string       // of all
	input   []byte         // of the last call
	kept    []stream.Event // complete calls and errors, which belong to the caller
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
	r.in = append(r.in, chunk...)
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
	if _, err := r.Joiner.Close(); err != nil {
		r.fail("%w", err)
	}
	if r.Done != len(r.in) {
		r.fail("the parts end at %d of %d", r.Done, len(r.in))
	}
	if r.ragged && utf8.Valid(r.in) {
		r.fail("a delta ends inside a rune")
	}
}

// Reset prepares for another message.
func (r *Reader) Reset() {
	r.decoder.Reset()
	*r = Reader{decoder: r.decoder}
}

// Read reads a message in chunks.
func (s Setup) Read(chunks ...[]byte) ([]Part, error) { return NewReader(s).Read(chunks...) }

// read is Read for properties other than totality, which reports broken promises.
func (s Setup) read(chunks ...[]byte) []Part {
	parts, _ := s.Read(chunks...)
	return parts
}

// begin reads the beginning of a message.
func (s Setup) begin(chunks ...[]byte) *Reader {
	r := NewReader(s)
	for _, c := range chunks {
		r.Feed(c)
	}
	return r
}

// Read reads a message in chunks.
func (r *Reader) Read(chunks ...[]byte) ([]Part, error) {
	for _, c := range chunks {
		r.Feed(c)
	}
	r.Close()
	return r.Events, r.Err
}

// partOf returns an event as a part, with the source of a malformed call. It shares no memory
// with e.
func partOf(e *stream.Event) Part {
	p := events.OfStream(e)
	if e.Type == stream.Malformed {
		p.Text = corpus.Bytes(e.Text)
	}
	return p
}

func (r *Reader) fail(format string, args ...any) {
	if r.Err == nil {
		r.Err = fmt.Errorf(format, args...)
	}
}

func (r *Reader) event(e stream.Event) {
	r.identify(&e)
	span := r.in[min(max(e.Start, 0), len(r.in)):min(max(e.Start, e.End), len(r.in))]
	switch e.Type {
	case stream.TextDelta, stream.ReasoningDelta:
		r.ragged = r.ragged || !utf8.Valid(e.Delta)
		if len(e.Delta) == 0 || string(e.Delta) != string(span) {
			r.fail("%s %q of %q", e.Type, e.Delta, span)
		}
	case stream.InputStart:
		r.input = r.input[:0]
	case stream.InputDelta:
		r.ragged = r.ragged || !utf8.Valid(e.Delta)
		r.input = append(r.input, e.Delta...)
		if insideEscape(r.input) {
			r.fail("input ends inside an escape: %q", r.input)
		}
	case stream.Malformed:
		if !bytes.HasPrefix(span, []byte(e.Text)) {
			r.fail("%q is the source of %q", e.Text, span)
		}
		r.kept = append(r.kept, e)
	case stream.Call:
		r.kept = append(r.kept, e)
	}
	switch e.Type {
	case stream.TextStart, stream.TextEnd, stream.InputDelta, stream.InputEnd:
	default:
		if e.Start != r.Done {
			r.fail("%s at %d after offset %d", e.Type, e.Start, r.Done)
		}
		if e.Type != stream.InputStart {
			r.Done = e.End
		}
	}
	p := partOf(&e)
	if kind, err := r.Add(&p); err != nil && kind != corpus.WrongID { // see identify
		r.fail("%w", err)
	}
}

// insideEscape reports whether incomplete JSON ends inside an escape.
func insideEscape(json []byte) bool {
	window := json[max(0, len(json)-5):]
	i := bytes.LastIndexByte(window, '\\')
	if i < 0 {
		return false
	}
	at := len(json) - len(window) + i
	run := at + 1 - len(bytes.TrimRight(json[:at+1], `\`))
	return run%2 == 1 && (at == len(json)-1 || json[at+1] == 'u')
}

// identify checks the ID of an event: it is that of the open text, reasoning or call. Only those of
// a format's own may repeat.
func (r *Reader) identify(e *stream.Event) {
	switch e.Type {
	case stream.TextStart, stream.ReasoningStart, stream.InputStart:
		if e.ID == "" || slices.Contains(r.ids, e.ID) && e.Type != stream.InputStart {
			r.fail("%s with the ID %q", e.Type, e.ID)
		}
		r.ids = append(r.ids, e.ID)
		r.id = e.ID
	}
	if e.ID != r.id {
		r.fail("%s with the ID %q inside %q", e.Type, e.ID, r.id)
	}
	switch e.Type {
	case stream.Malformed:
		if r.id != "" {
			r.Dropped = append(r.Dropped, string(r.input))
		}
		r.id = ""
	case stream.TextEnd, stream.ReasoningEnd, stream.Call:
		r.id = ""
	}
}
