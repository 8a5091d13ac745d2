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
	"slices"
	"strings"
	"sync"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
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
	defer func() {
		s.Records = log.records
		log.file.Close() // records are complete without it
	}()
	if err != nil {
		return s, err
	}
	for _, r := range log.records {
		if r.Verdict != nil {
			r.Usage = r.JudgeUsage // its trial is another record
		}
		p.Client.settle(0, r.Usage)
	}
	if p.Progress == nil {
		p.Progress = func(done, total int) {}
	}
	todo, err := p.todo(log, &s)
	if err == nil {
		err = p.runAll(ctx, todo, log, &s)
	}
	if err == nil && s.Stopped == nil && p.Judge != "" {
		err = p.judge(ctx, log)
		var e *Error
		if ctx.Err() != nil || errors.As(err, &e) {
			s.Stopped, err = err, nil
		}
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
		t, err := p.newTrial(rep, c, model, a)
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
		p.Progress(s.Skipped+s.Done+s.Failed, s.Skipped+len(todo))
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

// add records how a trial ended. The error ends the run.
func (s *Summary) add(ctx context.Context, log *recordLog, r *Record, err error) error {
	var e *Error
	isOurs := errors.As(err, &e)
	switch {
	case err == nil:
		s.Done++
	case ctx.Err() != nil, isOurs && e.code == overBudget.code:
		r.Failure, s.Stopped = "stopped", err
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

const systemOfJudge = "You judge tool calls that an assistant made for a user. Other calls were " +
	"expected, but differences in wording that mean the same to the tools are no faults. Answer " +
	"with one word: RIGHT if the calls do what the user asked for, WRONG if not."

// judge asks a model about all misses in the log that made a call and that it did not judge yet,
// and records its verdicts beside them. It answers for the same calls once.
func (p Plan) judge(ctx context.Context, log *recordLog) error {
	made := func(r Record) string { return r.Case + string(bench.JSON(r.Calls)) }
	verdicts := make(map[string]*bool) // by the calls that were made
	for _, r := range log.records {
		if r.Judge == p.Judge {
			verdicts[made(r)] = r.Verdict
		}
	}
	trials := Latest(log.records)
	for n, r := range trials {
		p.Progress(n, len(trials))
		i := slices.IndexFunc(p.Cases, func(c Case) bool { return c.ID == r.Case })
		if i < 0 || r.Judge == p.Judge || !r.isJudgeable() {
			continue
		}
		r.Judge, r.JudgeUsage, r.Verdict = p.Judge, Usage{}, verdicts[made(r)]
		if r.Verdict == nil {
			a, err := p.Client.ask(ctx, p.question(&p.Cases[i], r.Calls))
			if err != nil {
				return fmt.Errorf("the judge: %w", err)
			}
			text := strings.ToUpper(a.text) // the last of the two words counts
			right := strings.LastIndex(text, "RIGHT") > strings.LastIndex(text, "WRONG")
			r.JudgeUsage, r.Verdict, verdicts[made(r)] = a.usage, &right, &right
		}
		if err := log.append(r); err != nil {
			return err
		}
	}
	return nil
}

// isJudgeable reports whether a record is a miss with calls that a judge can compare.
func (r Record) isJudgeable() bool {
	isMiss := r.Kind == KindLive && r.Failure == "" && !r.Success
	return isMiss && len(r.Calls) > 0 && r.Group != "irrelevant"
}

// question is what the judge is asked.
func (p Plan) question(c *Case, calls []bench.Call) request {
	tools := ""
	for _, tool := range c.Catalog.Tools() {
		plan, _ := tool.Plan(sig.Auto) // it fails for sig.Refuse only
		tools += sig.SignatureOptions{}.Signature(plan) + "\n"
	}
	text := fmt.Sprintf("The tools:\n%s\nThe user:\n%s\n\nExpected calls:\n%s\n\n"+
		"Calls of the assistant:\n%s\n\nRIGHT or WRONG?", tools, c.Prompt,
		bench.JSON(c.Solution[0]), bench.JSON(calls))
	messages := []manual.Message{say(manual.System, systemOfJudge), say(manual.User, text)}
	return request{with(p.Params, "model", p.Judge), messages, nil}
}
