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

// TestProgram holds the pipe into the real program open and waits for what it
// has been given so far.
func TestProgram(t *testing.T) {
	program := asProgram(t)
	for _, c := range []struct {
		args, in, want string
	}{
		{"parse --json --check", "<call>t a=1</call>", `{"type":"tool-call","start":0,"end":18,"name":"t","input":"{\"a\":1}"}` + "\n"},
		{"parse --follow --json --check", "Hi <call>t s='a", `{"type":"text-start"}
{"type":"text-delta","text":"Hi "}
{"type":"text-end"}
{"type":"tool-input-start","id":"call-1","name":"t"}
{"type":"tool-input-delta","id":"call-1","delta":"{\"s\":\"a"}
`},
		{"parse --follow --check", "Hi <call>t s='a", "Hi \n▶ t call-1 {\"s\":\"a"},
	} {
		cmd := exec.Command(program, strings.Fields(c.args)...)
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
		io.WriteString(stdin, c.in)
		got := make([]byte, len(c.want))
		if _, err := io.ReadFull(stdout, got); err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v while the pipe is open, want %q", c.args, got, err, c.want)
		}
		io.WriteString(stdin, "<call>t a")
		stdin.Close()
		io.Copy(io.Discard, stdout)
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != exitFound || !late.Stop() {
			t.Errorf("%s: code %d, want %d", c.args, code, exitFound)
		}
	}
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
