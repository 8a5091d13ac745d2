package stream

import (
	"bytes"
	"errors"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/parse"
)

// Options configure how a message is read.
type Options = parse.Options

// Decoder emits the events of one message after another. Use [NewDecoder].
//
//	decoding = { Write } ( Close | Abort ) [ Reset decoding ]
//
// It is not safe for concurrent use. While it waits in text it takes less than a kilobyte.
type Decoder struct {
	parser *engine.Parser
	emit   func(Event) error
	err    error // sticky: of emit, or why the Decoder cannot be used
}

// ErrClosed is the error of writing to a Decoder after Close or Abort.
var ErrClosed = errors.New("stream: write after close")

// ErrInCallback is the error of using a Decoder from its own callback, and of using it again after
// its callback has panicked.
var ErrInCallback = errors.New("stream: use of a decoder while its callback runs")

// NewDecoder returns a Decoder that emits events. Nil options mean the defaults. The error reports
// a Format or Tags that cannot be read.
//
// If emit returns an error, the decoder drops the remaining events, and all its methods except
// Reset return that error.
func NewDecoder(catalog *sig.Catalog, emit func(Event) error, o *Options) (*Decoder, error) {
	if o == nil {
		o = new(Options)
	}
	c, err := engine.Compile(catalog, &engine.Options{
		Format: o.Format, Tags: o.Tags, Limits: o.Limits, Strict: o.Strict, Repair: o.Repair,
		AllowAfterMalformed: o.AllowAfterMalformed, AllowInCode: o.AllowInCode,
		AllowUnclosed: o.AllowUnclosed, Reasoning: o.Reasoning,
	})
	if err != nil {
		return nil, err
	}
	d := &Decoder{parser: c.NewParser(), emit: emit}
	d.parser.SetNewID(o.NewID)
	return d, nil
}

// maxChunk is how many bytes the parser reads at once. Their events may take a hundred times that.
const maxChunk = 64 << 10

// Write reads the next chunk, which it does not keep. The error is that of emit, now or before,
// or [ErrClosed]; n is then the length of what was read before.
func (d *Decoder) Write(chunk []byte) (n int, err error) {
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

func (d *Decoder) end(end func(*engine.Parser) []engine.Event) error {
	if d.err == ErrClosed {
		return nil
	}
	if d.err != nil {
		return d.err
	}
	if err := d.emitAll(end(d.parser)); err != nil {
		return err
	}
	d.parser.Release()
	d.err = ErrClosed
	return nil
}

// Reset prepares for a new message, whatever happened to the last one.
func (d *Decoder) Reset() {
	d.parser.Reset()
	d.err = nil
}

// emitAll emits events.
func (d *Decoder) emitAll(events []engine.Event) error {
	for i := range events {
		d.err = ErrInCallback // stays if emit does not return
		err := d.emit(eventOf(&events[i]))
		d.err = err
		if err != nil {
			return err
		}
	}
	return nil
}

// types has the type of each kind of event of the engine.
var types = [...]Type{
	engine.TextStart: TextStart, engine.Text: TextDelta, engine.TextEnd: TextEnd,
	engine.ReasoningStart: ReasoningStart, engine.Reasoning: ReasoningDelta,
	engine.ReasoningEnd: ReasoningEnd, engine.Section: Section,
	engine.InputStart: InputStart, engine.InputDelta: InputDelta, engine.InputEnd: InputEnd,
	engine.Call: Call, engine.Malformed: Malformed,
}

// eventOf returns an event of the engine for the caller. Only its Delta is borrowed.
func eventOf(e *engine.Event) Event {
	out := Event{Type: types[e.Kind], ID: e.ID, Name: e.Name, Start: e.Start, End: e.End}
	switch out.Type {
	case TextDelta, ReasoningDelta, InputDelta:
		out.Delta = e.Bytes
	case Call:
		out.Call = callOf(e)
	case Malformed:
		out.Text, out.Err = string(e.Bytes), e.Fault()
	}
	return out
}

// callOf returns the call that e completes.
func callOf(e *engine.Event) *parse.Call {
	c := &parse.Call{
		ID: e.ID, Name: e.Name, Input: bytes.Clone(e.Bytes), AfterMalformed: e.AfterMalformed,
	}
	if e.Problem != nil {
		for _, i := range e.Problem.Issues {
			c.Issues = append(c.Issues, parse.Issue{Code: i.Code, Path: i.Path, Offset: i.At, Type: i.Type})
		}
	}
	return c
}
