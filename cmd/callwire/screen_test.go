package main

import (
	"bytes"
	"testing"
)

func TestScreen(t *testing.T) {
	var out bytes.Buffer
	for mode, want := range map[colorMode]bool{colorAuto: false, colorAlways: true, colorNever: false} {
		t.Setenv("NO_COLOR", "1") // what is asked for stands before it
		if s := screenOf(&out, mode); s.colour != want || s.width != pageWidth {
			t.Errorf("%s: %+v", mode, s)
		}
	}
	if got := (screen{colour: true}).paint(wrong, "x"); got != "\x1b[1;31mx\x1b[0m" {
		t.Errorf("%q", got)
	}
	if got := (screen{}).paint(wrong, "x"); got != "x" {
		t.Errorf("%q", got)
	}
}
