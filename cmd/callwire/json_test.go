package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Requests and lines that would be read by halves are refused, and say why.
func TestHalfRead(t *testing.T) {
	for _, c := range []struct{ in, command, want string }{
		{`{"name":"t","name":"u","input":{}}`, "format", "twice"},
		{`{"seq":1,"op":"parse","text":"a","text":"b"}`, "serve", "twice"},
		{`{"seq":1,"op":"parse","text":"a","options":{"limits":{"bytes":-1}}}`, "serve", "positive"},
		{`{"cmd":"hello","protocol":0}`, "serve", "the protocols 1 to 2"},
		{`{"cmd":"hello","protocol":1}`, "serve", `"ops"`},
	} {
		var out, notes strings.Builder
		run([]string{c.command}, strings.NewReader(c.in+"\n"), &out, &notes)
		if got := out.String() + notes.String(); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want %q in it", c.in, got, c.want)
		}
	}
}

// A byte order mark in front of JSON is no part of it.
func TestByteOrderMark(t *testing.T) {
	tools := filepath.Join(t.TempDir(), "tools.json")
	if err := os.WriteFile(tools, []byte("\ufeff"+`[{"name":"t","inputSchema":{}}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, notes strings.Builder
	code := run([]string{"format", "--tools", tools}, strings.NewReader("\ufeff"+`{"name":"t","input":{"a":1}}`+"\n"), &out, &notes)
	if code != exitOK || out.String() != "<call>t a=1</call>\n" {
		t.Errorf("exit %d: %s%s", code, out.String(), notes.String())
	}
}

// A flag that wants a number says so in one line, without words of Go.
func TestNumberOfFlag(t *testing.T) {
	for _, value := range []string{"x", "99999999999999999999"} {
		var out, notes strings.Builder
		code := run([]string{"parse", "--max-bytes", value}, strings.NewReader(""), &out, &notes)
		if got := notes.String(); code != exitFailed || strings.Contains(got, "strconv") || !strings.Contains(got, "--max-bytes") || strings.Count(got, "\n") != 1 {
			t.Errorf("exit %d: %s", code, got)
		}
	}
}
