package main

import (
	"strings"
	"testing"
	"time"
)

// TestProgressLines: where there is no terminal a line comes at each tick, from the
// start on, and at no other time.
func TestProgressLines(t *testing.T) {
	for want, done := range map[string]int{
		"no check is done yet\n":   0,
		"3 of 20 checks, 2 fail\n": 3,
	} {
		var out strings.Builder
		ticks := make(chan time.Time)
		progress, end := progressLines(&out, ticks)
		for i := range done {
			progress(i+1, 20, i)
		}
		ticks <- time.Time{}
		end()
		if out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	}
}
