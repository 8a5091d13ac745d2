package main

import (
	"testing"

	"github.com/callwire/callwire/internal/golden"
)

// TestRender: what no script can hold, control characters and text that is not UTF-8, is
// shown and moves no cursor.
func TestRender(t *testing.T) {
	tools := writeFile(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"n":{"type":"integer"},"e":{"enum":["a","b"]}},"required":["n"]}}]`)
	for name, in := range map[string]string{
		"control":  "\x1b]0;title\a\r\n\u202e<call>t n=1 e=\u202e\u009b</call>\xff<call>t\x1b[2J</call><call>t \x1b[2J</call>",
		"tabs":     "<call>t\n\tn\t=\t1\r\n</call>",
		"not-utf8": "<call>t n=\"\xff\"</call>",
	} {
		got := callwire(in, "parse", "--salvage=false", "--tools", tools)
		if got.code != exitOK || got.stderr != "" {
			t.Errorf("%s: code %d, %q", name, got.code, got.stderr)
		}
		golden.Assert(t, got.stdout, "render-"+name+".txt")
	}
}
