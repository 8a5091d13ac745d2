package trial

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
)

// Trial is one thing to measure.
type Trial struct {
	Key    record.Key
	Group  string
	Prompt string // hash of the first request

	// Do measures it. What it returns with an error is what the attempt took.
	Do func(ctx context.Context) (record.Record, error)
}

// Options say how trials are run.
type Options struct {
	Log         *record.Log
	Concurrency int
	Redact      bool
	Progress    func(done, total int) // called by one goroutine at a time
}

// Summary is what became of the trials.
type Summary struct {
	Done, Skipped, Failed int

	// GivenUp are the arms of which the first trials have all failed, with the
	// reason.
	GivenUp map[string]string

	// Stopped says why not all trials were run; nil if they were.
	Stopped error
}

// patience is how many trials of an arm may fail, none having succeeded, before
// the others are not tried.
const patience = 3

// Run runs the trials that the records do not have. The error says why it cannot
// go on: a record that is not of these trials, an endpoint that answers nothing, a
// file that cannot be written. Where ctx is done or the budget used up, Stopped
// says so.
func Run(ctx context.Context, trials []Trial, records []record.Record, o Options) (Summary, error) {
	r := &runner{Options: o, arms: make(map[string]*tally)}
	r.GivenUp = make(map[string]string)
	todo, err := r.todo(trials, records)
	if err != nil {
		return r.Summary, err
	}
	r.total = len(trials)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.cancel = cancel
	feeding, halt := context.WithCancel(ctx)
	defer halt()
	r.halt = halt

	next := make(chan Trial)
	var workers sync.WaitGroup
	for range max(o.Concurrency, 1) {
		workers.Go(func() {
			for t := range next {
				r.run(ctx, t)
			}
		})
	}
feed:
	for _, t := range todo {
		select {
		case next <- t:
		case <-feeding.Done():
			break feed
		}
	}
	close(next)
	workers.Wait()
	if r.fatal == nil && r.Stopped == nil && ctx.Err() != nil {
		r.Stopped = context.Cause(ctx)
	}
	return r.Summary, r.fatal
}

// runner is the state of a run.
type runner struct {
	Options
	cancel context.CancelCauseFunc // ends everything
	halt   context.CancelFunc      // lets no further trial begin
	total  int

	mu sync.Mutex
	Summary
	arms  map[string]*tally
	fatal error
}

// tally counts what became of an arm.
type tally struct {
	succeeded bool
	failed    int
}

// todo returns the trials that are not in the records.
func (r *runner) todo(trials []Trial, records []record.Record) ([]Trial, error) {
	have := make(map[record.Key]record.Record, len(records))
	for _, rec := range record.Latest(records) {
		have[rec.Key] = rec
	}
	var todo []Trial
	for _, t := range trials {
		rec, ok := have[t.Key]
		switch {
		case ok && rec.Prompt != t.Prompt:
			return nil, fmt.Errorf("the file has a trial of %s in which something else was asked (another prompt, tool, seed or limit); give another file by --out", t.Key.Case)
		case ok && rec.Failure == "":
			r.Skipped++
		default:
			todo = append(todo, t)
		}
	}
	return todo, nil
}

// run runs a trial and takes down what became of it.
func (r *runner) run(ctx context.Context, t Trial) {
	if ctx.Err() != nil || r.givenUp(t) {
		return
	}
	rec, err := t.Do(ctx)
	rec.Key, rec.Group, rec.Prompt = t.Key, t.Group, t.Prompt
	var e *endpoint.Error
	switch {
	case err == nil:
	case errors.As(err, &e) && e.Code == endpoint.OverBudget:
		rec.Failure = string(e.Code)
		r.stopped(err)
	case ctx.Err() != nil:
		rec.Failure = "stopped"
	case errors.As(err, &e) && e.Fatal():
		r.stop(err)
		return
	case errors.As(err, &e):
		rec.Failure = e.Error()
	default:
		r.stop(err)
		return
	}
	if rec.Failure != "" && rec.Requests == 0 && rec.Lost == (record.Usage{}) && (ctx.Err() != nil || e != nil && e.Code == endpoint.OverBudget) {
		return // nothing was taken
	}
	if r.Redact {
		rec = rec.Redacted()
	}
	if err := r.Log.Append(rec); err != nil {
		r.stop(err)
		return
	}
	r.count(t, rec.Failure)
}

// givenUp reports whether the arm of a trial is not tried any more.
func (r *runner) givenUp(t Trial) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.GivenUp[armOf(t)]
	if ok {
		r.Failed++
	}
	return ok
}

func armOf(t Trial) string { return t.Key.Model + ", " + t.Key.Arm() }

func (r *runner) count(t Trial, failure string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	arm := r.arms[armOf(t)]
	if arm == nil {
		arm = new(tally)
		r.arms[armOf(t)] = arm
	}
	if failure == "" {
		arm.succeeded = true
		r.Done++
	} else {
		arm.failed++
		r.Failed++
		if !arm.succeeded && arm.failed >= patience {
			r.GivenUp[armOf(t)] = failure
		}
	}
	if r.Progress != nil {
		r.Progress(r.Skipped+r.Done+r.Failed, r.total)
	}
}

// stopped lets the trials that run end, and no other begin.
func (r *runner) stopped(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Stopped = err
	r.halt()
}

// stop ends the run with an error, the first one.
func (r *runner) stop(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fatal == nil {
		r.fatal = err
	}
	r.cancel(err)
}
