package terminal

import (
	"fmt"
	"io"
	"time"
)

// Progress shows the progress of long work, after the first second.
type Progress struct {
	What  string // is counted
	Lines bool   // print a line every half minute if there is no terminal

	out      io.Writer
	isScreen bool // a line can be redrawn
	now      func() time.Time
	next     time.Time // when to show it again
	shown    bool
}

// How soon and how often progress is shown.
const (
	patience = time.Second
	rhythm   = 100 * time.Millisecond
	logTime  = 30 * time.Second // between two lines without a terminal
)

// NewProgress returns the progress of some work. It shows nothing unless out is a terminal that can
// redraw a line, or Lines is set.
func NewProgress(out io.Writer, what string) *Progress {
	p := &Progress{What: what, out: out, isScreen: ScreenOf(out, ColorNever).Redraw, now: time.Now}
	p.next = p.now().Add(patience)
	if !p.isScreen {
		p.next = p.now().Add(logTime)
	}
	return p
}

// At reports the number of finished steps and of all steps.
func (p *Progress) At(done, total int) {
	now := p.now()
	switch text := fmt.Sprintf("%d of %d %s", done, total, p.What); {
	case !now.After(p.next):
	case p.isScreen:
		fmt.Fprint(p.out, "\r\x1b[K"+text)
		p.next, p.shown = now.Add(rhythm), true
	case p.Lines:
		fmt.Fprintln(p.out, text)
		p.next = now.Add(logTime)
	}
}

// End erases the progress.
func (p *Progress) End() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
