package main

import (
	"bufio"
	"encoding/json"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/stream"
)

// streamPrinter is the audience of programs: one line of JSON for each event.
type streamPrinter struct{ enc *json.Encoder }

func newStreamPrinter(out *bufio.Writer) streamPrinter {
	return streamPrinter{enc: jsonl.NewEncoder(out)}
}

func (p streamPrinter) source([]byte) {}

func (p streamPrinter) event(e *stream.Event) {
	shown := protocol.StreamEventOf(e)
	if e.Type == stream.Malformed {
		shown.Name, shown.Message = e.Name, e.Err.Error()
	}
	p.enc.Encode(shown)
}

func (p streamPrinter) pause() {}

func (p streamPrinter) end(tally) {}
