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
	"strings"
	"time"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/corpus/runner"
)

// verdict says what became of a mutant.
type verdict struct {
	Unbuilt bool   // it does not compile, and does not count
	Killer  string // the step that killed it; "" where it survives
	Timeout bool   // that step did not end in time
}

// lab builds and runs mutants. Each worker has its own.
type lab struct {
	module  *module
	dir     string // for what is built
	timeout time.Duration
	usual   map[step]time.Duration // the time without a mutant
}

// slack is how much longer than usual a step may take, and least the time that
// it may take anyhow.
const (
	slack = 5
	least = 15 * time.Second
)

// limit returns how long a step may take.
func (l *lab) limit(s step) time.Duration {
	if l.timeout > 0 {
		return l.timeout
	}
	return max(least, slack*l.usual[s])
}

// baseline runs the steps without a mutant: they must pass, and their times are
// what is usual.
func (l *lab) baseline(ctx context.Context, steps []step) error {
	for _, s := range steps {
		if _, known := l.usual[s]; known {
			continue
		}
		if err := l.build(ctx, s, ""); err != nil {
			return err
		}
		began := time.Now()
		run, cancel := context.WithTimeout(ctx, 10*time.Minute)
		err := l.run(run, s)
		cancel()
		if err != nil {
			return fmt.Errorf("%s %s fails without a mutant: %w", s.kind, s.folder, err)
		}
		l.usual[s] = time.Since(began)
	}
	return nil
}

// try runs the steps with the mutant m until one fails.
func (l *lab) try(ctx context.Context, m *mutant, steps []step) (verdict, error) {
	overlay, err := l.overlay(m)
	if err != nil {
		return verdict{}, err
	}
	for _, s := range steps {
		if err := l.build(ctx, s, overlay); err != nil {
			return verdict{Unbuilt: true}, ctx.Err()
		}
		run, cancel := context.WithTimeout(ctx, l.limit(s))
		err := l.run(run, s)
		late := run.Err() != nil
		cancel()
		if err != nil {
			return verdict{Killer: s.kind.String(), Timeout: late}, ctx.Err()
		}
	}
	return verdict{}, ctx.Err()
}

// overlay writes the mutated file and the file that puts it into a build.
func (l *lab) overlay(m *mutant) (string, error) {
	mutated, name := filepath.Join(l.dir, "mutant.go"), filepath.Join(l.dir, "overlay.json")
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
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// binary returns the path of what is built.
func (l *lab) binary() string { return filepath.Join(l.dir, "mutant.exe") }

// run runs a step. The error says that it failed.
func (l *lab) run(ctx context.Context, s step) error {
	if s.kind == judged {
		return l.judge(ctx)
	}
	p := l.module.find(s.folder)
	args := []string{"-test.short", "-test.failfast", "-test.paniconexit0"}
	if p.draws() {
		args = append(args, "-rapid.seed=1")
	}
	cmd := exec.CommandContext(ctx, l.binary(), args...)
	cmd.Dir = p.Dir
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, tail(out.String()))
	}
	return nil
}

// tail returns the end of what a test prints.
func tail(out string) string {
	return out[max(0, len(out)-2000):]
}

var errJudged = errors.New("a check fails")

// judge asks the mutant about every case of the corpus, until one answer is
// wrong.
func (l *lab) judge(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	report, err := runner.Run(ctx, runner.Config{
		Command: []string{l.binary(), "serve"},
		Cases:   corpus.Cases(),
		Matrix:  runner.Quick,
		Jobs:    1,
		Progress: func(_, _, failed int) {
			if failed > 0 {
				cancel(errJudged)
			}
		},
	})
	switch {
	case context.Cause(ctx) != nil:
		return context.Cause(ctx)
	case err != nil:
		return err
	case !report.OK():
		return errJudged
	}
	return nil
}

// environment bounds the memory and threads of what is run, so that a mutant
// that never stops growing kills nothing else.
func environment(jobs, threads int) {
	limitMemory()
	os.Setenv("GOMAXPROCS", fmt.Sprint(max(1, threads/jobs)))
	os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -p="+fmt.Sprint(max(1, threads/jobs))))
}
