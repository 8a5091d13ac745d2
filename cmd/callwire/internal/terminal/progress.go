package terminal

import (
	"fmt"
	"io"
	"time"
)

// Progress shows the progress of long work: on a terminal in one line that is drawn again, after
// the first second; elsewhere in a line every half minute.
type Progress struct {
	What string // is counted

	out      io.Writer
	isScreen bool
	next     time.Time // when to show it
	shown    bool
}

// How soon and how often progress is shown.
const (
	patience = time.Second
	rhythm   = 100 * time.Millisecond
	logTime  = 30 * time.Second // between two lines without a terminal
)

// NewProgress returns the progress of work that begins now.
func NewProgress(out io.Writer, what string) *Progress {
	p := &Progress{What: what, out: out, isScreen: ScreenOf(out, ColorNever).Redraw}
	p.next = time.Now().Add(patience)
	if !p.isScreen {
		p.next = time.Now().Add(logTime)
	}
	return p
}

// At reports the number of finished steps and of all steps.
func (p *Progress) At(done, total int) { p.at(time.Now(), done, total) }

func (p *Progress) at(now time.Time, done, total int) {
	if !now.After(p.next) {
		return
	}
	text := fmt.Sprintf("%d of %d %s", done, total, p.What)
	if p.isScreen {
		fmt.Fprint(p.out, clearLine+text)
		p.next, p.shown = now.Add(rhythm), true
	} else {
		fmt.Fprintln(p.out, text)
		p.next = now.Add(logTime)
	}
}

// clearLine empties the line of the cursor.
const clearLine = "\r\x1b[K"

// End erases the progress.
func (p *Progress) End() {
	if p.shown {
		fmt.Fprint(p.out, clearLine)
	}
}
