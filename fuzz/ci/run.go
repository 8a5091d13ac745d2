package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Runs fuzz targets in turn: one line for each, and a summary.

// errFound says that a target found something, or could not run.
var errFound = errors.New("not all is well")

// session is what runs of targets have in common.
type session struct {
	dir  string        // of the module
	time time.Duration // for each target
	jobs int           // targets that run at once

	patience time.Duration // for the seeds of a target; 0 is five minutes
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
	built, err := os.MkdirTemp("", "fuzz-ci-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(built)
	cache, err := s.goTool(ctx, "env", "GOCACHE").Output()
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("go env: %w", err)
	}

	// Each package is compiled once, by the first job that needs it.
	programs := map[string]func() program{}
	for _, t := range targets {
		if programs[t.Package] == nil {
			file := filepath.Join(built, strconv.Itoa(len(programs)))
			found := filepath.Join(strings.TrimSpace(string(cache)), "fuzz", t.Package)
			programs[t.Package] = sync.OnceValue(func() program {
				said, err := s.goTool(ctx, "test", "-vet=off", "-c", "-fuzz", ".", "-o", file, t.Package).CombinedOutput()
				return program{file, found, said, err}
			})
		}
	}
	queue, results := make(chan target), make(chan result)
	go func() {
		defer close(queue)
		for _, t := range targets {
			select {
			case queue <- t:
			case <-ctx.Done():
				return
			}
		}
	}()
	var jobs sync.WaitGroup
	for range max(1, s.jobs) {
		jobs.Go(func() {
			for t := range queue {
				results <- s.one(ctx, t, programs[t.Package]())
			}
		})
	}
	go func() {
		jobs.Wait()
		close(results)
	}()
	var bad []result
	done := 0
	for r := range results {
		if ctx.Err() != nil {
			continue
		}
		done++
		fmt.Fprintln(out, r.line(width))
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

func (s session) goTool(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = s.dir
	return cmd
}

// program is the tests of a package, compiled so that the fuzzer sees where they go.
type program struct {
	file  string
	found string // the folder where go test, too, keeps interesting inputs
	said  []byte // what the compiler says
	err   error
}

// minimized is how often Go tries to make an input smaller. By default it takes a minute
// for each, and so nearly all of the time: FuzzMiddleware tried 695 inputs in ten.
const minimized = "100x"

// one runs a target: its seeds, and then inputs of the fuzzer for the time that there
// is. The flag for that time counts the seeds in it: where they are many, no other
// input would be tried. So it is stopped from here, as Ctrl-C does it.
//
// Under load, Go's fuzzer may wait for a worker that has gone: it is run once more.
func (s session) one(ctx context.Context, t target, p program) result {
	if p.err != nil {
		return result{target: t, reason: reason(p.said)}
	}
	r, stuck := s.try(ctx, t, p)
	if stuck {
		r, _ = s.try(ctx, t, p)
	}
	return r
}

// try is one run; stuck says that its seeds were not read in the time for them.
func (s session) try(ctx context.Context, t target, p program) (r result, stuck bool) {
	start := time.Now()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	patience := cmp.Or(s.patience, 5*time.Minute)
	errStuck := fmt.Errorf("its seeds were not read in %s", patience)
	hopeless := time.AfterFunc(patience, func() { stop(errStuck) })
	defer hopeless.Stop()
	cmd := exec.CommandContext(ctx, p.file, "-test.run", "^$", "-test.fuzz", "^"+t.Target+"$", "-test.fuzzcachedir", p.found,
		"-test.fuzzminimizetime", minimized,
		"-test.parallel", strconv.Itoa(max(1, runtime.GOMAXPROCS(0)/max(1, s.jobs))))
	cmd.Dir = t.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) } // so that it ends its workers
	cmd.WaitDelay = 10 * time.Second
	out := &output{seeded: func() {
		hopeless.Stop()
		time.AfterFunc(s.time, func() { stop(nil) })
	}}
	cmd.Stdout, cmd.Stderr = out, out
	err := cmd.Run()
	r = read(out.text.Bytes(), err == nil || cmd.ProcessState != nil && cmd.ProcessState.Success())
	r.target, r.took = t, time.Since(start)
	if r.finding != "" {
		if file := filepath.Join(t.dir, r.finding); exists(file) {
			if relative, err := filepath.Rel(s.dir, file); err == nil {
				file = relative
			}
			r.finding = file
		}
	}
	if stuck = context.Cause(ctx) == errStuck; stuck {
		r.reason = errStuck.Error()
	}
	return r, stuck
}

// output keeps what a target prints, and calls seeded when the seeds have been read.
type output struct {
	text   bytes.Buffer
	seeded func()
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.text.Write(p)
	if o.seeded != nil && bytes.Contains(o.text.Bytes(), []byte("now fuzzing with")) {
		o.seeded()
		o.seeded = nil
	}
	return n, err
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
// the first after the last "--- FAIL", else the last that says anything.
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
