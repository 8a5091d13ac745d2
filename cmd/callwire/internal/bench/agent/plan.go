package agent

import (
	"context"
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/arm"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/trial"
)

// system is what a model is told besides its tools.
const system = "You work for the user by calling tools. Go on until all is done, without asking back; then say in one sentence that it is."

// Plan is what is to be measured.
type Plan struct {
	Client *endpoint.Client
	Models []string
	Params arm.Params // but for the model; the seed is that of the first repetition
	Arms   []arm.Arm
	Tasks  []Task
	Reps   int
	Steps  int // most messages of the model in a task
}

// Trials returns the trials of a plan, all arms of a task side by side.
func (p Plan) Trials() ([]trial.Trial, error) {
	var trials []trial.Trial
	for rep := range p.Reps {
		for _, task := range p.Tasks {
			for _, model := range p.Models {
				for _, a := range p.Arms {
					if err := a.Check(task.Catalog); err != nil {
						return nil, fmt.Errorf("%s, task %s: %w", a, task.ID, err)
					}
					t := attempt{p.Client, p.Params.For(model, rep), a, task, p.Steps}
					hash, err := t.open().Hash()
					if err != nil {
						return nil, fmt.Errorf("%s, task %s: %w", a, task.ID, err)
					}
					trials = append(trials, trial.Trial{
						Key: record.Key{Kind: record.Agent, Endpoint: p.Client.Name(), Model: model, Case: task.ID,
							Mode: a.Mode, Variant: a.Variant, Rep: rep},
						Group: "task", Prompt: hash, Do: t.do})
				}
			}
		}
	}
	return trials, nil
}

// attempt is a task that is given to a model under an arm.
type attempt struct {
	client *endpoint.Client
	params arm.Params
	arm    arm.Arm
	task   Task
	steps  int
}

func (t attempt) open() *arm.Session {
	return t.arm.Open(t.client, t.params, t.task.Catalog, system, []endpoint.Message{{Role: "user", Text: t.task.Prompt}})
}

// do lets the model work until it calls nothing more, and judges the world. A
// malformed call is always answered.
func (t attempt) do(ctx context.Context) (record.Record, error) {
	s, world := t.open(), t.task.World.clone()
	r := &s.Record
	r.Valid = true
	for r.Steps < t.steps {
		m, err := s.Ask(ctx)
		if err != nil {
			return *r, err
		}
		r.Steps++
		r.Widest = max(r.Widest, len(m.Calls))
		r.Repaired = append(r.Repaired, m.Repaired...)
		r.Issues = append(r.Issues, m.Issues...)
		for _, broken := range m.Malformed {
			r.Malformed = append(r.Malformed, broken.Code)
		}
		for _, c := range m.Calls {
			r.Calls = append(r.Calls, c.Call)
			r.Called++
			r.Valid = r.Valid && t.task.schemas.Valid(c.Call)
			text, err := t.task.call(&world, c.Call)
			if err != nil {
				r.Failed++
				text = err.Error()
			}
			s.Result(c, text, err != nil)
		}
		s.Feedback()
		if len(m.Calls) == 0 && len(m.Malformed) == 0 {
			break
		}
	}
	for _, step := range t.task.Solution {
		r.Wanted += len(step)
	}
	r.Missed = t.task.Goal.missed(t.task.World, world)
	r.Success = len(r.Missed) == 0
	r.Exact = r.Success && r.Called == r.Wanted
	return *r, nil
}
