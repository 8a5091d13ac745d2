package render

import (
	"bufio"
	"io"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/stream"
)

// StreamPrinter is the audience of programs: it prints one line of JSON for each event.
type StreamPrinter struct{ out io.Writer }

// NewStreamPrinter returns one that prints to out.
func NewStreamPrinter(out *bufio.Writer) StreamPrinter {
	return StreamPrinter{out: terminal.Lines{Out: out}}
}

func (p StreamPrinter) source([]byte) {}

// Event prints an event.
func (p StreamPrinter) Event(e *stream.Event) {
	shown := protocol.StreamEventOf(e)
	if e.Type == stream.Malformed {
		shown.Name, shown.Message = e.Name, e.Err.Error()
	}
	p.out.Write(append(shown.AppendJSON(nil), '\n')) // Flush reports errors
}

func (p StreamPrinter) pause() {}

func (p StreamPrinter) end(Tally) {}
