package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// Runs fuzz targets in turn: one line for each, and a summary.

// errFound says that a target found something, or could not run.
var errFound = errors.New("not all is well")

// session is what runs of targets have in common.
type session struct {
	dir     string            // of the module
	time    time.Duration     // for each target
	folders map[string]string // of packages, by their import paths
}

// result is what came of running one target.
type result struct {
	target
	took    time.Duration
	execs   string // inputs tried, as go test counts them
	fresh   string // of these, interesting ones
	finding string // the file with the input that fails, or the seed's name
	reason  string // what failed, in one line; "" where nothing did
}

// all runs the targets, until ctx is done, and prints what comes of each.
func (s session) all(ctx context.Context, out io.Writer, targets []target) error {
	start := time.Now()
	width := 0
	for _, t := range targets {
		width = max(width, len(t.Name))
	}
	var bad []result
	done := 0
	for _, t := range targets {
		r := s.one(ctx, t)
		if ctx.Err() != nil {
			break
		}
		done++
		if _, err := fmt.Fprintln(out, r.line(width)); err != nil {
			return err
		}
		if r.reason != "" {
			bad = append(bad, r)
		}
	}
	fmt.Fprintf(out, "\n%d of %d targets, %d with a finding, %s\n", done, len(targets), len(bad), time.Since(start).Round(time.Second))
	for _, r := range bad {
		fmt.Fprintf(out, "%s: %s\n", r.Name, r.again())
	}
	switch {
	case len(bad) > 0:
		return errFound
	case done < len(targets):
		return context.Cause(ctx)
	}
	return nil
}

// one runs a target.
func (s session) one(ctx context.Context, t target) result {
	cmd := exec.CommandContext(ctx, "go", "test", "-vet=off", "-run", "^$", "-fuzz", "^"+t.Target+"$", "-fuzztime", s.time.String(), t.Package)
	cmd.Dir = s.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) } // so that go test ends its workers
	cmd.WaitDelay = 10 * time.Second
	start := time.Now()
	out, err := cmd.CombinedOutput()
	r := read(out, err == nil)
	r.target, r.took = t, time.Since(start)
	if r.finding != "" {
		if file := filepath.Join(s.folders[t.Package], r.finding); exists(file) {
			if relative, err := filepath.Rel(s.dir, file); err == nil {
				file = relative
			}
			r.finding = file
		}
	}
	return r
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

var (
	progress = regexp.MustCompile(`(?m)^fuzz: elapsed: .*, execs: (\d+) .*, new interesting: (\d+)`)
	failing  = regexp.MustCompile(`(?m)^\s*Failing input written to (\S+)`)
	seeded   = regexp.MustCompile(`(?m)failure while testing seed corpus entry: (\S+)`)
)

// read reads what go test printed.
func read(out []byte, ok bool) result {
	var r result
	if all := progress.FindAllSubmatch(out, -1); all != nil {
		last := all[len(all)-1]
		r.execs, r.fresh = string(last[1]), string(last[2])
	}
	if ok {
		return r
	}
	r.reason = reason(out)
	for _, where := range []*regexp.Regexp{failing, seeded} {
		if m := where.FindSubmatch(out); m != nil {
			r.finding = string(m[1])
			break
		}
	}
	return r
}

// reason returns the line of the output of go test that says best what is wrong:
// the first behind the last "--- FAIL", else the last that says anything.
func reason(out []byte) string {
	last := "go test failed and said nothing"
	failed := false
	for line := range bytes.Lines(out) {
		text := strings.TrimSpace(string(line))
		switch {
		case text == "" || text == "FAIL" || strings.HasPrefix(text, "FAIL\t") || strings.HasPrefix(text, "fuzz: ") || strings.HasPrefix(text, "exit status"):
		case strings.HasPrefix(text, "--- FAIL"):
			failed = true
		case failed:
			return text
		default:
			last = text
		}
	}
	return last
}

// line returns the result in one line.
func (r result) line(width int) string {
	head := fmt.Sprintf("%-*s %6s", width, r.Name, r.took.Round(time.Second))
	switch {
	case r.reason == "":
		return fmt.Sprintf("ok    %s  %s inputs, %s of them new", head, r.execs, r.fresh)
	case r.finding == "":
		return fmt.Sprintf("FAIL  %s  %s", head, r.reason)
	}
	return fmt.Sprintf("FOUND %s  %s: %s", head, r.finding, r.reason)
}

// again says how to see the failure again.
func (r result) again() string {
	if r.finding == "" {
		return fmt.Sprintf("go test -run '^$' -fuzz '^%s$' %s", r.Target, r.Package)
	}
	return fmt.Sprintf("go test -run '^%s$/^%s$' %s", r.Target, filepath.Base(r.finding), r.Package)
}
