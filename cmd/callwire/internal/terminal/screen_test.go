package terminal

import (
	"bytes"
	"testing"
)

func TestScreen(t *testing.T) {
	var out bytes.Buffer
	for mode, want := range map[ColorMode]bool{ColorAuto: false, ColorAlways: true, ColorNever: false} {
		t.Setenv("NO_COLOR", "1") // an explicit setting overrides it
		if s := ScreenOf(&out, mode); s.Color != want || s.Width != PageWidth {
			t.Errorf("%s: %+v", mode, s)
		}
	}
	if got := (Screen{Color: true}).Paint(Wrong, "x"); got != "\x1b[1;31mx\x1b[0m" {
		t.Errorf("%q", got)
	}
	if got := (Screen{}).Paint(Wrong, "x"); got != "x" {
		t.Errorf("%q", got)
	}
}
