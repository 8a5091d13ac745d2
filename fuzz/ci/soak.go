package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Random properties, for hours: every package that has some, one after the other.

// properties is where random properties come from, and seedEnv what fixes their draws.
const (
	properties = "pgregory.net/rapid"
	seedEnv    = "RAPID_SEED"
)

// soak runs the tests that pattern matches, in the packages of the module in dir whose
// tests draw, with that many examples of each property and with fresh seeds.
func soak(ctx context.Context, out io.Writer, dir string, checks int, pattern string) error {
	list := exec.CommandContext(ctx, "go", "list", "-f", `{{.ImportPath}} {{join .TestImports " "}} {{join .XTestImports " "}}`, "./...")
	list.Dir = dir
	listed, err := list.Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	args := []string{"test", "-count=1", "-timeout=0", "-p=1", "-vet=off", "-run=" + pattern}
	flags := len(args)
	for line := range strings.Lines(string(listed)) {
		if fields := strings.Fields(line); slices.Contains(fields[1:], properties) {
			args = append(args, fields[0])
		}
	}
	if len(args) == flags {
		return errors.New("no package draws by " + properties)
	}
	args = append(args, fmt.Sprintf("-rapid.checks=%d", checks)) // go test takes packages before what it does not know
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, out, out
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, seedEnv+"=") })
	if err := cmd.Run(); err != nil {
		return errors.Join(errFound, context.Cause(ctx))
	}
	return nil
}
