package speed

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// Reader is what reads a workload.
type Reader string

// The readers.
const (
	Wire      Reader = "wire"      // stream.Decoder of this module
	Parser    Reader = "parser"    // parse.Parser below it, when only whole calls are wanted
	JSON      Reader = "json"      // encoding/json, on the equivalent native calls
	JSONv2    Reader = "jsonv2"    // encoding/json/v2, where the toolchain has it
	IndexByte Reader = "indexbyte" // bytes.IndexByte for every <
	Noop      Reader = "noop"      // a call for each chunk that does nothing
)

// reading reads a workload once and returns how many calls it found and how many
// bytes their arguments have.
type reading func() (calls, argumentBytes int)

// readers returns the readers of a workload in chunks of the given size, the wire
// format first.
func (w workload) readers(size int) ([]Reader, map[Reader]reading) {
	decoder := stream.NewDecoder(w.catalog, stream.Options{Options: parse.Options{Limits: limits}})
	names := []Reader{Wire}
	read := map[Reader]reading{Wire: func() (int, int) { return readWire(decoder, w.wire, size) }}
	if w.catalog != nil {
		if p, err := parse.NewParser(w.catalog, parse.Options{Limits: limits, WholeCalls: true}); err == nil { // the tags are the default ones
			names = append(names, Parser)
			read[Parser] = func() (int, int) { return readWhole(p, w.wire, size) }
		}
	}
	if w.native != nil {
		names = append(names, JSON)
		read[JSON] = func() (int, int) { return readJSON(w.native, size) }
		if readJSONv2 != nil {
			names = append(names, JSONv2)
			read[JSONv2] = func() (int, int) { return readJSONv2(w.native, size) }
		}
	}
	names = append(names, IndexByte, Noop)
	read[IndexByte] = func() (int, int) { return feed(jumper{}, w.wire, size), 0 }
	read[Noop] = func() (int, int) { return feed(idler{}, w.wire, size), 0 }
	return names, read
}

// readWire takes every event of a message.
func readWire(d *stream.Decoder, pieces [][]byte, size int) (calls, argumentBytes int) {
	d.Reset()
	for _, m := range pieces {
		by := step(m, size)
		for i := 0; i < len(m); i += by {
			for _, e := range d.Feed(m[i:min(len(m), i+by)]) {
				if e.Type == stream.ToolCall {
					calls++
					argumentBytes += len(e.Input)
				}
			}
		}
	}
	d.Close()
	return calls, argumentBytes
}

// readWhole takes the calls of a message.
func readWhole(p *parse.Parser, pieces [][]byte, size int) (calls, argumentBytes int) {
	p.Reset()
	for _, m := range pieces {
		by := step(m, size)
		for i := 0; i < len(m); i += by {
			p.Feed(m[i:min(len(m), i+by)])
			for part := p.Next(); part != parse.NoPart; part = p.Next() {
				if part == parse.CallPart {
					calls++
					argumentBytes += len(p.Segment().Input)
				}
			}
		}
	}
	return calls, argumentBytes
}

// step returns how far to go in m for the next chunk.
func step(m []byte, size int) int {
	if size == whole {
		return len(m)
	}
	return size
}

// raw is a block of which everything long stays JSON.
type raw struct {
	Type  string          `json:"type"`
	Text  json.RawMessage `json:"text"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// readJSON decodes blocks, or a stream of blocks that arrives in chunks.
func readJSON(pieces [][]byte, size int) (calls, argumentBytes int) {
	for _, m := range pieces {
		if size == whole {
			var b raw
			if json.Unmarshal(m, &b) != nil {
				return 0, 0
			}
			calls++
			argumentBytes += len(b.Input)
			continue
		}
		for d := json.NewDecoder(&dribble{m, size}); ; {
			var b raw
			if d.Decode(&b) != nil {
				break
			}
			if b.Type == "tool_use" {
				calls++
				argumentBytes += len(b.Input)
			}
		}
	}
	return calls, argumentBytes
}

// dribble is an io.Reader that gives text in chunks.
type dribble struct {
	text []byte
	size int
}

func (d *dribble) Read(p []byte) (int, error) {
	if len(d.text) == 0 {
		return 0, io.EOF
	}
	n := copy(p, d.text[:min(len(d.text), d.size)])
	d.text = d.text[n:]
	return n, nil
}

// feeder takes chunks. It is an interface so that the compiler cannot look into
// who takes them.
type feeder interface{ feed(chunk []byte) int }

func feed(f feeder, pieces [][]byte, size int) (n int) {
	for _, m := range pieces {
		by := step(m, size)
		for i := 0; i < len(m); i += by {
			n += f.feed(m[i:min(len(m), i+by)])
		}
	}
	return n
}

// jumper looks at every <: the least that looking for calls can take.
type jumper struct{}

//go:noinline
func (jumper) feed(chunk []byte) (n int) {
	for {
		i := bytes.IndexByte(chunk, '<')
		if i < 0 {
			return n
		}
		n++
		chunk = chunk[i+1:]
	}
}

// idler does nothing.
type idler struct{}

//go:noinline
func (idler) feed([]byte) int { return 0 }
