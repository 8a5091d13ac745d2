package terminal

import (
	"strings"
	"testing"
	"time"
)

// TestProgress: nothing is printed in the first second, then not too often, and
// the line is erased in the end.
func TestProgress(t *testing.T) {
	var out strings.Builder
	p := NewProgress(&out, "splits")
	p.isScreen = true
	clock := time.Now()
	p.next = clock.Add(patience)
	p.now = func() time.Time { return clock }
	for i := range 24 {
		clock = clock.Add(50 * time.Millisecond)
		p.At(i+1, 100)
	}
	p.End()
	if want := "\r\x1b[K21 of 100 splits\r\x1b[K24 of 100 splits\r\x1b[K"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// TestProgressLines: without a terminal, a line is printed every half minute, if at all.
func TestProgressLines(t *testing.T) {
	for _, lines := range []bool{false, true} {
		var out strings.Builder
		p := NewProgress(&out, "checks")
		p.Lines = lines
		clock := p.next.Add(-logTime)
		p.now = func() time.Time { return clock }
		for i := range 9 {
			clock = clock.Add(10 * time.Second)
			p.At(i+1, 9)
		}
		p.End()
		want := ""
		if lines {
			want = "4 of 9 checks\n8 of 9 checks\n"
		}
		if out.String() != want {
			t.Errorf("lines %t: %q, want %q", lines, out.String(), want)
		}
	}
}
