package lexeme

import (
	"strings"
	"testing"
)

// JSON has the whitespace of RFC 8259, whatever may stand between the parts of a call.
func TestSpace(t *testing.T) {
	for i := range 256 {
		c := byte(i)
		if call := strings.IndexByte(Whitespace, c) >= 0; (ClassOf(c)&Space != 0) != call {
			t.Errorf("%q in a call: %t, want %t", c, !call, call)
		}
		if json := strings.IndexByte(" \t\n\r", c) >= 0; IsSpace(c) != json {
			t.Errorf("%q in JSON: %t, want %t", c, !json, json)
		}
	}
	if n := SkipSpace([]byte(" \t\n\r\v"), 1); n != 4 {
		t.Errorf("%d bytes are skipped, want 4", n)
	}
}
