//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/callwire/callwire/internal/unseen"
)

// TestConformEnded: whoever ends the program, as CI does when a job is canceled, ends
// what it has started.
func TestConformEnded(t *testing.T) {
	program := asProgram(t)
	for _, args := range []string{"--", "--differential"} {
		dir := t.TempDir()
		file, script := filepath.Join(dir, "pid"), filepath.Join(dir, "reader")
		if err := os.WriteFile(script, []byte("#!/bin/sh\necho $$ >"+file+".new; mv "+file+".new "+file+"; sleep 1000\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "conform", args, script)
		if args == "--differential" {
			cmd.Args = append(cmd.Args, script)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		late := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
		var text []byte
		for err := error(os.ErrNotExist); err != nil; text, err = os.ReadFile(file) {
			time.Sleep(5 * time.Millisecond)
		}
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != exitFailed || !late.Stop() {
			t.Errorf("%s: code %d, want %d", args, code, exitFailed)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		state, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if syscall.Kill(pid, 0) == nil && (err != nil || !strings.Contains(string(state), ") Z ")) {
			t.Errorf("%s: the reader still lives", args)
			syscall.Kill(-pid, syscall.SIGKILL)
		}
	}
}

// TestConformVisible: what an implementation says of itself, or answers, hides nothing in any
// form of the report.
func TestConformVisible(t *testing.T) {
	dir := t.TempDir()
	script, hello := filepath.Join(dir, "reader"), filepath.Join(dir, "hello")
	const hidden = "a\u202e\u2028\u009b31m\u200b"
	if err := os.WriteFile(hello, []byte(`{"protocol":2,"name":"`+hidden+`","version":"1","spec":"1.0","ops":["parse"]}`+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(script, []byte("#!/bin/sh\nread x; cat "+hello+"; while read x; do cat "+hello+"; done\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(dir, "report.json")
	for _, args := range [][]string{
		{"--report", "text"}, {"--report", "md"}, {"--report", "junit"}, {"--report", "json"},
		{"--differential", "--questions", "2"}, {"--compare"},
	} {
		command := []string{"--run", "framing/text-only", "--", script}
		switch args[0] {
		case "--compare":
			command = []string{report, report}
		case "--differential":
			command = []string{script, script}
		}
		var stdout, stderr strings.Builder
		run(slices.Concat([]string{"conform"}, args, command), nil, &stdout, &stderr)
		if got := stdout.String() + stderr.String(); got == "" || strings.ContainsFunc(got, func(r rune) bool { return r != '\n' && r != '\t' && unseen.Is(r) }) {
			t.Errorf("%s: %q", args, got)
		}
		if strings.Join(args, " ") == "--report json" {
			if err := os.WriteFile(report, []byte(stdout.String()), 0o666); err != nil {
				t.Fatal(err)
			}
			var said struct{ Implementation struct{ Name string } }
			if err := json.Unmarshal([]byte(stdout.String()), &said); err != nil || said.Implementation.Name != hidden {
				t.Errorf("%q, %v", said.Implementation.Name, err)
			}
		}
	}
}
