package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/corpus/runner"
)

// verdict is the result for a mutant.
type verdict struct {
	Unbuilt bool   // it does not compile, and does not count
	Killer  string // the step that killed it; "" if it survives
	Timeout bool   // that step did not end in time
}

// lab builds and runs mutants. Each worker has its own.
type lab struct {
	module  *module
	dir     string // for builds
	timeout time.Duration
	usual   *baselines
}

// baselines has what the steps do without a mutant. The labs of a run share it.
type baselines struct {
	mutex sync.Mutex
	steps map[step]*baseline
}

type baseline struct {
	once sync.Once
	used time.Duration // CPU time; enough for any step until it has run
	err  error
}

// of returns that of a step.
func (b *baselines) of(s step) *baseline {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.steps == nil {
		b.steps = map[step]*baseline{}
	}
	if b.steps[s] == nil {
		b.steps[s] = &baseline{used: 10 * time.Minute}
	}
	return b.steps[s]
}

// Tests may take several times as long as usual, plus some time. This is CPU time, so
// that a busy machine kills nothing; tests that wait are ended by the clock.
const (
	slack  = 4
	least  = 5 * time.Second
	asleep = 30 // times as much by the clock
	memory = 6 << 20
)

// limit returns how much CPU time a step may take.
func (l *lab) limit(s step) time.Duration {
	if l.timeout > 0 {
		return l.timeout
	}
	return max(least, slack*l.usual.of(s).used)
}

// limited returns the command that runs the built program, with bounds on its CPU time
// and, if the system supports it, its memory in kilobytes.
func (l *lab) limited(s step, args ...string) []string {
	bounds := fmt.Sprintf(`ulimit -t %d; ulimit -v %d 2>/dev/null; exec "$0" "$@"`, int(l.limit(s).Seconds()+0.999), memory)
	return append([]string{"sh", "-c", bounds, l.binary()}, args...)
}

// baseline runs a step without a mutant, unless that was done: it must pass, and its time
// is recorded. Only what a mutant gets to has one, since a small sample gets to little.
func (l *lab) baseline(ctx context.Context, s step) error {
	b := l.usual.of(s)
	b.once.Do(func() {
		var used time.Duration
		if b.err = l.build(ctx, s, ""); b.err != nil {
			return
		}
		if used, b.err = l.run(ctx, s); b.err != nil {
			b.err = fmt.Errorf("%s %s fails without a mutant: %w", s.kind, s.folder, b.err)
			return
		}
		b.used = used
	})
	return b.err
}

// try runs the steps with the mutant m until one fails.
func (l *lab) try(ctx context.Context, m *mutant, steps []step) (verdict, error) {
	overlay, err := l.overlay(m)
	if err != nil {
		return verdict{}, err
	}
	for _, s := range steps {
		if err := l.baseline(ctx, s); err != nil {
			return verdict{}, err
		}
		if err := l.build(ctx, s, overlay); err != nil {
			return l.unbuilt(ctx, s, err)
		}
		limit := l.limit(s)
		run, cancel := context.WithTimeout(ctx, asleep*limit)
		used, err := l.run(run, s)
		late := run.Err() != nil || used >= limit*3/4 // the system's limit is not exact
		cancel()
		if errors.Is(err, errStart) && !late {
			return verdict{}, err
		}
		if err != nil {
			return verdict{Killer: s.kind.String(), Timeout: late}, ctx.Err()
		}
	}
	return verdict{}, ctx.Err()
}

// position matches the position of a compiler error.
var position = regexp.MustCompile(`(?m)^.+\.go:\d+:\d+: `)

// unbuilt returns the verdict on a mutant that could not be built because of err: it does
// not count if the compiler reports an error in it, or in a file without errors otherwise.
// Any other failure, such as a full disk, says nothing about the mutant and is an error.
func (l *lab) unbuilt(ctx context.Context, s step, err error) (verdict, error) {
	text := err.Error()
	switch {
	case ctx.Err() != nil:
		return verdict{}, ctx.Err()
	case !position.MatchString(text) || strings.Contains(text, "internal compiler error"):
		return verdict{}, err
	case strings.Contains(text, filepath.Base(l.mutated())+":"):
		return verdict{Unbuilt: true}, nil
	}
	if err := l.build(ctx, s, ""); err != nil {
		return verdict{}, fmt.Errorf("the build fails even without a mutant: %w", err)
	}
	return verdict{Unbuilt: true}, nil
}

// overlay writes the mutated file and the overlay for the build.
func (l *lab) overlay(m *mutant) (string, error) {
	mutated, name := l.mutated(), filepath.Join(l.dir, "overlay.json")
	if err := os.WriteFile(mutated, m.apply(), 0o666); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{m.file.path: mutated}})
	if err != nil {
		return "", err
	}
	return name, os.WriteFile(name, text, 0o666)
}

// build builds what a step runs.
func (l *lab) build(ctx context.Context, s step, overlay string) error {
	args := []string{"test", "-c", "-vet=off"}
	target := "./" + s.folder
	if s.kind == judged {
		args, target = []string{"build"}, "./cmd/callwire"
	}
	args = append(args, "-ldflags=-s -w", "-o", l.binary())
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, target)...)
	cmd.Dir = l.module.root
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w:\n%s", err, out)
	}
	return nil
}

// binary returns the path of the binary.
func (l *lab) binary() string { return filepath.Join(l.dir, "mutant.exe") }

// mutated returns the path of the file that replaces another in a build.
func (l *lab) mutated() string { return filepath.Join(l.dir, "mutant.go") }

// run runs a step and returns the CPU time that it took. The error reports that it
// failed.
func (l *lab) run(ctx context.Context, s step) (time.Duration, error) {
	if s.kind == judged {
		return l.judge(ctx, s)
	}
	p := l.module.find(s.folder)
	args := []string{"-test.short", "-test.failfast", "-test.paniconexit0"}
	if p.draws() {
		args = append(args, "-rapid.seed=1")
	}
	if s.kind == fuzzed {
		args = append(args, "-long")
	}
	args = l.limited(s, args...)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = p.Dir
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, tail(out.String()))
	}
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() >= 126 { // the exit code of sh if it cannot run it
		return 0, errors.Join(errStart, err)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), err
}

// tail returns the end of a test's output.
func tail(out string) string {
	return out[max(0, len(out)-2000):]
}

var errStart = errors.New("the tests do not start")

var errJudged = errors.New("a check fails")

// judge asks the mutant about every case of the corpus, until an answer is wrong. The
// CPU time is not known: a mutant that exceeds its limit fails.
func (l *lab) judge(ctx context.Context, s step) (time.Duration, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	report, err := runner.Run(ctx, runner.Config{
		Command: l.limited(s, "serve"),
		Cases:   corpus.Cases(),
		Matrix:  runner.Ends,
		// One request for each case and split: whether events come in time is for tests to see.
		Protocol: runner.LeastProtocol,
		Jobs:     1,
		Timeout:  time.Minute,
		Progress: func(_, _, failed int) {
			if failed > 0 {
				cancel(errJudged)
			}
		},
	})
	switch {
	case context.Cause(ctx) != nil:
		return judging, context.Cause(ctx)
	case err != nil:
		return judging, err
	case !report.OK():
		return judging, errJudged
	}
	return judging, nil
}

// judging is an estimate of the CPU time that judging takes.
const judging = 4 * time.Second

// environment divides the threads among the jobs.
func environment(jobs, threads int) {
	os.Setenv("GOMAXPROCS", fmt.Sprint(max(1, threads/jobs)))
	os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -p="+fmt.Sprint(max(1, threads/jobs))))
}
