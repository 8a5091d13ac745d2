package lexeme

import (
	"strings"
	"testing"
)

// What whitespace is, all who ask agree on.
func TestSpace(t *testing.T) {
	for i := range 256 {
		c := byte(i)
		want := strings.IndexByte(Whitespace, c) >= 0
		if IsSpace(c) != want || (ClassOf(c)&Space != 0) != want {
			t.Errorf("%q: %t, want %t", c, IsSpace(c), want)
		}
	}
	if n := SkipSpace([]byte(" \t\n\r\v"), 1); n != 4 {
		t.Errorf("%d bytes are skipped, want 4", n)
	}
}
