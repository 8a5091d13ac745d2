// Package live measures how well models call tools: natively, and in text under all settings of the
// manual.
//
// A Case is put to a model under an Arm, which is a mode with settings. Each such trial is one line
// of a file, so a run continues where it stopped. The scripted models of NewScripted work without
// an endpoint.
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
	Steps  int    // the most messages of the model in a task
	Judge  string // the model to ask about misses; "" asks none

	Concurrency int                   // how many trials run at once
	Progress    func(done, total int) // called by one goroutine at a time; may be nil
}

// trials returns the trials of the plan. They begin with all arms of the first case, so a run that
// ends early has pairs to compare.
func (p *Plan) trials() ([]*session, error) {
	var trials []*session
	for rep := range p.Reps {
		for i := range p.Cases {
			for _, model := range p.Models {
				for _, a := range p.Arms {
					s, err := p.trial(rep, &p.Cases[i], model, a)
					if err != nil {
						return nil, fmt.Errorf("%s, case %s: %w", a, p.Cases[i].ID, err)
					}
					trials = append(trials, s)
				}
			}
		}
	}
	return trials, nil
}

func (p *Plan) trial(rep int, c *Case, model string, a Arm) (*session, error) {
	params := p.Params
	params.Model = model
	if p.Params.Seed != nil {
		seed := *p.Params.Seed + int64(rep)
		params.Seed = &seed
	}
	s, err := a.open(p.Client, params, c)
	if err != nil {
		return nil, err
	}
	s.record.Key = Key{KindLive, p.Client.name, model, c.ID, a.Mode, a.Variant, rep}
	if c.Task != nil {
		s.record.Kind = KindAgent
	}
	s.record.Group, s.steps = c.Group, p.Steps
	s.record.Prompt, err = p.Client.hash(s.request())
	return s, err
}

// do runs the trial. On error, the record has what the attempt cost.
func (s *session) do(ctx context.Context) error {
	if s.c.Task != nil {
		return s.doTask(ctx)
	}
	return s.doMessage(ctx)
}

// doMessage asks for one message and judges its calls. A malformed call is answered as often as the
// arm allows, if nothing else of the message was delivered.
func (s *session) doMessage(ctx context.Context) error {
	for try := 0; ; try++ {
		calls, malformed, err := s.ask(ctx)
		if err != nil {
			return err
		}
		if malformed == 0 || len(calls) > 0 || try >= s.arm.retries {
			r, want := &s.record, s.c.Want
			tried := len(want) == 0 && malformed > 0
			r.Exact = right(want, r.Calls, true) && !tried
			r.Success = r.Exact || right(want, r.Calls, false) && !tried
			return nil
		}
	}
}

// doTask lets the model work until it calls nothing more, and judges the world.
func (s *session) doTask(ctx context.Context) error {
	r, world := &s.record, s.c.Task.begin()
	for r.Steps < s.steps {
		calls, malformed, err := s.ask(ctx)
		if err != nil {
			return err
		}
		for _, c := range calls {
			text, err := world.call(c.Call, s.c.valid(c.Call))
			if err != nil {
				r.Failed++
				text = err.Error()
			}
			s.result(c, text, err != nil)
		}
		if len(calls)+malformed == 0 {
			break
		}
	}
	wanted := 0
	for _, step := range s.c.Solution {
		wanted += len(step)
	}
	r.Missed = world.missed()
	r.Success = len(r.Missed) == 0
	r.Exact = r.Success && len(r.Calls) == wanted
	return nil
}

// Summary counts the outcomes of the trials.
type Summary struct {
	Done, Skipped, Failed int
	Why                   error // why the last of those failed
	Stopped               error // why not all trials were run
}

// Run runs the trials that the file doesn't have, adds them to it, and asks the judge. The error is
// why it cannot continue: a record of another run, an endpoint that answers nothing, a file that
// cannot be written. If ctx is done or the budget is used up, Stopped is set instead.
func (p Plan) Run(ctx context.Context, file string) (Summary, error) {
	log, err := openLog(file)
	if err != nil {
		return Summary{}, err
	}
	defer log.close()
	for _, r := range log.records {
		p.Client.spend(r.Usage)
	}
	r := &runner{log: log, progress: p.Progress}
	err = r.runAll(ctx, &p)
	if err != nil || r.Stopped != nil || p.Judge == "" {
		return r.Summary, err
	}
	var e *Error
	err = p.judge(ctx, log)
	if ctx.Err() != nil || errors.As(err, &e) {
		r.Stopped, err = err, nil
	}
	return r.Summary, err
}

// runner is the state of a run.
type runner struct {
	log      *recordLog
	progress func(done, total int)
	total    int

	mu sync.Mutex
	Summary
}

// runAll runs the trials that are not in the log, some at once.
func (r *runner) runAll(ctx context.Context, p *Plan) error {
	trials, err := p.trials()
	if err != nil {
		return err
	}
	r.total = len(trials)
	have := make(map[Key]Record)
	for _, rec := range Latest(r.log.records) {
		have[rec.Key] = rec
	}
	var todo []*session
	for _, t := range trials {
		rec, ok := have[t.record.Key]
		switch {
		case ok && rec.Prompt != t.record.Prompt:
			return fmt.Errorf("%s was run with different settings "+
				"(prompt, tools, seed or limits); use another --out file", rec.Case)
		case ok && rec.Failure == "":
			r.Skipped++
		default:
			todo = append(todo, t)
		}
	}
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	var fatal error
	var once sync.Once
	var workers sync.WaitGroup
	room := make(chan struct{}, max(p.Concurrency, 1))
	for _, t := range todo {
		room <- struct{}{}
		if r.isStopped(running) {
			break
		}
		workers.Go(func() {
			defer func() { <-room }()
			if err := r.add(running, &t.record, t.do(running)); err != nil {
				once.Do(func() { fatal = err })
				cancel()
			}
		})
	}
	workers.Wait()
	if r.Stopped == nil && r.Done+r.Failed < len(todo) {
		r.Stopped = ctx.Err()
	}
	return fatal
}

// isStopped reports whether no further trial may begin.
func (r *runner) isStopped(ctx context.Context) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.Stopped != nil || ctx.Err() != nil
}

// stopped is the Failure of a trial that did not end.
const stopped = "stopped"

// add records how a trial ended. The error ends the run.
func (r *runner) add(ctx context.Context, rec *Record, err error) error {
	var e *Error
	isOurs := errors.As(err, &e)
	switch {
	case err == nil:
	case ctx.Err() != nil, isOurs && e.Code == OverBudget:
		rec.Failure = stopped
	case !isOurs || e.Code.isFatal():
		return err
	default:
		rec.Failure = string(e.Code) // not the message of the endpoint, which may repeat the prompt
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if rec.Failure != stopped || rec.Requests > 0 {
		if err := r.log.append(*rec); err != nil {
			return err
		}
	}
	switch rec.Failure {
	case "":
		r.Done++
	case stopped:
		r.Stopped = err
	default:
		r.Failed++
		r.Why = err
	}
	if r.progress != nil {
		r.progress(r.Skipped+r.Done+r.Failed, r.total)
	}
	return nil
}
