package main

import (
	"strings"
	"testing"
)

// TestLiveAnyChunks: where nothing is drawn again, the output does not depend on
// how the text arrives.
func TestLiveAnyChunks(t *testing.T) {
	text, err := readSample()
	if err != nil {
		t.Fatal(err)
	}
	hostile := "a\r\n\r<call>x</call> \t\r\n b \xe2\x80\xae\xff é<call>t a=\"\u202e\x7f\u009b\" b = \"é\r\n\"</call>\t\n\nz\xc3"
	for _, text := range []string{text, hostile} {
		whole := callwire(text, "parse", "--follow", "--color", "always")
		if strings.ContainsAny(whole.stdout, "\r\u202e\x7f\u009b") {
			t.Errorf("a terminal would obey %q", whole.stdout)
		}
		for _, n := range []string{"1", "2", "3", "7", "100"} {
			if got := callwire(text, "parse", "--follow", "--color", "always", "--chunk", n); got != whole {
				t.Errorf("chunks of %s\n%q\nwhole\n%q", n, got.stdout, whole.stdout)
			}
		}
	}
}
