package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwire/callwire/corpus/runner"
)

// TestConform judges the program by a few topics of the corpus; with -long by all of it.
func TestConform(t *testing.T) {
	program := asProgram(t)
	cases := "[ltu]*/*"
	if *long {
		cases = "*/*"
	}
	got := callwire("", "conform", "--run", cases, "--splits", "ends", "--report", "json", "--", program, "serve")
	var report struct {
		OK     bool
		Levels map[string]map[string]int
	}
	if err := json.Unmarshal([]byte(got.stdout), &report); err != nil {
		t.Fatalf("%v: %s", err, got.stderr)
	}
	for _, level := range []string{"core", "extended"} {
		if n := report.Levels[level]; n["pass"] == 0 || len(n) != 1 {
			t.Errorf("%s: %v, want all to pass", level, n)
		}
	}
	if got.code != exitOK || !report.OK || got.stderr != "" {
		t.Errorf("code %d, OK %t, says %q", got.code, report.OK, got.stderr)
	}
}

// TestConformDifferential compares the program with itself.
func TestConformDifferential(t *testing.T) {
	program := asProgram(t)
	var stdout, stderr strings.Builder
	code := run([]string{"conform", "--differential", "--questions", "200", program + " serve", program + " serve"}, nil, &stdout, &stderr)
	if code != exitOK || stdout.String() != "Differences: 0 in 200 questions.\n" || stderr.Len() > 0 {
		t.Errorf("code %d: %s%s", code, stdout.String(), stderr.String())
	}
	stdout.Reset()
	d := runner.Difference{Answers: [][]string{{"x"}, {"y", "z"}}}
	d.Text, d.Options.AcceptAtEnd = "<call>t a=x", true
	writeDifference(&stdout, d, []string{"one", "other"})
	if got, want := stdout.String(), "text: \"<call>t a=x\"\noptions: {\"acceptAtEnd\":true}\n  one: x\n  other: y; z\n\n"; got != want {
		t.Errorf("%s", got)
	}
}
