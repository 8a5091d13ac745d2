package main

import (
	"strings"
	"testing"
)

// TestMistakes: what a newcomer gets wrong is answered in one line that says how to
// mend it.
func TestMistakes(t *testing.T) {
	tools := writeFile(t, `[{"name":"t","inputSchema":{"type":"object"}}]`)
	for _, c := range []struct {
		stdin string
		args  []string
		want  string
	}{
		{"", []string{"parse", "a.txt", "--tool", tools}, "unknown flag: --tool; did you mean --tools?"},
		{"", []string{"parse", "--every-splits"}, "did you mean --every-split?"},
		{"", []string{"parse", "--xyzzy"}, "unknown flag: --xyzzy; see callwire parse --help"},
		{"", []string{"manual", tools + ".json"}, "did you mean --tools " + tools + ".json?"},
		{"", []string{"version", "tools.json"}, "version takes no argument"},
		{"", []string{"parse", "a.txt", "tools.json"}, "tools follow --tools"},
		{"", []string{"format", `{"name":"t","input":{}}`}, "is text, not a file: give it on standard input"},
		{"", []string{"repair", "{a:1}", "--tools", tools}, "give it on standard input"},
		{"", []string{"parse", "Hi <call>t</call>"}, "give it on standard input"},
		{"", []string{"check"}, "standard input: tools are not JSON: invalid JSON at offset 0: found the end of the text; expected a list of objects with name and inputSchema"},
		{"- name: t", []string{"check", "--tools", "-"}, "found '-'; expected a list of objects with name and inputSchema"},
		{"", []string{tools}, `unknown command "` + tools + `"; to read the file: callwire parse ` + tools},
		{"", []string{""}, `unknown command ""; see callwire --help`},
		{"", []string{"manual", "--tools", tools, "--budget", "-5"}, "--budget is not negative"},
		{"", []string{"history"}, `as in [{"role":"user","content":"…"}]`},
		{`[{"name":"t","inputSchema":{}}]`, []string{"convert", "--to", "openai"}, "message 1 has no role"},
		{`[{"role":"user","content":"x"},{"content":"y"}]`, []string{"history"}, "message 2 has no role"},
	} {
		got := callwire(c.stdin, c.args...)
		if got.code != exitFailed || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, c.want) {
			t.Errorf("%q: %+v, want %q", c.args, got, c.want)
		}
	}
}
