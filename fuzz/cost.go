package fuzz

import (
	"runtime"
	"time"

	"github.com/callwire/callwire/fuzz/clock"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/stream"
)

// Cost is the cost of reading a text.
type Cost struct {
	Bytes     int           // of the text
	Allocated int           // bytes, freed or not
	Time      time.Duration // of the processor, where the system tells it
}

// Boundless are limits that no text here reaches, so that calls can grow with the text.
var Boundless = lexer.Limits{Bytes: 1 << 30, Depth: 1 << 30, Arguments: 1 << 30, Name: 1 << 30}

// Cost reads the adversary's text of about n bytes in chunks of one size, with limits.
func (a Adversary) Cost(n, size int, limits lexer.Limits) Cost {
	s := a.Setup
	s.Limits = limits
	return s.cost([]byte(a.Text(n)), size)
}

// cost reads text in chunks of one size.
func (s Setup) cost(text []byte, size int) Cost {
	d := stream.NewDecoder(s.Catalog, s.stream())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := clock.Now()
	for i := 0; i < len(text); i += size {
		d.Feed(text[i:min(len(text), i+size)])
	}
	d.Close()
	took := clock.Now() - start
	runtime.ReadMemStats(&after)
	return Cost{len(text), int(after.TotalAlloc - before.TotalAlloc), took}
}
