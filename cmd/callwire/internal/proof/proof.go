package proof

import (
	"bytes"
	"fmt"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/split"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/stream"
)

// Proof is that a text reads the same however it is cut.
type Proof struct {
	Text     []byte
	Most     int // places at which it is cut in two
	Progress *terminal.Progress

	read func(text []byte, s split.Split) []byte // lines, which hold until the next reading
}

// New returns the proof that the decoder reads text the same, cut in two everywhere.
func New(d *stream.Decoder, text []byte) *Proof {
	return &Proof{Text: text, Most: len(text) + 1, read: newReading(d).read}
}

// Splits returns how many splits there are to try.
func (p *Proof) Splits() int { return split.Count(len(p.Text), p.Most) }

// Shorten makes the proof try as many splits as read about budget bytes, spread evenly.
// It reports whether that is fewer, of how many, and how long these would take.
func (p *Proof) Shorten(budget int) (fewer bool, all int, takes time.Duration) {
	all = p.Splits()
	if all*len(p.Text) <= budget {
		return false, all, 0
	}
	p.Most = max(budget/len(p.Text)-(all-p.Most), split.Samples)
	return true, all, time.Duration(all) * p.once()
}

// once returns how long the text takes byte by byte.
func (p *Proof) once() time.Duration {
	start := time.Now()
	p.read(p.Text, split.Split{Size: 1})
	return time.Since(start)
}

// Run tries all splits. The verdict says that they are all the same, or which is
// the first that is not, and what is read there.
func (p *Proof) Run() (verdict string, same bool) {
	defer p.Progress.End()
	whole := bytes.Clone(p.read(p.Text, split.Split{}))
	n := 0
	for s := range split.All(len(p.Text), p.Most) {
		if got := p.read(p.Text, s); !bytes.Equal(whole, got) {
			return differ(whole, got, s), false
		}
		n++
		p.Progress.Step()
	}
	return terminal.Count(n, "split") + ", all the same", true
}

// differ shows the first line in which two readings differ.
func differ(whole, got []byte, s split.Split) string {
	for n := 1; ; n++ {
		want, restWhole, _ := bytes.Cut(whole, []byte{'\n'})
		have, restGot, _ := bytes.Cut(got, []byte{'\n'})
		if !bytes.Equal(want, have) {
			return fmt.Sprintf("%s, event %d differs\nwhole: %s\nsplit: %s", s, n, orNothing(want), orNothing(have))
		}
		whole, got = restWhole, restGot
	}
}

func orNothing(line []byte) string {
	if len(line) == 0 {
		return "nothing"
	}
	return string(line)
}
