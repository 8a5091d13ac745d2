package memory

import (
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/stream"
)

// BenchmarkConcurrent lets 1000 decoders read a message with 19 calls at the same
// time. The metric B/decoder is what each holds inside a call.
func BenchmarkConcurrent(b *testing.B) {
	s, err := bench.Published()
	if err != nil {
		b.Fatal(err)
	}
	m, err := newMessage(s)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	held := 0
	for b.Loop() {
		c, err := concurrent(s.Catalog, m, Options{Decoders: 1000})
		if err != nil {
			b.Fatal(err)
		}
		held = c.Inside / c.Decoders
	}
	b.ReportMetric(float64(held), "B/decoder")
}

// BenchmarkNew makes a decoder and reads a message with one call.
func BenchmarkNew(b *testing.B) {
	s, err := bench.Published()
	if err != nil {
		b.Fatal(err)
	}
	m, err := newMessage(s)
	if err != nil {
		b.Fatal(err)
	}
	first := m.text[:len(said)+len(m.calls[0])]
	b.ReportAllocs()
	for b.Loop() {
		d := stream.NewDecoder(s.Catalog, stream.Options{})
		feed(d, first, chunk)
		d.Close()
	}
}
