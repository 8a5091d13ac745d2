package main

import (
	"strings"
	"testing"
)

// TestDemo: the flags choose how it is shown.
func TestDemo(t *testing.T) {
	for args, want := range map[string]string{
		"demo":                "\n── step 1 ──",
		"demo --json":         `{"step":1,"kind":"application-sends"`,
		"demo --color always": "\n\x1b[2m── step 1 ──",
	} {
		if got := callwire("", strings.Fields(args)...); got.code != exitOK || got.stderr != "" || !strings.HasPrefix(got.stdout, want) {
			t.Errorf("%s: %+v", args, got)
		}
	}
	if got := callwire("", "demo", "x"); got.code != exitFailed {
		t.Errorf("%+v", got)
	}
}
