package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/callwire/callwire/internal/golden"
)

// TestScripts runs testdata/script. Each script calls the program with the command
//
//	callwire ARGS… [< FILE]
//
// which appends the command, what it prints and its exit code to the file transcript. The
// script ends with "cmp transcript want". go test -run Scripts -update rewrites want.
// The folder of a script holds the sample, as agent.txt and tools.json; the program is in
// the PATH of what it starts.
func TestScripts(t *testing.T) {
	asProgram(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *golden.Update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			program, err := os.Executable()
			if err == nil {
				err = errors.Join(os.Mkdir(filepath.Join(env.WorkDir, "bin"), 0o777),
					os.Symlink(program, filepath.Join(env.WorkDir, "bin", "callwire")))
			}
			if err != nil {
				return err
			}
			for name, from := range map[string]string{"agent.txt": sample, "tools.json": sampleTools} {
				data, err := os.ReadFile(from)
				if err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(env.WorkDir, name), data, 0o666); err != nil {
					return err
				}
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"callwire": scriptCommand},
	})
}

// scriptCommand is the command callwire of a script.
func scriptCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("the transcript shows the exit code; leave out !")
	}
	program, err := os.Executable()
	ts.Check(err)
	command := strings.Join(shellQuote(args), " ")
	cmd := exec.Command(program)
	if n := len(args); n > 1 && args[n-2] == "<" {
		data, err := os.ReadFile(ts.MkAbs(args[n-1]))
		ts.Check(err)
		cmd.Stdin = bytes.NewReader(data)
		args = args[:n-2]
	}
	cmd.Args = append(cmd.Args, args...)
	cmd.Dir = ts.MkAbs(".")
	path := ts.MkAbs("bin") + string(filepath.ListSeparator) + os.Getenv("PATH")
	cmd.Env = append(os.Environ(), programEnv+"=yes", "PATH="+path)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		ts.Check(err)
	}
	log, err := os.OpenFile(ts.MkAbs("transcript"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	ts.Check(err)
	defer log.Close()
	fmt.Fprintf(log, "$ callwire %s\n%s", command, shown(ts, stdout.String(), ""))
	fmt.Fprint(log, shown(ts, stderr.String(), "! "))
	if code := cmd.ProcessState.ExitCode(); code != 0 {
		fmt.Fprintf(log, "[exit %d]\n", code)
	}
	fmt.Fprintln(log)
}

// visible writes control characters as Go does.
var visible = strings.NewReplacer("\x1b", `\e`, "\r", `\r`)

// seconds is how long something took.
var seconds = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?m?s\b|(time="|"seconds": )[0-9.]+`)

// shown returns output as a transcript shows it, each line after a prefix.
func shown(ts *testscript.TestScript, output, prefix string) string {
	if output == "" {
		return ""
	}
	output = strings.ReplaceAll(output, ts.MkAbs("."), "$WORK")
	output = seconds.ReplaceAllString(visible.Replace(output), "${2}TIME")
	var b strings.Builder
	for line := range strings.Lines(output) {
		b.WriteString(prefix + line)
	}
	if !strings.HasSuffix(output, "\n") {
		b.WriteString("⏎\n") // a line without an end
	}
	return b.String()
}

// shellQuote puts single quotes around the arguments that a shell would not take as they
// are.
func shellQuote(args []string) []string {
	var quoted []string
	for _, arg := range args {
		if arg == "" || arg != "<" && strings.ContainsAny(arg, " <>'\"*{}$|;()\n\\") {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		quoted = append(quoted, arg)
	}
	return quoted
}
