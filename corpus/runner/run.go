package runner

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/callwire/callwire/corpus"
)

// Config says what is run and how.
type Config struct {
	Command []string      // the program and its arguments
	Cases   []corpus.Case // usually those of [corpus.Cases]
	Matrix  Matrix        // the cut lists
	Jobs    int           // children at a time; 0 is one for each processor
	Timeout time.Duration // for one answer; 0 is [DefaultTimeout]

	// StartTimeout is for the answer to hello, before which a program may have
	// to be built; 0 is [DefaultStartTimeout].
	StartTimeout time.Duration

	// MaxLine bounds the bytes of one line of output; 0 is [DefaultMaxLine].
	MaxLine int

	// Protocol is the highest version of the protocol that is offered; 0 is
	// [Protocol].
	Protocol int

	// Known are the checks that are known to fail, by their names.
	Known []string

	// Check looks at the shape of the answers only and not at what they say,
	// and uses few cut lists.
	Check bool

	// Progress, if there is one, is told of each check that is done, by one
	// goroutine at a time.
	Progress func(done, total, failed int)
}

// The defaults of [Config].
const (
	DefaultTimeout      = 10 * time.Second
	DefaultStartTimeout = time.Minute
	DefaultMaxLine      = 64 << 20
)

func (c *Config) matrix() Matrix {
	if c.Check {
		return Ends
	}
	return c.Matrix
}

// checkName is the op and the case of a check.
type checkName struct {
	c  *corpus.Case
	op string
}

// Run judges an implementation. The error is that it cannot be judged at all:
// it does not start, or does not answer to hello as it should. With the error of
// a context that is done comes a report on what was run before.
func Run(ctx context.Context, config Config) (*Report, error) {
	if len(config.Command) == 0 {
		return nil, errors.New("no command")
	}
	config.setDefaults()
	if config.Jobs <= 0 {
		config.Jobs = runtime.GOMAXPROCS(0)
	}
	began := time.Now()
	first, welcome, err := greet(ctx, &config)
	if err != nil && ctx.Err() != nil {
		err = errors.New("the run was interrupted before the answer to hello")
	}
	if err != nil {
		return nil, err
	}

	var checks []checkName
	for i := range config.Cases {
		c := &config.Cases[i]
		checks = append(checks, checkName{c, c.Op})
		if c.Op == corpus.Parse {
			checks = append(checks, checkName{c, opStream})
		}
	}
	report := &Report{Welcome: *welcome, Check: config.Check, Results: make([]Result, len(checks))}
	next := make(chan []int)
	stop := make(chan struct{})
	var giveUp sync.Once
	var mu sync.Mutex
	var wait sync.WaitGroup
	done, failed := 0, 0
	for job := range min(config.Jobs, max(len(checks), 1)) {
		w := &worker{ctx: ctx, config: &config, welcome: welcome}
		if job == 0 {
			w.child = first
		}
		wait.Go(func() {
			for group := range next {
				var some []checkName
				for _, i := range group {
					some = append(some, checks[i])
				}
				results := w.do(some...)
				mu.Lock()
				for j, i := range group {
					report.Results[i] = results[j]
					done++
					if results[j].Status == Fail {
						failed++
					}
					if config.Progress != nil {
						config.Progress(done, len(checks), failed)
					}
				}
				mu.Unlock()
				if w.givesUp() {
					giveUp.Do(func() {
						report.Silent = w.silent()
						close(stop)
					})
				}
			}
			if w.child != nil {
				if err := w.child.bye(); err != nil {
					mu.Lock()
					report.Farewell = err.Error()
					mu.Unlock()
				}
			}
		})
	}
feed:
	for _, group := range groups(checks, config.matrix(), welcome.feeds()) {
		select {
		case next <- group:
		case <-stop:
			break feed
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wait.Wait()
	for i := range report.Results {
		if r := &report.Results[i]; r.Case == nil {
			*r = Result{Case: checks[i].c, Op: checks[i].op, Status: NotRun}
		}
	}
	report.apply(config.Known)
	report.Elapsed = time.Since(began)
	report.Interrupted = ctx.Err() != nil
	return report, ctx.Err()
}

// groups returns the indices of the checks as they are done: each alone, and then,
// where streams are fed chunk by chunk, so many of these as are open at a time, for
// a child that waits for one chunk after the other is slow. Those of a group have
// similar lengths, and so end together.
func groups(checks []checkName, m Matrix, fed bool) (all [][]int) {
	var streams []int
	for i, check := range checks {
		if fed && check.op == opStream && check.c.Repeat == nil {
			streams = append(streams, i)
		} else {
			all = append(all, []int{i})
		}
	}
	slices.SortStableFunc(streams, func(a, b int) int { return len(checks[b].c.Text) - len(checks[a].c.Text) })
	var group []int
	open := 0
	for _, i := range streams {
		for range m.Splits(len(checks[i].c.Text)) {
			open++
		}
		if group = append(group, i); open >= streamsAtOnce {
			all, group, open = append(all, group), nil, 0
		}
	}
	if group != nil {
		all = append(all, group)
	}
	return all
}

// errNoAgreement says that an answer to hello is well formed, and that there is nothing to
// agree on.
type errNoAgreement struct{ error }

// greet starts the first child. One that does not understand the hello of a later
// protocol is greeted again in the first.
func greet(ctx context.Context, config *Config) (*child, *Welcome, error) {
	for protocol := config.Protocol; ; protocol = LeastProtocol {
		c, line, err := start(ctx, config, helloLine(protocol))
		if err == nil {
			var w *Welcome
			if w, err = readWelcome(line, protocol); err == nil {
				return c, w, nil
			}
			c.kill()
		}
		var b *breakdown
		if errors.As(err, new(errNoAgreement)) || protocol == LeastProtocol || !errors.As(err, &b) && c == nil || b != nil && b.silent {
			return nil, nil, withStderr(err)
		}
	}
}

// withStderr adds the end of standard error to what a breakdown says.
func withStderr(err error) error {
	var b *breakdown
	if errors.As(err, &b) && b.stderr != "" {
		return fmt.Errorf("%w; the end of its standard error:\n%s", err, b.stderr)
	}
	return err
}

func readWelcome(line []byte, protocol int) (*Welcome, error) {
	if faults := shapeOfWelcome(line); len(faults) > 0 {
		return nil, fmt.Errorf("the answer to hello is wrong: %s\n%s", strings.Join(faults, "; "), excerpt(string(line), 300))
	}
	var w Welcome
	if err := decode(line, &w); err != nil {
		return nil, fmt.Errorf("the answer to hello is wrong: %w", err)
	}
	if w.Protocol < LeastProtocol || w.Protocol > protocol {
		return nil, errNoAgreement{fmt.Errorf("it answers with protocol %d to a hello that names %d to %d; the answer names one of these", w.Protocol, LeastProtocol, protocol)}
	}
	if !reads(w.Spec, corpus.Version) {
		return nil, errNoAgreement{fmt.Errorf("it speaks version %s of the format, and the cases are of version %s", w.Spec, corpus.Version)}
	}
	return &w, nil
}

// reads reports whether an implementation of version have of the format reads
// what is of version want: a minor version adds to those before it.
func reads(have, want string) bool {
	major := func(version string) (string, int) {
		head, tail, _ := strings.Cut(version, ".")
		minor, err := strconv.Atoi(tail)
		if err != nil {
			return version, -1
		}
		return head, minor
	}
	haveMajor, haveMinor := major(have)
	wantMajor, wantMinor := major(want)
	return haveMajor == wantMajor && haveMinor >= wantMinor
}
