package memory

import (
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/stream"
)

// TestMeasure holds what must be true on every machine: what is inside a string
// holds it, and not many times; what has read before allocates nothing.
func TestMeasure(t *testing.T) {
	last, total := 0, 0
	r, err := Measure(Options{Decoders: 50, Progress: func(done, all int) { last, total = done, all }})
	if err != nil {
		t.Fatal(err)
	}
	least := map[string]int{"inside a string, after 4 KB": 4 << 10, "inside a string, after 64 KB": 64 << 10, "inside a string, after 1 MB": 1 << 20}
	for _, w := range r.Decoders {
		n := least[w.State]
		delete(least, w.State)
		if w.Bytes <= n || w.Bytes > 8*n+16<<10 {
			t.Errorf("%s: %d bytes", w.State, w.Bytes)
		}
	}
	if len(least) > 0 {
		t.Errorf("not weighed: %v", least)
	}
	c := r.Concurrent
	if c.Decoders != 50 || c.Inside < 50*500 || c.Inside > c.Allocated || c.Peak > c.Allocated+1<<20 {
		t.Errorf("%+v", c)
	}
	if last == 0 || last != total {
		t.Errorf("progress ends at %d of %d", last, total)
	}
	for _, a := range r.Allocations {
		fresh := a.What == "a new stream.Decoder for a message with 1 call"
		if fresh && a.Call < 1 || !fresh && a.Call > 0.5 {
			t.Errorf("%s, chunks of %d: %.2f allocations for a call", a.What, a.Chunk, a.Call)
		}
	}
}

// TestMessage: the place that all decoders wait at is inside a call.
func TestMessage(t *testing.T) {
	s, err := bench.Published()
	if err != nil {
		t.Fatal(err)
	}
	m, err := newMessage(s)
	if err != nil {
		t.Fatal(err)
	}
	d := stream.NewDecoder(s.Catalog, stream.Options{})
	before := feed(d, m.text[:m.inside], 7)
	if rest := feed(d, m.text[m.inside:], 7); before == 0 || before+rest != len(s.Calls) {
		t.Errorf("%d calls before the place and %d after it", before, rest)
	}
	d.Reset()
	feed(d, m.text[:m.inside], len(m.text))
	left := d.Close()
	if e := left[len(left)-1]; e.Type != stream.Malformed {
		t.Errorf("the place is inside no call: %v", e.Type)
	}
}

// TestWeigh weighs what weighs something that is known.
func TestWeigh(t *testing.T) {
	var kept [][]byte
	got := weigh(nil, 100, func(*stream.Decoder) { kept = append(kept, make([]byte, 8<<10)) })
	if got < 8<<10 || got > 9<<10 || len(kept) != 100 {
		t.Errorf("8192 bytes and a decoder weigh %d", got)
	}
	var kept2 [][]byte
	n, bytes := allocated(func() {
		for range 100 {
			kept2 = append(kept2, make([]byte, 1<<10))
		}
	})
	if n < 100 || n > 200 || bytes < 100<<10 || bytes > 120<<10 || len(kept2) != 100 {
		t.Errorf("100 KB in 100 allocations: %d bytes in %d", bytes, n)
	}
}
