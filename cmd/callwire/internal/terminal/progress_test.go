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
	p := NewProgress(&out, "splits", 100)
	if p.out != nil {
		t.Error("progress is shown outside a terminal")
	}
	p.out = &out
	clock := p.next.Add(-patience)
	p.now = func() time.Time { return clock }
	for range 24 {
		clock = clock.Add(50 * time.Millisecond)
		p.Step()
	}
	p.End()
	if want := "\r\x1b[K21 of 100 splits\r\x1b[K24 of 100 splits\r\x1b[K"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	quiet := NewProgress(nil, "splits", 1)
	quiet.Step()
	quiet.End()
}
