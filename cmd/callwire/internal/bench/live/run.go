// Package live measures how well models call tools: natively, and in text under all settings of the
// manual.
//
// A Case is put to a model under an Arm, which is a mode with settings. Each such trial is one line
// of a file, so a run continues where it stopped. The scripted models of NewScripted work without
// an endpoint.
package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/callwire/callwire/internal/rawjson"
)

// Plan is what to measure.
type Plan struct {
	Client *Client
	Models []string
	Params rawjson.Object // of all requests, apart from the model, the conversation and the seed
	Seed   *int           // of the first repetition; nil for none
	Arms   []Arm
	Cases  []Case
	Reps   int
	Steps  int    // the most messages of the model in a task
	Judge  string // the model to ask about misses; "" asks none

	Concurrency int                   // how many trials run at once
	Progress    func(done, total int) // may be nil
}

// Summary is the records of a run, and how many of its trials had which outcome.
type Summary struct {
	Records []Record // of all runs in the file

	Done, Skipped, Failed int
	Why                   error // why the last of those failed
	Stopped               error // why not all trials were run
}

// Run runs the trials that the file doesn't have, adds them to it, and asks the judge. Without a
// name of a file, it runs all and writes none. The error is why it cannot continue: a record of
// another run, an endpoint that answers nothing, a file that cannot be written. If ctx is done or
// the budget is used up, Stopped is set instead.
func (p Plan) Run(ctx context.Context, file string) (s Summary, err error) {
	log, err := openLog(file)
	if err != nil {
		return s, err
	}
	defer func() {
		s.Records = log.records
		log.file.Close() // records are complete without it
	}()
	for _, r := range log.records {
		p.Client.settle(0, r.spent())
	}
	todo, err := p.todo(log, &s)
	if err == nil {
		err = p.runAll(ctx, todo, log, &s)
	}
	if err != nil || s.Stopped != nil || p.Judge == "" {
		return s, err
	}
	var e *Error
	err = p.judge(ctx, log)
	if ctx.Err() != nil || errors.As(err, &e) {
		s.Stopped, err = err, nil
	}
	return s, err
}

// todo returns the trials that are not in the log. They begin with all arms of the first case, so a
// run that ends early has pairs to compare.
func (p *Plan) todo(log *recordLog, s *Summary) (todo []*trial, err error) {
	have := make(map[Key]Record)
	for _, r := range Latest(log.records) {
		have[r.Key] = r
	}
	add := func(rep int, c *Case, model string, a Arm) error {
		t, err := p.trial(rep, c, model, a)
		if err != nil {
			return fmt.Errorf("%s, case %s: %w", a, c.ID, err)
		}
		r, ok := have[t.Key]
		switch {
		case ok && r.Prompt != t.Prompt:
			return fmt.Errorf("%s was run with different settings "+
				"(prompt, tools, seed or limits); use another --out file", r.Case)
		case ok && r.Failure == "":
			s.Skipped++
		default:
			todo = append(todo, t)
		}
		return nil
	}
	for rep := range p.Reps {
		for i := range p.Cases {
			for _, model := range p.Models {
				for _, a := range p.Arms {
					if err := add(rep, &p.Cases[i], model, a); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	return todo, nil
}

// runAll runs trials, some at once, and records how they ended.
func (p *Plan) runAll(ctx context.Context, todo []*trial, log *recordLog, s *Summary) (err error) {
	ctx, abort := context.WithCancel(ctx)
	defer abort()
	queue := make(chan *trial, len(todo))
	for _, t := range todo {
		queue <- t
	}
	close(queue)
	var mu sync.Mutex
	end := func(t *trial, why error) {
		mu.Lock()
		defer mu.Unlock()
		err = cmp.Or(err, s.add(ctx, log, &t.Record, why)) // the first one
		if err != nil {
			abort()
		}
		if err != nil || s.Stopped != nil {
			for range queue { // no other trial begins
			}
		}
		if p.Progress != nil {
			p.Progress(s.Skipped+s.Done+s.Failed, s.Skipped+len(todo))
		}
	}
	var workers sync.WaitGroup
	for range max(p.Concurrency, 1) {
		workers.Go(func() {
			for t := range queue {
				end(t, t.do(ctx))
			}
		})
	}
	workers.Wait()
	return err
}

// stopped is the Failure of a trial that did not end.
const stopped = "stopped"

// add records how a trial ended. The error ends the run.
func (s *Summary) add(ctx context.Context, log *recordLog, r *Record, err error) error {
	var e *Error
	isOurs := errors.As(err, &e)
	switch {
	case err == nil:
		s.Done++
	case ctx.Err() != nil, isOurs && e.kind == overBudget:
		r.Failure, s.Stopped = stopped, err
		if r.Steps == 0 {
			return nil
		}
	case !isOurs || e.fatal:
		return err
	default:
		r.Failure = e.code // not the message of the endpoint, which may repeat the prompt
		s.Failed++
		s.Why = err
	}
	return log.append(*r)
}
