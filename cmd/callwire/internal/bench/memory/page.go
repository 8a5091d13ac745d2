package memory

import (
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/page"
)

// Page puts the report into words.
func (r Report) Page() *page.Page {
	var p page.Page
	p.Heading("Memory")
	r.write(&p)
	return &p
}

// Brief is Page without its heading, for a README.
func (r Report) Brief() *page.Page {
	var p page.Page
	r.write(&p)
	return &p
}

func (r Report) write(p *page.Page) {
	t := page.Table{Head: []string{"one stream.Decoder", "bytes"}}
	for _, w := range r.Decoders {
		t.Row(w.State, fmt.Sprint(w.Bytes))
	}
	p.Table(t)
	c := r.Concurrent
	p.Text("%d decoders at once, each reading a message of %d bytes with 19 calls in chunks of %d: %s when all are inside a call, %s each; at the peak %s are on the heap, garbage included, and %s were allocated in all.",
		c.Decoders, c.Message, c.Chunk, bytesOf(c.Inside), bytesOf(c.Inside/c.Decoders), bytesOf(c.Peak), bytesOf(c.Allocated))
	t = page.Table{Head: []string{"allocations", "chunks", "for a call", "bytes for a call"}}
	for _, a := range r.Allocations {
		chunks := fmt.Sprint(a.Chunk)
		if a.Chunk == 0 {
			chunks = "each call"
		}
		t.Row(a.What, chunks, fmt.Sprintf("%.2f", a.Call), fmt.Sprintf("%.0f", a.Bytes))
	}
	p.Table(t)
}

// bytesOf returns a number of bytes in a unit of which there are some.
func bytesOf(n int) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
