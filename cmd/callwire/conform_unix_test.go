//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
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
