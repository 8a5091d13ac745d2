package yaml

import (
	"strings"
	"testing"
)

// TestOffsets: the places of many values in one line are found in one pass, and those that
// come before the last one are found, too.
func TestOffsets(t *testing.T) {
	const n = 1000
	w := walker{text: []byte("é\r\n" + strings.Repeat("é, ", n) + "\n\nx"), at: 7, line: 1, column: 1}
	for i := range n {
		if got, want := w.offset(2, 1+3*i), 7+4+4*i; got != want {
			t.Fatalf("value %d is at %d, not %d", i, got, want)
		}
	}
	if w.steps > 3*n {
		t.Errorf("%d characters are passed to find %d values", w.steps, n)
	}
	for _, c := range []struct{ line, column, want int }{{2, 4, 7 + 8}, {1, 2, 7 + 2}, {4, 1, 7 + 4 + 4*n + 2}, {2, 3, 7 + 7}, {9, 1, 7 + len(w.text)}, {4, 9, 7 + len(w.text)}} {
		if got := w.offset(c.line, c.column); got != c.want {
			t.Errorf("%d:%d is at %d, not %d", c.line, c.column, got, c.want)
		}
	}
}
