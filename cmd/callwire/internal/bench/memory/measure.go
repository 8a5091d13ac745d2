package memory

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// Options say how to measure.
type Options struct {
	// Decoders is how many read at the same time; 0 means 10,000.
	Decoders int

	// Progress, if set, is called as the concurrent decoders go on.
	Progress func(done, total int)
}

// chunk is the size of the chunks that concurrent decoders get, in bytes.
const chunk = 16

// Measure measures. It takes a few seconds, for 10,000 decoders. The error is
// that the published benchmark cannot be read.
func Measure(o Options) (Report, error) {
	if o.Decoders <= 0 {
		o.Decoders = 10_000
	}
	s, err := bench.Published()
	if err != nil {
		return Report{}, err
	}
	m, err := newMessage(s)
	if err != nil {
		return Report{}, err
	}
	var r Report
	for _, x := range states(m) {
		r.Decoders = append(r.Decoders, Weight{x.name, weigh(s.Catalog, x.decoders, x.enter)})
	}
	if r.Concurrent, err = concurrent(s.Catalog, m, o); err != nil {
		return Report{}, err
	}
	r.Allocations, err = allocations(s.Catalog, m)
	return r, err
}

// message is text with the calls of the published benchmark in it.
type message struct {
	text   []byte
	calls  [][]byte
	inside int // offset of a place inside the longest call
}

// said stands before each call.
const said = "I can check that for you right away. Before I do, a word about units: the service answers in metric or imperial ones, and I take the former unless you say otherwise. One moment, let me look it up now. "

func newMessage(s bench.Suite) (message, error) {
	var m message
	longest := 0
	for _, c := range s.Calls {
		call, err := parse.Format(s.Catalog, c.Name, c.Input)
		if err != nil {
			return message{}, fmt.Errorf("%s: %w", c.Name, err)
		}
		m.calls = append(m.calls, []byte(call))
		m.text = append(append(m.text, said...), call...)
		if len(call) > longest {
			longest, m.inside = len(call), len(m.text)-len(call)/2
		}
	}
	return m, nil
}

// state is something that a decoder can be in the middle of.
type state struct {
	name     string
	decoders int // how many to weigh
	enter    func(*stream.Decoder)
}

// states returns what is weighed.
func states(m message) []state {
	inString := func(n int) func(*stream.Decoder) {
		text := []byte(`<call>sendEmail body="` + strings.Repeat("All is well, and so on. ", n/24+1)[:n])
		return func(d *stream.Decoder) { feed(d, text, 4096) }
	}
	return []state{
		{"new", 2000, func(*stream.Decoder) {}},
		{"idle, after a message with 19 calls", 1000, func(d *stream.Decoder) {
			feed(d, m.text, chunk)
			d.Close()
			d.Reset()
		}},
		{"in the text before a first call", 1000, func(d *stream.Decoder) { feed(d, []byte(said), chunk) }},
		{"inside a short call", 1000, func(d *stream.Decoder) { feed(d, []byte(`<call>getWeather location="New Y`), chunk) }},
		{"inside a string, after 4 KB", 500, inString(4 << 10)},
		{"inside a string, after 64 KB", 100, inString(64 << 10)},
		{"inside a string, after 1 MB", 10, inString(1 << 20)},
	}
}

// feed feeds text in chunks.
func feed(d *stream.Decoder, text []byte, size int) (calls int) {
	for i := 0; i < len(text); i += size {
		for _, e := range d.Feed(text[i:min(len(text), i+size)]) {
			if e.Type == stream.ToolCall {
				calls++
			}
		}
	}
	return calls
}

// weigh returns how many bytes each of n decoders holds in a state.
func weigh(catalog *sig.Catalog, n int, enter func(*stream.Decoder)) int {
	decoders := make([]*stream.Decoder, n)
	before := inUse()
	for i := range decoders {
		decoders[i] = stream.NewDecoder(catalog, stream.Options{})
		enter(decoders[i])
	}
	after := inUse()
	runtime.KeepAlive(decoders)
	return (after - before + n/2) / n
}

// concurrent lets many decoders read the message, a chunk each in turn.
func concurrent(catalog *sig.Catalog, m message, o Options) (Concurrent, error) {
	c := Concurrent{Decoders: o.Decoders, Chunk: chunk, Message: len(m.text)}
	decoders := make([]*stream.Decoder, o.Decoders)
	found := 0
	before := inUse()
	_, c.Allocated = allocated(func() {
		for i := range decoders {
			decoders[i] = stream.NewDecoder(catalog, stream.Options{})
		}
		for i := 0; i < len(m.text); i += chunk {
			for _, d := range decoders {
				found += feed(d, m.text[i:min(len(m.text), i+chunk)], chunk)
			}
			c.Peak = max(c.Peak, onHeap()-before)
			if i <= m.inside && m.inside < i+chunk {
				c.Inside = inUse() - before
			}
			if o.Progress != nil {
				o.Progress(min(i+chunk, len(m.text)), len(m.text))
			}
		}
	})
	runtime.KeepAlive(decoders)
	if want := len(m.calls) * o.Decoders; found != want {
		return Concurrent{}, fmt.Errorf("%d decoders find %d calls, not %d", o.Decoders, found, want)
	}
	return c, nil
}

// allocations counts those of decoders that have read a message before, and of
// new ones.
func allocations(catalog *sig.Catalog, m message) ([]Allocation, error) {
	parser, err := parse.NewParser(catalog, parse.Options{WholeCalls: true})
	if err != nil {
		return nil, err
	}
	var all []Allocation
	add := func(what string, size, calls int, read func()) {
		const runs = 10
		read()
		n, bytes := allocated(func() {
			for range runs {
				read()
			}
		})
		all = append(all, Allocation{what, size, float64(n) / float64(runs*calls), float64(bytes) / float64(runs*calls)})
	}
	add("parse.Parser, whole calls", 0, len(m.calls), func() {
		parser.Reset()
		for _, call := range m.calls {
			parser.Feed(call)
			for parser.Next() != parse.NoPart {
			}
		}
	})
	d := stream.NewDecoder(catalog, stream.Options{})
	for _, size := range []int{1, chunk, 4096} {
		add("stream.Decoder, messages with 19 calls", size, len(m.calls), func() {
			d.Reset()
			feed(d, m.text, size)
			d.Close()
		})
	}
	first := m.text[:len(said)+len(m.calls[0])]
	add("stream.Decoder, messages with 1 call", chunk, 1, func() {
		d.Reset()
		feed(d, first, chunk)
		d.Close()
	})
	add("a new stream.Decoder for a message with 1 call", chunk, 1, func() {
		d := stream.NewDecoder(catalog, stream.Options{})
		feed(d, first, chunk)
		d.Close()
	})
	return all, nil
}
