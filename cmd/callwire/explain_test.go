package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

func TestExplain(t *testing.T) {
	for id, want := range map[string]string{
		"expected-equals":   "Write key=value without spaces",
		"recovery.quotes":   "a quote opens a string only",
		"framing/text-only": "Text without an opener is one text event.",
		"D12":               "starts skipping, like a syntax error",
		"Argument":          `Argument = Path "=" Value? .`,
	} {
		got := callwire("", "explain", id)
		if got.code != exitOK || got.stderr != "" || !strings.HasPrefix(got.stdout, id+" (") || !strings.Contains(got.stdout, want) {
			t.Errorf("%s: %+v", id, got)
		}
		for line := range strings.Lines(got.stdout) {
			if terminal.Cells(strings.TrimSuffix(line, "\n")) > terminal.PageWidth && !strings.HasPrefix(line, "  ") {
				t.Errorf("%s: too wide: %q", id, line)
			}
		}
		asJSON := callwire("", "explain", id, "--json")
		var e struct{ ID, Kind, Text string }
		if err := json.Unmarshal([]byte(asJSON.stdout), &e); err != nil || e.ID != id || e.Kind == "" || e.Text == "" {
			t.Errorf("%s: %v %+v", id, err, asJSON)
		}
	}
	for args, want := range map[string]string{
		"explain":                 "takes one id",
		"explain a b":             "takes one id",
		"explain expected":        "there is expected-name, expected-key",
		"explain expected-equalz": "there is expected-equals",
		"explain zzz":             "callwire cases",
	} {
		if got := callwire("", strings.Fields(args)...); got.code != exitFailed || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %+v", args, got)
		}
	}
	if got := callwire("", "__complete", "explain", "recovery.q"); !strings.Contains(got.stdout, "recovery.quotes\n") {
		t.Errorf("completion: %q", got.stdout)
	}
}
