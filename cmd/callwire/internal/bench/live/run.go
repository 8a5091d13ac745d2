// Package live measures how well models call tools: natively, and in text under all settings of the
// manual.
//
// A Case is put to a model under an Arm, which is a mode with settings. Each such trial is one line
// of a Log, so a run continues where it stopped. The scripted models of NewScripted show what comes
// out without an endpoint.
package live

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Plan is what to measure.
type Plan struct {
	Client *Client
	Models []string
	Params Params // without the model; the seed is that of the first repetition
	Arms   []Arm
	Cases  []Case
	Reps   int
	Steps  int // the most messages of the model in a task
}

// trial is one thing to measure.
type trial struct {
	*Plan
	params Params
	arm    Arm
	c      *Case
	key    Key
	prompt string // hash of the first request
}

// trials returns the trials of a plan. They begin with all arms of the first case, so a run that
// ends early has pairs to compare.
func (p *Plan) trials() ([]*trial, error) {
	var trials []*trial
	for rep := range p.Reps {
		for i := range p.Cases {
			c := &p.Cases[i]
			for _, model := range p.Models {
				for _, a := range p.Arms {
					t, err := p.trial(rep, c, model, a)
					if err != nil {
						return nil, fmt.Errorf("%s, case %s: %w", a, c.ID, err)
					}
					trials = append(trials, t)
				}
			}
		}
	}
	return trials, nil
}

func (p *Plan) trial(rep int, c *Case, model string, a Arm) (*trial, error) {
	t := &trial{Plan: p, params: p.Params, arm: a, c: c}
	t.params.Model = model
	if p.Params.Seed != nil {
		seed := *p.Params.Seed + int64(rep)
		t.params.Seed = &seed
	}
	kind := KindLive
	if c.Task != nil {
		kind = KindAgent
	}
	t.key = Key{kind, p.Client.name, model, c.ID, a.Mode, a.Variant, rep}
	if err := a.check(c.Catalog); err != nil {
		return nil, err
	}
	s, err := a.open(p.Client, t.params, c)
	if err != nil {
		return nil, err
	}
	t.prompt, err = p.Client.hash(s.request())
	return t, err
}

// do runs the trial. What it returns with an error is what the attempt took.
func (t *trial) do(ctx context.Context) (Record, error) {
	s, err := t.arm.open(t.Client, t.params, t.c)
	if err != nil {
		return Record{}, err
	}
	do := t.doMessage
	if t.c.Task != nil {
		do = t.doTask
	}
	err = do(ctx, s)
	return s.record, err
}

// doMessage asks for one message and judges its calls. A malformed call is answered as often as the
// arm allows, if nothing else of the message was delivered.
func (t *trial) doMessage(ctx context.Context, s *session) error {
	r := &s.record
	for try := 0; ; try++ {
		m, err := s.ask(ctx)
		if err != nil {
			return err
		}
		r.Steps++
		r.Malformed = append(r.Malformed, m.malformed...)
		if len(m.malformed) > 0 && len(m.calls) == 0 && try < t.arm.retries {
			continue
		}
		r.Repaired, r.Issues, r.Valid = m.repaired, m.issues, true
		for _, c := range m.calls {
			r.Calls = append(r.Calls, c.Call)
			r.Valid = r.Valid && t.c.schemas.valid(c.Call)
		}
		r.Wanted, r.Called = len(t.c.Want), len(m.calls)
		r.Widest = r.Called + len(m.malformed)
		tried := r.Wanted == 0 && len(m.malformed) > 0
		r.Exact = right(t.c.Want, r.Calls, true) && !tried
		r.Success = r.Exact || right(t.c.Want, r.Calls, false) && !tried
		return nil
	}
}

// doTask lets the model work until it calls nothing more, and judges the world.
func (t *trial) doTask(ctx context.Context, s *session) error {
	r, world := &s.record, t.c.Task.begin()
	r.Valid = true
	for r.Steps < t.Steps {
		m, err := s.ask(ctx)
		if err != nil {
			return err
		}
		r.Steps++
		r.Widest = max(r.Widest, len(m.calls))
		r.Malformed = append(r.Malformed, m.malformed...)
		r.Repaired = append(r.Repaired, m.repaired...)
		r.Issues = append(r.Issues, m.issues...)
		for _, c := range m.calls {
			r.Calls = append(r.Calls, c.Call)
			r.Called++
			valid := t.c.schemas.valid(c.Call)
			r.Valid = r.Valid && valid
			text, err := world.call(c.Call, valid)
			if err != nil {
				r.Failed++
				text = err.Error()
			}
			s.result(c, text, err != nil)
		}
		if len(m.calls)+len(m.malformed) == 0 {
			break
		}
	}
	for _, step := range t.c.Solution {
		r.Wanted += len(step)
	}
	r.Missed = world.missed()
	r.Success = len(r.Missed) == 0
	r.Exact = r.Success && r.Called == r.Wanted
	return nil
}

// RunOptions configure a run.
type RunOptions struct {
	Log         *Log
	Concurrency int
	Progress    func(done, total int) // called by one goroutine at a time
}

// Summary is what became of the trials.
type Summary struct {
	Done, Skipped, Failed int
	Why                   error // why the last of those failed
	Stopped               error // why not all trials were run
}

// Run runs the trials that the records don't have. The error is why it cannot continue: a record of
// another run, an endpoint that answers nothing, a file that cannot be written. If ctx is done or
// the budget is used up, Stopped is set instead.
func (p Plan) Run(ctx context.Context, records []Record, o RunOptions) (Summary, error) {
	trials, err := p.trials()
	if err != nil {
		return Summary{}, err
	}
	r := &runner{RunOptions: o, total: len(trials)}
	todo, err := r.todo(trials, records)
	if err != nil {
		return r.Summary, err
	}
	ctx, r.cancel = context.WithCancelCause(ctx)
	defer r.cancel(nil)
	var feeding context.Context
	feeding, r.halt = context.WithCancel(ctx)
	defer r.halt()
	next := make(chan *trial)
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
	RunOptions
	cancel context.CancelCauseFunc // ends everything
	halt   context.CancelFunc      // lets no further trial begin
	total  int

	mu sync.Mutex
	Summary
	fatal error
}

// todo returns the trials that are not in the records.
func (r *runner) todo(trials []*trial, records []Record) (todo []*trial, err error) {
	have := make(map[Key]Record, len(records))
	for _, rec := range Latest(records) {
		have[rec.Key] = rec
	}
	for _, t := range trials {
		rec, ok := have[t.key]
		switch {
		case ok && rec.Prompt != t.prompt:
			return nil, fmt.Errorf("%s was run with different settings (prompt, tools, seed or limits); use another --out file", t.key.Case)
		case ok && rec.Failure == "":
			r.Skipped++
		default:
			todo = append(todo, t)
		}
	}
	return todo, nil
}

// run runs a trial and records it.
func (r *runner) run(ctx context.Context, t *trial) {
	rec, err := t.do(ctx)
	rec.Key, rec.Group, rec.Prompt = t.key, t.c.Group, t.prompt
	var e *Error
	isOurs := errors.As(err, &e)
	interrupted := ctx.Err() != nil || isOurs && e.Code == OverBudget
	switch {
	case err == nil:
	case interrupted:
		rec.Failure = "stopped"
		r.stop(err, nil)
	case !isOurs || e.fatal():
		r.stop(nil, err)
		return
	default:
		rec.Failure = string(e.Code) // and not what the endpoint says, which may be the prompt
	}
	if interrupted && rec.Requests == 0 {
		return // nothing was taken
	}
	if err := r.Log.Append(rec); err != nil {
		r.stop(nil, err)
		return
	}
	r.count(err)
}

func (r *runner) count(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.Done++
	} else {
		r.Failed++
		r.Why = err
	}
	if r.Progress != nil {
		r.Progress(r.Skipped+r.Done+r.Failed, r.total)
	}
}

// stop lets no further trial begin. A fatal error, of which the first counts, also ends those that
// run.
func (r *runner) stop(why, fatal error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.halt()
	if fatal == nil {
		r.Stopped = why
		return
	}
	if r.fatal == nil {
		r.fatal = fatal
	}
	r.cancel(fatal)
}
