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

	out        io.Writer
	start, end string // of what is printed each time
	rhythm     time.Duration
	next       time.Time // when to show it
}

// clearLine empties the line of the cursor.
const clearLine = "\r\x1b[K"

// NewProgress returns the progress of work that begins now.
func NewProgress(out io.Writer, what string) *Progress {
	p := &Progress{What: what, out: out, end: "\n", rhythm: 30 * time.Second}
	if ScreenOf(out, ColorNever).Redraw {
		p.start, p.end, p.rhythm = clearLine, "", 100*time.Millisecond
	}
	p.next = time.Now().Add(max(p.rhythm, time.Second))
	return p
}

// At reports the number of finished steps and of all steps.
func (p *Progress) At(done, total int) {
	if now := time.Now(); now.After(p.next) {
		fmt.Fprintf(p.out, "%s%d of %d %s%s", p.start, done, total, p.What, p.end)
		p.next = now.Add(p.rhythm)
	}
}

// End erases the progress on a terminal.
func (p *Progress) End() { fmt.Fprint(p.out, p.start) }
