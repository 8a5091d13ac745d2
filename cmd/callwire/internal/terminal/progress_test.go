package terminal

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestProgress: without a terminal, nothing is printed at first, then a line every half minute.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		p := NewProgress(&out, "splits")
		for i := range 40 {
			time.Sleep(2 * time.Second)
			p.At(i+1, 40)
		}
		p.End()
		if want := "16 of 40 splits\n32 of 40 splits\n"; out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	})
}
