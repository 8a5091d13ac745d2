package main

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/corpus/runner"
)

// TestConform judges the program by the corpus, at few splits and by protocol 1, which
// has a request for a text and not for a chunk; without -long, by a few topics. The gate
// runs the whole matrix, and protocol 2.
func TestConform(t *testing.T) {
	program := asProgram(t)
	var stdout, stderr strings.Builder
	cases := "[ltu]*/*"
	if *long {
		cases = "*/*"
	}
	code := run([]string{"conform", "--run", cases, "--splits", "ends", "--runner-protocol", "1", "--report", "json", "--", program, "serve"}, nil, &stdout, &stderr)
	var report struct {
		OK     bool
		Levels map[string]map[string]int
	}
	if err := json.Unmarshal([]byte(stdout.String()), &report); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	skipped := map[string]int{} // what protocol 1 cannot ask
	for _, c := range corpus.MoreCases() {
		if asked, _ := path.Match(cases, c.ID); !asked {
			continue
		}
		if skipped[c.Level]++; c.Op == corpus.Parse {
			skipped[c.Level]++ // whole and in chunks
		}
	}
	for _, level := range []string{"core", "extended"} {
		if n := report.Levels[level]; n["pass"] == 0 || n["skip"] != skipped[level] || len(n) != 2 {
			t.Errorf("%s: %v, want %d skipped and the rest to pass", level, n, skipped[level])
		}
	}
	if code != exitOK || !report.OK || stderr.Len() > 0 {
		t.Errorf("code %d, OK %t, says %q", code, report.OK, stderr.String())
	}
	stdout.Reset()
	if code := run([]string{"conform", "--run", "framing/text-*", "--", program, "serve"}, nil, &stdout, &stderr); code != exitOK {
		t.Errorf("protocol 2: code %d, %s", code, stdout.String())
	}
	if code := run([]string{"conform", "--run", "tags/*", "--", program, "serve"}, nil, &stdout, &stderr); code != exitOK {
		t.Errorf("other tags: code %d, %s", code, stdout.String())
	}
	if code := run([]string{"conform", "--check", "--run", "framing/text-*", "--", program, "serve"}, nil, &stdout, &stderr); code != exitOK {
		t.Errorf("--check: code %d, %s", code, stdout.String())
	}

	// A list of known failures is exact.
	list := filepath.Join(t.TempDir(), "known.txt")
	if err := os.WriteFile(list, []byte("stream framing/text-only # not any more\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	stdout.Reset()
	code = run([]string{"conform", "--run", "framing/text-*", "--known-failures", list, "--", program, "serve"}, nil, &stdout, &stderr)
	if code != exitFound || !strings.Contains(stdout.String(), "## stream framing/text-only\n\nIt passes, and is listed") {
		t.Errorf("known failures: code %d, %s", code, stdout.String())
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
