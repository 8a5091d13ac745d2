package main

import (
	"strings"
	"testing"
	"time"
)

// TestProgress: nothing in the first second, then not too often, and nothing is
// left behind.
func TestProgress(t *testing.T) {
	var out strings.Builder
	p := newProgress(&out, "splits", 100)
	clock := p.next.Add(-patience)
	p.now = func() time.Time { return clock }
	for range 24 {
		clock = clock.Add(50 * time.Millisecond)
		p.step()
	}
	p.end()
	if want := "\r21 of 100 splits\r24 of 100 splits\r\x1b[K"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	quiet := newProgress(nil, "splits", 1)
	quiet.step()
	quiet.end()
}
