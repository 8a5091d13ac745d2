package terminal

import (
	"strings"
	"testing"
	"time"
)

// TestProgress: nothing is printed at first, then not too often, and a line that is drawn again
// is erased in the end.
func TestProgress(t *testing.T) {
	for _, c := range []struct {
		isScreen bool
		step     time.Duration
		want     string
	}{
		{true, 50 * time.Millisecond, "\r\x1b[K21 of 24 splits\r\x1b[K24 of 24 splits\r\x1b[K"},
		{false, 2 * time.Second, "16 of 24 splits\n"},
	} {
		var out strings.Builder
		p := NewProgress(&out, "splits")
		now := p.next.Add(-logTime)
		if c.isScreen {
			p.isScreen = true
			p.next = now.Add(patience)
		}
		for i := range 24 {
			now = now.Add(c.step)
			p.at(now, i+1, 24)
		}
		p.End()
		if out.String() != c.want {
			t.Errorf("screen %t: %q, want %q", c.isScreen, out.String(), c.want)
		}
	}
}
