package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwire/callwire/corpus"
)

func TestCases(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		says []string // on standard output, or on standard error where the code is not 0
	}{
		{"", exitOK, []string{"framing/text-only", "writing/one-argument"}},
		{"list --topic recovery --rule error.nested-*", exitOK, []string{"recovery/nested-in-bare-word"}},
		{"show recovery/nested-in-bare-word", exitOK, []string{"recovery.nested: ", `"text": "<call>t path=/tmp/x<call>u</call>"`}},
		{"show recovery/nested-in-bare-word --json", exitOK, []string{`{"id":"recovery/nested-in-bare-word"`}},
		{"show nested-in-bare-word", exitFailed, []string{"there is recovery/nested-in-bare-word"}},
		{"show nothing-like-it", exitFailed, []string{"see callwire cases"}},
		{"show", exitFailed, []string{"the id of a case"}},
		{"--topic nothing", exitFailed, []string{"no case matches"}},
		{"--level hard", exitFailed, []string{"--level is core or extended"}},
	} {
		var stdout, stderr strings.Builder
		code := run(append([]string{"cases"}, strings.Fields(c.args)...), nil, &stdout, &stderr)
		said := stdout.String()
		if c.code != exitOK {
			said = stderr.String()
		}
		if code != c.code {
			t.Errorf("cases %s: code %d", c.args, code)
		}
		for _, want := range c.says {
			if !strings.Contains(said, want) {
				t.Errorf("cases %s: %q is not in %.2000s", c.args, want, said)
			}
		}
	}
}

// TestCasesJSON reads all cases back.
func TestCasesJSON(t *testing.T) {
	var stdout, stderr strings.Builder
	if code := run([]string{"cases", "--json"}, nil, &stdout, &stderr); code != exitOK {
		t.Fatal(stderr.String())
	}
	d := json.NewDecoder(strings.NewReader(stdout.String()))
	for _, want := range corpus.Cases() {
		var got corpus.Case
		if err := d.Decode(&got); err != nil || got.ID != want.ID || string(got.Text) != string(want.Text) {
			t.Errorf("%s: %v, %+v", want.ID, err, got)
		}
	}
}
