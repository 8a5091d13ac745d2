package terminal

import (
	"fmt"
	"io"
	"time"
)

// Progress shows the progress of long work, after the first second.
type Progress struct {
	What string // is counted

	out   io.Writer // nil to show nothing
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

// NewProgress returns the progress of work in total steps. It shows nothing unless out is a terminal
// that can redraw a line.
func NewProgress(out io.Writer, what string, total int) *Progress {
	if !ScreenOf(out, ColorNever).Redraw {
		out = nil
	}
	return &Progress{
		What: what, out: out, total: total, now: time.Now, next: time.Now().Add(patience),
	}
}

// Step reports one more step.
func (p *Progress) Step() { p.At(p.done+1, p.total) }

// At reports the number of finished steps and of all steps.
func (p *Progress) At(done, total int) {
	p.done, p.total = done, total
	if p.out == nil {
		return
	}
	if now := p.now(); now.After(p.next) {
		fmt.Fprintf(p.out, "\r\x1b[K%d of %d %s", p.done, p.total, p.What)
		p.next, p.shown = now.Add(rhythm), true
	}
}

// End erases the progress.
func (p *Progress) End() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
