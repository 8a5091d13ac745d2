package yaml

import (
	"strings"
	"testing"
)

// The offsets of many values in one line are found in one pass, and so are those that come before
// the last one.
func TestOffsets(t *testing.T) {
	const n = 1000
	d := decoder{text: []byte("é\r\n" + strings.Repeat("é, ", n) + "\n\nx"), line: 1, column: 1}
	for i := range n {
		if got, want := d.offset(2, 1+3*i), 4+4*i; got != want {
			t.Fatalf("value %d is at %d, not %d", i, got, want)
		}
	}
	if d.steps > 3*n {
		t.Errorf("%d characters are passed to find %d values", d.steps, n)
	}
	for _, c := range []struct{ line, column, want int }{
		{2, 4, 8}, {1, 2, 2}, {4, 1, 4 + 4*n + 2}, {2, 3, 7}, {9, 1, len(d.text)}, {4, 9,
			len(d.text)},
	} {
		if got := d.offset(c.line, c.column); got != c.want {
			t.Errorf("%d:%d is at %d, not %d", c.line, c.column, got, c.want)
		}
	}
}
