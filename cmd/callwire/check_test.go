package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestCheck: what a tool is blamed for, how badly, and what the exit code says.
func TestCheck(t *testing.T) {
	good := `{"name":"a","description":"A.","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}}}`
	for _, c := range []struct {
		tools string
		want  string // level code, …
		code  int
		fail  string
	}{
		{good, "", exitOK, "note"},
		{`{"name":"a","inputSchema":{"type":"object","properties":{}}}`, "warning missing-description", exitFound, "warning"},
		{`{"name":"a","inputSchema":{"type":"object","properties":{}}}`, "warning missing-description", exitOK, "error"},
		{`{"name":"a","description":"A.","inputSchema":{"type":"object","properties":{"x":{"type":"str"}}}}`, "warning misspelt-type", exitFound, "warning"},
		{`{"name":"a","description":"A.","inputSchema":{"type":"object","properties":{"due date":{"type":"string"}}}}`, "note json-key", exitOK, "warning"},
		{`{"name":"a","description":"A.","inputSchema":{"type":"object","properties":{"due date":{"type":"string"}}}}`, "note json-key", exitFound, "note"},
		{good + "," + good, "error duplicate-tool", exitFound, "error"},
	} {
		file := writeFile(t, "["+c.tools+"]")
		got := callwire("", "check", file, "--fail", c.fail, "--json")
		var found []string
		for line := range strings.Lines(got.stdout) {
			var f finding
			if err := json.Unmarshal([]byte(line), &f); err != nil || f.Tool != "a" || f.Message == "" {
				t.Errorf("%s: %v: %s", c.tools, err, line)
			}
			found = append(found, f.Level+" "+f.Code)
		}
		if strings.Join(found, ", ") != c.want || got.code != c.code || got.stderr != "" {
			t.Errorf("%s --fail %s: %q, code %d %s, want %q, %d", c.tools, c.fail, found, got.code, got.stderr, c.want, c.code)
		}
		page := callwire("", "check", file, "--fail", c.fail)
		if page.code != c.code || !strings.Contains(page.stdout, file+": ") {
			t.Errorf("%s: %+v", c.tools, page)
		}
		for _, f := range found {
			if _, code, _ := strings.Cut(f, " "); !strings.Contains(page.stdout, code) {
				t.Errorf("%s: no %s in %q", c.tools, code, page.stdout)
			}
		}
	}
	piped := callwire("["+good+"]", "check", "-", "--quiet", "-j")
	if piped != (result{exitOK, "", ""}) {
		t.Errorf("%+v", piped)
	}
	if flagged := callwire("["+good+"]", "check", "-t", "-", "--quiet", "-j"); flagged != piped {
		t.Errorf("-t: %+v", flagged)
	}
	for args, want := range map[string]string{"check a -t b": "name the tools once", "check --fail x": "--fail is error, warning or note", "check a b": "reads one file", "check no/such": "there is no file"} {
		if got := callwire("[]", strings.Fields(args)...); got.code != exitFailed || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %+v", args, got)
		}
	}
}
