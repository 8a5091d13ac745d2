package runner

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/callwire/callwire/corpus"
)

// Config is what is run and how.
type Config struct {
	Command []string      // the program and its arguments
	Cases   []corpus.Case // usually those of [corpus.Cases]
	Matrix  corpus.Matrix // the cut lists
	Jobs    int           // children at a time; 0 means one for each processor
	Timeout time.Duration // for one answer; 0 means [DefaultTimeout]

	// StartTimeout is for the answer to hello, before which a program may have to be
	// built; 0 means [DefaultStartTimeout].
	StartTimeout time.Duration

	// MaxLine bounds the bytes of one line of output; 0 means [DefaultMaxLine].
	MaxLine int

	// Known are the names of the checks that are known to fail.
	Known []string

	// Check judges the shape of the answers only, at few cut lists.
	Check bool

	// Progress, if not nil, is called after each check, by one goroutine at a time.
	Progress func(done, total, failed int)
}

// The defaults of [Config].
const (
	DefaultTimeout      = 10 * time.Second
	DefaultStartTimeout = time.Minute
	DefaultMaxLine      = 64 << 20
)

// setDefaults replaces zeros by defaults.
func (c *Config) setDefaults() {
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.StartTimeout <= 0 {
		c.StartTimeout = DefaultStartTimeout
	}
	if c.MaxLine <= 0 {
		c.MaxLine = DefaultMaxLine
	}
	if c.Jobs <= 0 {
		c.Jobs = runtime.GOMAXPROCS(0)
	}
}

func (c *Config) matrix() corpus.Matrix {
	if c.Check {
		return corpus.Ends
	}
	return c.Matrix
}

// Run judges an implementation. It returns an error if the implementation cannot be judged at all,
// because it doesn't start or doesn't answer hello correctly. If the context is done, Run returns
// its error together with a report on the finished checks.
func Run(ctx context.Context, config Config) (*Report, error) {
	if len(config.Command) == 0 {
		return nil, errors.New("no command")
	}
	config.setDefaults()
	began := time.Now()
	first, welcome, err := greet(ctx, &config)
	if err != nil && ctx.Err() != nil {
		err = errors.New("the run was interrupted before the answer to hello")
	}
	if err != nil {
		return nil, err
	}
	r := run{ctx: ctx, config: &config, welcome: welcome, checks: checksOf(config.Cases)}
	r.report = &Report{Welcome: *welcome, Check: config.Check, Results: make([]Result,
		len(r.checks))}
	for i, c := range r.checks {
		r.report.Results[i] = Result{Case: c.Case, Op: c.op, Status: NotRun}
	}
	r.do(first)
	r.report.apply(config.Known)
	r.report.Elapsed = time.Since(began)
	r.report.Interrupted = ctx.Err() != nil
	return r.report, ctx.Err()
}

// checksOf returns the checks of cases: a parse case is read whole and streamed.
func checksOf(cases []corpus.Case) (all []check) {
	for i := range cases {
		c := &cases[i]
		all = append(all, check{c, c.Op})
		if c.Op == corpus.Parse {
			all = append(all, check{c, opStream})
		}
	}
	return all
}

// A run is what its workers share.
type run struct {
	ctx     context.Context
	config  *Config
	welcome *corpus.Welcome
	checks  []check

	mu     sync.Mutex
	next   int // the first check that hasn't started
	done   int
	failed int
	gaveUp bool
	report *Report
}

// do does the checks, the first worker with a child that has been greeted.
func (r *run) do(first *child) {
	var wait sync.WaitGroup
	for job := range min(r.config.Jobs, max(len(r.checks), 1)) {
		w := &worker{ctx: r.ctx, config: r.config, welcome: r.welcome}
		if job == 0 {
			w.child = first
		}
		wait.Go(func() { r.work(w) })
	}
	wait.Wait()
}

// work does checks until all are done.
func (r *run) work(w *worker) {
	for i := r.take(); i >= 0; i = r.take() {
		r.note(i, w.do(r.checks[i]), w)
	}
	if w.child == nil {
		return
	}
	if err := w.child.bye(); err != nil && r.ctx.Err() == nil {
		r.mu.Lock()
		r.report.Farewell = err.Error()
		r.mu.Unlock()
	}
}

// take returns the index of the next check, or -1 if there is none to do.
func (r *run) take() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next == len(r.checks) || r.gaveUp || r.ctx.Err() != nil {
		return -1
	}
	r.next++
	return r.next - 1
}

// note notes the result of check i.
func (r *run) note(i int, result Result, w *worker) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Results[i] = result
	r.done++
	if result.Status == Fail {
		r.failed++
	}
	if w.givesUp() {
		r.gaveUp = true
		r.report.Silent = r.report.Silent || w.silent()
	}
	if r.config.Progress != nil {
		r.config.Progress(r.done, len(r.checks), r.failed)
	}
}
