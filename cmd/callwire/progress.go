package main

import (
	"fmt"
	"io"
	"time"
)

// progress shows how far long work is, from its second second on.
type progress struct {
	out   io.Writer // a terminal; nil to show nothing
	what  string
	total int

	done  int
	now   func() time.Time
	next  time.Time // when to show it again
	shown bool
}

// How soon and how often progress is shown.
const (
	patience = time.Second
	rhythm   = 100 * time.Millisecond
)

func newProgress(out io.Writer, what string, total int) *progress {
	return &progress{out: out, what: what, total: total, now: time.Now, next: time.Now().Add(patience)}
}

// step says that one more is done.
func (p *progress) step() {
	p.done++
	if p.out == nil {
		return
	}
	if now := p.now(); now.After(p.next) {
		fmt.Fprintf(p.out, "\r%d of %d %s", p.done, p.total, p.what)
		p.next, p.shown = now.Add(rhythm), true
	}
}

// end takes away what was shown.
func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
