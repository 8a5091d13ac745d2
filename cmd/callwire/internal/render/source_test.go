package render

import (
	"fmt"
	"strings"
	"testing"
)

// TestPlace compares every offset with counting, with any part forgotten.
func TestPlace(t *testing.T) {
	text := "\nab\r\n\n\ncdefg\nh"
	for forgotten := range len(text) + 1 {
		s := source{}
		s.add([]byte(text[:5]))
		s.forget(min(forgotten/2, 5))
		s.add([]byte(text[5:]))
		s.forget(forgotten)
		for at := forgotten; at <= len(text); at++ {
			line, column := s.place(at)
			want := fmt.Sprint(1+strings.Count(text[:at], "\n"), at-strings.LastIndexByte(text[:at], '\n'))
			if got := fmt.Sprint(line, column); got != want {
				t.Errorf("forgotten %d: offset %d is at %s, want %s", forgotten, at, got, want)
			}
		}
	}
}
