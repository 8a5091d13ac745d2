package main

import (
	"strings"
	"testing"

	"gotest.tools/v3/golden"
)

func TestRender(t *testing.T) {
	tools := writeFile(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"n":{"type":"integer"},"e":{"enum":["a","b"]}},"required":["n"]}}]`)
	for name, in := range map[string]string{
		"prose":        "just\nprose",
		"nothing":      "",
		"in-a-line":    "one <call>t n=1</call> two <call>t n=2</call><call>t n=3</call>\n\n  three\n",
		"issues":       "<call>t n=x e=c z.y=1</call>\n<call>t n='1'</call><call>t</call>",
		"unknown":      "<call>nope a=1</call><call>t n=1</call><call>t n=2</call>",
		"unterminated": "so:\n<call>t n=1\n",
		"envelope":     "<call>{\"name\":\"t\",\"input\":{\"n\":1}}</call> <call>[t]</call>",
		"far": "<call>t n=\"" + strings.Repeat("far away ", 30) + "\" e = " + strings.Repeat("and on and on ", 30) + "</call>" +
			"<call>t n=\"" + strings.Repeat("世界 ", 60) + "\"a=1 " + strings.Repeat("世界 ", 60) + "</call>",
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

// TestRenderWithoutColour looks for escape sequences where none belong.
func TestRenderWithoutColour(t *testing.T) {
	text := "a\x1b[1m<call>t a=1</call><call>t a =1</call>"
	if got := callwire(text, "parse"); strings.Contains(got.stdout, "\x1b") {
		t.Errorf("color where there is no terminal: %q", got.stdout)
	}
	got := callwire(text, "parse", "--color", "always")
	if strings.Contains(got.stdout, "a\x1b[1m") || !strings.Contains(got.stdout, "\x1b[1;32m") {
		t.Errorf("%q", got.stdout)
	}
}
