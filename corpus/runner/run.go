package runner

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
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

func (c *Config) setDefaults() {
	c.Timeout = cmp.Or(c.Timeout, DefaultTimeout)
	c.StartTimeout = cmp.Or(c.StartTimeout, DefaultStartTimeout)
	c.MaxLine = cmp.Or(c.MaxLine, DefaultMaxLine)
	c.Jobs = cmp.Or(c.Jobs, runtime.GOMAXPROCS(0))
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
	running, giveUp := context.WithCancel(ctx)
	defer giveUp()
	first := &child{ctx: running, config: &config}
	welcome, err := first.start()
	switch {
	case ctx.Err() != nil:
		return nil, errors.New("the run was interrupted before the answer to hello")
	case err != nil:
		return nil, err
	}
	all := checksOf(config.Cases)
	r := run{Report: &Report{Welcome: welcome, Check: config.Check, Results: all},
		config: &config, giveUp: giveUp, checks: make(chan *Result, len(all))}
	for i := range all {
		r.checks <- &all[i]
	}
	close(r.checks)
	var wait sync.WaitGroup
	wait.Go(func() { r.work(first) })
	for range min(config.Jobs, len(all)) - 1 {
		wait.Go(func() { r.work(&child{ctx: running, config: &config}) })
	}
	wait.Wait()
	r.apply(config.Known)
	r.Elapsed = time.Since(began)
	r.Interrupted = ctx.Err() != nil
	return r.Report, ctx.Err()
}

// checksOf returns the checks of cases: a parse case is read whole and streamed.
func checksOf(cases []corpus.Case) (all []Result) {
	for i := range cases {
		c := &cases[i]
		all = append(all, Result{Case: c, Op: c.Op, Status: NotRun})
		if c.Op == corpus.Parse {
			all = append(all, Result{Case: c, Op: opStream, Status: NotRun})
		}
	}
	return all
}

// allChecks returns the checks of the whole corpus.
func allChecks() []Result { return checksOf(append(corpus.Cases(), corpus.MoreCases()...)) }

// A run is what its children share.
type run struct {
	*Report
	config *Config
	giveUp func()
	checks chan *Result // those that haven't started

	mu           sync.Mutex
	done, failed int
}

// mostLost is how many timeouts may be lost on breakdowns before an implementation is given up.
const mostLost = 10

// work does checks until all are done.
func (r *run) work(c *child) {
	for res := range r.checks {
		if c.ctx.Err() != nil {
			break
		}
		r.check(c, res)
		r.record(res)
		if c.lost >= mostLost*r.config.Timeout {
			r.giveUp()
		}
	}
	if c.cmd == nil {
		return
	}
	if farewell := c.bye(); farewell != "" && c.ctx.Err() == nil {
		r.mu.Lock()
		r.Farewell = farewell
		r.mu.Unlock()
	}
}

// record counts a check that is done.
func (r *run) record(res *Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	if res.Status == Fail {
		r.failed++
	}
	if r.config.Progress != nil {
		r.config.Progress(r.done, len(r.Results), r.failed)
	}
}

// check does a check: it asks all questions, up to a breakdown or one that is skipped.
func (r *run) check(c *child, res *Result) {
	op := res.Op
	if op == opStream {
		op = corpus.Feed
	}
	if !slices.Contains(r.Welcome.Ops, op) {
		res.Status, res.Skip = Skipped, "hello does not name the op "+op
		return
	}
	began := time.Now()
	down := false
	questions := res.questions(r.config)
	for len(questions) > 0 && !down && res.Skip == "" {
		n := atOnce(questions)
		for _, v := range c.try(res, questions[:n]...) {
			down = v.down
			res.Skip = cmp.Or(res.Skip, v.skip)
			res.Requests++
			if v.What != "" {
				res.Wrong++
				res.Failure = cmp.Or(res.Failure, &v.Failure) // the report shows the first one
			}
		}
		questions = questions[n:]
	}
	if down && c.ctx.Err() != nil { // it was ended from outside
		*res = Result{Case: res.Case, Op: res.Op, Status: NotRun}
		return
	}
	c.minimize(res)
	res.Elapsed = time.Since(began)
	switch {
	case res.Failure != nil:
		res.Status = Fail
	case res.Skip != "":
		res.Status = Skipped
	default:
		res.Status = Pass
	}
}

// A verdict is what is wrong with the answers to a question, if anything is.
type verdict struct {
	Failure
	skip string // why the implementation doesn't answer it
	down bool   // it broke down
}

// try asks questions and judges the answers, up to a breakdown.
func (c *child) try(res *Result, questions ...question) (verdicts []verdict) {
	timeout := c.config.Timeout
	if res.Case.Repeat != nil {
		timeout *= largeTime
	}
	var requests [][]corpus.Request
	for i := range questions {
		requests = append(requests, questions[i].requests(res))
	}
	for answers, broken := range c.ask(questions[0].lockstep, timeout, requests...) {
		q := &questions[len(verdicts)]
		v := verdict{down: broken != nil}
		if v.down {
			v.Failure = *broken
			v.Want = wanted(res.Case)
		} else {
			v.Failure, v.skip = q.judge(res.Case, answers, c.config.Check)
		}
		v.Cuts = q.cuts
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// minimize makes the cut list of a failure as short as it can be within the time for one answer.
func (c *child) minimize(res *Result) {
	f := res.Failure
	if f == nil || len(f.Cuts) <= 2 || res.Case.Repeat != nil {
		return
	}
	began := time.Now()
	shrink(f.Cuts, func(cuts []int) bool {
		if time.Since(began) > c.config.Timeout {
			return false
		}
		v := c.try(res, question{cuts: cuts})[0].Failure
		if v.What == "" {
			return false
		}
		v.Stderr = cmp.Or(v.Stderr, f.Stderr)
		*f = v
		return true
	})
}
