package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestFeedback: a malformed call and one that does not fit are answered, and a
// right one is not.
func TestFeedback(t *testing.T) {
	if got := callwire("hi <call>t a=1</call>", "feedback"); got != (result{exitOK, "", ""}) {
		t.Errorf("%+v", got)
	}
	got := callwire("<call>runTests packages=x</call> <call>searchCode query = a</call> <call>readFile range.from=x</call>", "feedback", "--tools", sampleTools)
	if got.code != exitFound || strings.Count(got.stdout, "<tool-error") != 3 || !strings.Contains(got.stdout, "expected-equals") {
		t.Errorf("%+v", got)
	}
	lines := callwire("<call>searchCode query = a</call> <call>nope</call>", "feedback", "--json", "--tools", sampleTools)
	var codes []string
	for line := range strings.Lines(lines.stdout) {
		var f feedbackLine
		if err := json.Unmarshal([]byte(line), &f); err != nil || f.End <= f.Start || !strings.HasPrefix(f.Text, "<tool-error") {
			t.Errorf("%v: %s", err, line)
		}
		codes = append(codes, string(f.Code))
	}
	if strings.Join(codes, " ") != "expected-equals unknown-tool" || lines.code != exitFound {
		t.Errorf("%q, %+v", codes, lines)
	}
	// What only Salvage takes for a call, or doubts, is answered too, and reasoning is not.
	drift := callwire(`<CALL>nope</CALL> <call name="searchCode" query="a"/> <call>searchCode query=a,</call> <think><call>nope</call></think>`, "feedback", "--json", "--tools", sampleTools)
	codes = nil
	for line := range strings.Lines(drift.stdout) {
		var f feedbackLine
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		codes = append(codes, string(f.Code))
	}
	if strings.Join(codes, " ") != "wrong-opener repaired doubtful" {
		t.Errorf("%q, %+v", codes, drift)
	}
	if got := callwire("", "feedback", "--sample"); got.code != exitFound || !strings.Contains(got.stdout, `name="editFile"`) {
		t.Errorf("%+v", got)
	}
	if got := callwire("[[t a = 1]]", "feedback", "--open", "[[", "--close", "]]"); got.code != exitFailed || !strings.Contains(got.stderr, "--open and --close") {
		t.Errorf("%+v", got)
	}
}
