package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReportOfNothing: a file without a trial gives one line, and no report.
func TestReportOfNothing(t *testing.T) {
	dir := t.TempDir()
	runs, out := filepath.Join(dir, "runs.jsonl"), filepath.Join(dir, "report")
	if err := os.WriteFile(runs, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	code := run([]string{"bench", "report", runs, "--out", out}, nil, &stdout, &stderr)
	if code != exitFailed || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), "no trial is recorded") {
		t.Errorf("code %d, says %q", code, stderr.String())
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a report is written")
	}
}
