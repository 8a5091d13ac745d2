package render

import (
	"fmt"
	"strings"
	"testing"
)

// TestLineIndex compares with counting, at every offset, with and without
// forgetting.
func TestLineIndex(t *testing.T) {
	text := "\nab\r\n\n\ncdefg\nh"
	for forgotten := range len(text) + 1 {
		x := newLineIndex()
		x.feed([]byte(text[:5]))
		x.feed(nil)
		x.feed([]byte(text[5:]))
		x.forget(forgotten / 2)
		x.forget(forgotten)
		for at := forgotten; at <= len(text); at++ {
			line, column := x.at(at)
			want := fmt.Sprint(1+strings.Count(text[:at], "\n"), at-strings.LastIndexByte(text[:at], '\n'))
			if got := fmt.Sprint(line, column); got != want {
				t.Errorf("forgotten %d: offset %d is at %s, want %s", forgotten, at, got, want)
			}
		}
	}
}
