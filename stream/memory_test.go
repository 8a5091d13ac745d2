package stream_test

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// held returns how many bytes each of many decoders holds after text, in chunks
// of a size.
func held(text string, size int) int {
	const n = 4000
	decoders := make([]*stream.Decoder, n)
	before := heap()
	for i := range decoders {
		d := stream.NewDecoder(nil, stream.Options{})
		for j := 0; j < len(text); j += size {
			d.Feed([]byte(text[j:min(len(text), j+size)]))
		}
		decoders[i] = d
	}
	after := heap()
	runtime.KeepAlive(decoders)
	return (after - before) / n
}

func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// A decoder holds less than a kilobyte before a call and after it, however much text
// came, and a few in it: a server has tens of thousands of them.
func TestMemoryOfADecoder(t *testing.T) {
	prose := strings.Repeat("Some text with a < b and é, <b>bold</b>.\n", 20)
	for _, c := range []struct {
		name, text string
		size, most int
	}{
		{"new", "", 1, 512},
		{"after a word", "Hello", 5, 1024},
		{"in text", prose, 4, 1024},
		{"in text of larger chunks", prose, 100, 1024},
		{"after a call", prose + "<call>t a=1 b=\"x\"</call>", 4, 1024},
		{"after calls and text", strings.Repeat(prose+"<call>t a=1 b=\"x\"</call>", 3) + " Done.", 4, 1024},
		{"in a call", prose + "<call>t a=1 b=\"x", 4, 3584},
	} {
		if got := held(c.text, c.size); got > c.most {
			t.Errorf("%s: %d bytes a decoder, want at most %d", c.name, got, c.most)
		} else {
			t.Logf("%s: %d bytes a decoder", c.name, got)
		}
	}
}

// A decoder that has been closed holds no parser either, also where all came in one
// chunk: its events and that chunk are what is left.
func TestMemoryOfAClosedDecoder(t *testing.T) {
	const n = 4000
	decoders := make([]*stream.Decoder, n)
	before := heap()
	for i := range decoders {
		decoders[i] = stream.NewDecoder(nil, stream.Options{})
		decoders[i].FeedString(strings.Repeat("Some text. ", 20) + "<call>t a=1</call>")
		decoders[i].Close()
	}
	if got := (heap() - before) / n; got > 1600 {
		t.Errorf("%d bytes a decoder", got)
	}
	runtime.KeepAlive(decoders)
}

// TestMemoryOfManyEvents: what the events of one long chunk take is bounded for each of its
// bytes, and a Writer, which is given all of it, takes a fraction of that.
func TestMemoryOfManyEvents(t *testing.T) {
	text := strings.Repeat("a<call>t</call>", 2<<20/15)
	for _, c := range []struct {
		name string
		most int
		read func(*stream.Decoder)
	}{
		{"Feed", 200, func(d *stream.Decoder) { d.FeedString(text) }},
		{"Writer", 10, func(d *stream.Decoder) { stream.NewWriter(d, nil).WriteString(text) }},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c.read(stream.NewDecoder(nil, stream.Options{}))
		runtime.ReadMemStats(&after)
		if got := int(after.TotalAlloc-before.TotalAlloc) / len(text); got > c.most {
			t.Errorf("%s: %d bytes for each of the text, want at most %d", c.name, got, c.most)
		} else {
			t.Logf("%s: %d bytes for each of the text", c.name, got)
		}
	}
}

// Bytes that may begin a tag take no more memory the more there are, whatever the tags,
// even if these are not legal.
func TestMemoryOfOtherTags(t *testing.T) {
	const n = 1 << 14
	for _, tags := range []lexer.Delims{{}, {Open: "<c-x1>", Close: "</c-x1>"}, {Open: "[[", Close: "]]"}, {Open: "<call ", Close: "/>"}} {
		for _, salvage := range []bool{false, true} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d := stream.NewDecoder(nil, stream.Options{Options: parse.Options{Delims: tags, Salvage: salvage}})
			for range n {
				d.FeedString("a < [ ")
			}
			runtime.ReadMemStats(&after)
			if got := int(after.TotalAlloc-before.TotalAlloc) / n; got > 16 {
				t.Errorf("%q, salvage %t: %d bytes a chunk", tags, salvage, got)
			}
		}
	}
}

// averageAllocs returns how often f allocates, without collections: these take the
// parsers that no decoder uses. Where the race detector does so too, it returns 0.
func averageAllocs(runs int, f func()) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	n := testing.AllocsPerRun(runs, f)
	if lossy {
		return 0
	}
	return n
}

// A decoder that nobody keeps is not on the heap: its events are.
func TestNoAllocationOfADecoder(t *testing.T) {
	if n := averageAllocs(100, func() { stream.NewDecoder(nil, stream.Options{}).FeedString("") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A decoder that is used for one message after another allocates nothing, with
// all deltas, whatever the chunks.
func TestNoAllocations(t *testing.T) {
	const schema = `{"properties":{"a":{"type":"string"},"b":{"type":"integer"},"c":{"properties":{"d":{"type":"string"}}},"e":{"type":"array","items":{"type":"string"}}}}`
	catalog := catalogOf(t, schema)
	one := `Let me see, a < b and é. <call>t a="x y" b=1 c.d="z\n" e=["u", v w]</call><call>t {"a":"x","e":[]}</call>`
	for _, c := range []struct{ name, text string }{
		{"two calls", one},
		{"hundreds of calls", strings.Repeat(one, 150)},
		{"a long string", `<call>t a="` + strings.Repeat("a long string é\\n", 2000) + `"</call>`},
	} {
		in := []byte(c.text)
		for _, size := range []int{1, 4, 61, 4096, len(in)} {
			t.Run(fmt.Sprintf("%s, chunks of %d", c.name, size), func(t *testing.T) {
				d := stream.NewDecoder(catalog, stream.Options{})
				calls, deltas := 0, 0
				read := func() {
					d.Reset()
					calls, deltas = 0, 0
					for i := 0; i < len(in); i += size {
						for _, e := range d.Feed(in[i:min(len(in), i+size)]) {
							switch e.Type {
							case stream.ToolCall:
								calls++
							case stream.ToolInputDelta:
								deltas++
							}
						}
					}
					d.Close()
				}
				read()
				read()
				if got := averageAllocs(3, read); got != 0 {
					t.Errorf("%v allocations a message", got)
				}
				if want := strings.Count(c.text, "</call>"); calls != want || deltas < calls {
					t.Errorf("%d calls of %d, %d deltas", calls, want, deltas)
				}
			})
		}
	}
}

// source is a reader of one text again and again, in chunks of a size.
type source struct {
	text string
	size int
	at   int
}

func (s *source) Read(p []byte) (int, error) {
	if s.at == len(s.text) {
		s.at = 0
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), s.size)], s.text[s.at:])
	s.at += n
	return n, nil
}

// loop counts the calls that r reads.
func loop(r io.Reader) (calls int) {
	for e, err := range stream.Events(r, nil, stream.Options{}) {
		if err != nil {
			return -1
		}
		if e.Type == stream.ToolCall {
			calls++
		}
	}
	return calls
}

// loopByHand is loop without the iterator.
func loopByHand(r io.Reader) (calls int) {
	d := stream.NewDecoder(nil, stream.Options{})
	buf := make([]byte, 4096)
	for {
		n, err := r.Read(buf)
		for _, e := range d.Feed(buf[:n]) {
			if e.Type == stream.ToolCall {
				calls++
			}
		}
		if err != nil {
			d.Close()
			return calls
		}
	}
}

// A loop over events allocates what a decoder and its buffer need, and nothing
// for the iterator, which is inlined, or for each chunk or event.
func TestIteratorDoesNotAllocate(t *testing.T) {
	const one = `text <call>t a="x y" b=1</call> `
	for _, size := range []int{1, 16, 4096} {
		allocs := func(loop func(io.Reader) int, calls int) float64 {
			s := &source{text: strings.Repeat(one, calls), size: size}
			return averageAllocs(10, func() {
				if n := loop(s); n != calls {
					t.Errorf("%d calls of %d", n, calls)
				}
			})
		}
		// The decoder of the loop by hand is on the stack.
		if a, b := allocs(loop, 100), allocs(loopByHand, 100); a > b+1 {
			t.Errorf("chunks of %d: %v allocations, by hand %v", size, a, b)
		}
		if few, many := allocs(loop, 500), allocs(loop, 900); many > few {
			t.Errorf("chunks of %d: %v allocations for 500 calls, %v for 900", size, few, many)
		}
	}
}
