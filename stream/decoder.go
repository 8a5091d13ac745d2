package stream

import (
	"errors"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Options configure how a message is read.
type Options = parse.Options

// Decoder emits the events of one message after another. Use [NewDecoder]: the zero Decoder only
// returns [ErrNotNew].
//
//	decoding = { Write | Break } ( Close | Abort ) [ Reset decoding ]
//
// It is not safe for concurrent use. While it waits in text it takes about a kilobyte, starting
// with the second chunk after a call.
type Decoder struct {
	parser   *engine.Parser
	emit     func(Event) error
	emitting bool
	err      error // sticky: of emit, or why the Decoder cannot be used
}

// ErrClosed is the error of writing to a Decoder after Close or Abort.
var ErrClosed = errors.New("stream: write after close")

// ErrInCallback is the error of using a Decoder from its own callback, and of using it again after
// its callback has panicked.
var ErrInCallback = errors.New("stream: use of a decoder while its callback runs")

// ErrNotNew is the error of using a Decoder that [NewDecoder] did not return.
var ErrNotNew = errors.New("stream: use of a zero decoder")

var errNoCallback = errors.New("stream: want a callback, have nil")

// NewDecoder returns a Decoder that emits events. Nil options mean the defaults. The error reports
// options that cannot be used, or that emit is nil.
//
// If emit returns an error, the decoder drops the remaining events, and all its methods except
// Reset return that error.
func NewDecoder(catalog *sig.Catalog, emit func(Event) error, o *Options) (*Decoder, error) {
	if emit == nil {
		return nil, errNoCallback
	}
	p, err := engine.NewParser(catalog, (*engine.Options)(o), 0)
	if err != nil {
		return nil, err
	}
	return &Decoder{parser: p, emit: emit}, nil
}

// maxChunk is how many bytes the parser reads at once. Their events may take a hundred times that.
const maxChunk = 64 << 10

// Write reads the next chunk, which it does not keep. The error is that of emit, now or before,
// or [ErrClosed]; n is then the length of what was read before.
func (d *Decoder) Write(chunk []byte) (n int, err error) {
	if d.parser == nil {
		return 0, ErrNotNew
	}
	for d.err == nil {
		piece := chunk[n:min(n+maxChunk, len(chunk))]
		if err := d.emitAll(d.parser.Feed(piece)); err != nil {
			return n, err
		}
		n += len(piece)
		if n == len(chunk) {
			return n, nil
		}
	}
	return n, d.err
}

// Close ends the message. A call that is still open is malformed. Closing again has no effect.
func (d *Decoder) Close() error { return d.end((*engine.Parser).Close) }

// Abort is Close for a message that broke off: nothing at its end is accepted as complete.
func (d *Decoder) Abort() error { return d.end((*engine.Parser).Abort) }

// Break ends what is held back, as Abort does, because something other than text follows. The
// message goes on after it, in the same reasoning or code fence, on a line of its own.
func (d *Decoder) Break() error {
	switch {
	case d.parser == nil:
		return ErrNotNew
	case d.err != nil:
		return d.err
	}
	return d.emitAll(d.parser.Break())
}

func (d *Decoder) end(end func(*engine.Parser) []engine.Event) error {
	switch {
	case d.parser == nil:
		return ErrNotNew
	case d.err == ErrClosed:
		return nil
	case d.err != nil:
		return d.err
	}
	if err := d.emitAll(end(d.parser)); err != nil {
		return err
	}
	d.parser.Release()
	d.err = ErrClosed
	return nil
}

// Reset prepares for a new message, even after an error. In the callback it has no effect.
func (d *Decoder) Reset() {
	if d.emitting || d.parser == nil {
		return
	}
	d.parser.Reset()
	d.err = nil
}

// emitAll emits events.
func (d *Decoder) emitAll(events []engine.Event) error {
	if len(events) == 0 {
		return nil
	}
	d.emitting = true
	defer func() {
		d.emitting = false
		d.parser.Drop() // the events would retain the chunk
	}()
	d.err = ErrInCallback // stays if emit panics
	for i := range events {
		from := &events[i]
		e := Event{ // engine.Kind and Type have the same values in the same order
			Type: Type(from.Kind), ID: from.ID, Name: from.Name, Start: from.Start, End: from.End,
		}
		switch e.Type {
		case TextDelta, ReasoningDelta, InputDelta:
			e.Delta = from.Bytes
		case Call:
			e.Call = callOf(from)
		case Malformed:
			e.Text, e.Err = string(from.Bytes), from.Fault()
		}
		if err := d.emit(e); err != nil {
			d.err = err
			return err
		}
	}
	d.err = nil
	return nil
}

// callOf returns the call that e completes.
func callOf(e *engine.Event) *parse.Call {
	const most = 104 // bytes of input that are one allocation with the call: enough for most
	var c *parse.Call
	if n := len(e.Bytes); n <= most {
		both := new(struct {
			call  parse.Call
			input [most]byte
		})
		c = &both.call
		c.Input = both.input[:n:n]
	} else {
		c = &parse.Call{Input: make([]byte, n)}
	}
	copy(c.Input, e.Bytes)
	c.ID, c.Name, c.AfterMalformed = e.ID, e.Name, e.AfterMalformed
	if e.Problem != nil {
		for _, i := range e.Problem.Issues {
			issue := parse.Issue{Code: i.Code, Path: i.Path, Offset: i.At, Type: i.Type}
			c.Issues = append(c.Issues, issue)
		}
	}
	return c
}
