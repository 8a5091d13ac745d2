package proof

import (
	"bufio"
	"bytes"

	"github.com/callwire/callwire/cmd/callwire/internal/render"
	"github.com/callwire/callwire/cmd/callwire/internal/split"
	"github.com/callwire/callwire/stream"
)

// reading reads a text at one split after another into the lines that --follow
// --json prints, adjacent deltas joined. Two readings can be compared then.
type reading struct {
	decoder *stream.Decoder
	lines   bytes.Buffer
	out     *bufio.Writer // to lines
	printer render.StreamPrinter
	delta   stream.Event // a delta that may go on; none if it is empty
}

func newReading(d *stream.Decoder) *reading {
	r := &reading{decoder: d}
	r.out = bufio.NewWriter(&r.lines)
	r.printer = render.NewStreamPrinter(r.out)
	return r
}

// read returns the lines of text, split. They hold until the next call.
func (r *reading) read(text []byte, s split.Split) []byte {
	r.decoder.Reset()
	r.lines.Reset()
	for chunk := range s.Chunks(text) {
		r.take(r.decoder.Feed(chunk))
	}
	r.take(r.decoder.Close())
	r.complete()
	r.out.Flush()
	return r.lines.Bytes()
}

func (r *reading) take(events []stream.Event) {
	for i := range events {
		e := &events[i]
		if e.Type != stream.TextDelta && e.Type != stream.ReasoningDelta && e.Type != stream.ToolInputDelta {
			r.complete()
			r.printer.Event(e)
			continue
		}
		if e.Type != r.delta.Type || e.ID != r.delta.ID {
			r.complete()
			r.delta.Type, r.delta.ID = e.Type, e.ID
		}
		r.delta.Delta = append(r.delta.Delta, e.Delta...)
	}
}

// complete ends the delta that may go on.
func (r *reading) complete() {
	if len(r.delta.Delta) > 0 {
		r.printer.Event(&r.delta)
		r.delta.Delta = r.delta.Delta[:0]
	}
}
