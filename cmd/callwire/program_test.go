package main

import (
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// programEnv makes the tests be the program.
const programEnv = "CALLWIRE_TEST_IS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(programEnv) != "" {
		main()
	}
	debug.SetGCPercent(400) // a third of the time is garbage
	os.Exit(m.Run())
}

// asProgram returns the file of these tests, which is the program for those whom the
// test starts: a program of its own would have to be linked for each test.
func asProgram(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts the program")
	}
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(programEnv, "yes")
	return name
}

// TestNobodyReads closes the output of the real program: it ends and says
// nothing.
func TestNobodyReads(t *testing.T) {
	cmd := exec.Command(asProgram(t), "parse", "--json")
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
