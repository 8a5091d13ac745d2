package render

import (
	"unicode/utf8"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/unseen"
	"github.com/callwire/callwire/stream"
)

// growing is a call that is shown while it arrives. On a terminal it is one line that shows the
// end of the call, and the finished call replaces it. Elsewhere output cannot be replaced, so the
// call stays on its line as it arrived.
type growing struct {
	grows bool
	name  string // of the call, visible
	drawn bool   // some of its input is shown

	// On a terminal.
	input []byte // the end of the input so far
	stale bool   // the line does not show all of it
}

// grow begins a call.
func (r *page) grow(e *stream.Event) {
	r.id = e.ID
	r.growing = growing{
		grows: true, name: terminal.Visible(e.Name), input: r.input[:0], stale: true,
	}
	if !r.Redraw {
		head, _ := r.head(terminal.Calling, terminal.CallMark, r.name)
		r.out.WriteString(head)
		r.inLine = true
	}
}

// more shows more of the input.
func (r *page) more(delta []byte) {
	if !r.Redraw {
		if !r.drawn {
			r.out.WriteByte(' ')
			r.drawn = true
		}
		r.out.WriteString(unseen.Escape(string(delta)))
		return
	}
	r.input = append(r.input, delta...)
	if seen := (r.Width + 1) * utf8.UTFMax; len(r.input) > 16*seen {
		r.input = append(r.input[:0], r.input[len(r.input)-seen:]...)
	}
	r.stale = true
}

// pause draws the line of the growing call.
func (r *page) pause() {
	if !r.Redraw || !r.grows || !r.stale {
		return
	}
	name := terminal.CutEnd(r.name, r.Width/2)
	head, width := r.head(terminal.Calling, terminal.CallMark, name)
	r.out.WriteString("\r" + head + " " + terminal.CutStart(r.input, r.Width-width-2) + "\x1b[K")
	r.stale, r.drawn = false, true
}

// endGrowing removes the line of the growing call if output can be redrawn. Otherwise stays is
// true, and the line shows all of the input.
func (r *page) endGrowing() (stays bool) {
	stays = r.grows && !r.Redraw
	if r.grows && r.Redraw && r.drawn {
		r.out.WriteString("\r\x1b[K")
	}
	r.grows = false
	return stays
}
