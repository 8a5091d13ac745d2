package main

import (
	"bufio"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// build builds the program.
func build(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the program")
	}
	name := filepath.Join(t.TempDir(), "callwire")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", name, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return name
}

// TestProgram holds the pipe into the real program open and waits for the first
// call.
func TestProgram(t *testing.T) {
	cmd := exec.Command(build(t), "parse", "--json", "--check")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer late.Stop()
	io.WriteString(stdin, "<call>t a=1</call>")
	const want = `{"type":"tool-call","start":0,"end":18,"name":"t","input":"{\"a\":1}"}` + "\n"
	if got, err := bufio.NewReader(stdout).ReadString('\n'); got != want {
		t.Errorf("got %q, %v while the pipe is open", got, err)
	}
	io.WriteString(stdin, "<call>t a")
	stdin.Close()
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitFound {
		t.Errorf("code %d, want %d", code, exitFound)
	}
}

// TestNobodyReads closes the output of the real program: it ends and says
// nothing.
func TestNobodyReads(t *testing.T) {
	cmd := exec.Command(build(t), "parse", "--json")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stdout.Close()
	late := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	for err == nil {
		_, err = io.WriteString(stdin, "<call>t a=1</call>")
	}
	cmd.Wait()
	if !late.Stop() {
		t.Error("it goes on")
	}
	if stderr.Len() > 0 {
		t.Errorf("it says %q", stderr.String())
	}
}
