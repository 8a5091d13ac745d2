package live

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/manual/chat"
	"github.com/callwire/callwire/parse"
)

// trial is a case that is put to a model under an arm. The record has what it took so far.
type trial struct {
	Record

	plan   *Plan
	params rawjson.Object
	arm    Arm
	c      *Case
	chat   *chat.Chat
}

// newTrial prepares a trial.
func (p *Plan) newTrial(rep int, c *Case, model string, a Arm) (t *trial, err error) {
	t = &trial{plan: p, arm: a, c: c, params: with(p.Params, "model", model)}
	t.Key = Key{c.Kind, p.Client.base, model, c.ID, a.Mode, a.Variant, rep}
	t.Valid = true // until a call isn't
	t.Group, t.Scripted = c.Group, slices.Contains(DemoModels, model)
	if p.Seed != nil {
		t.params = with(t.params, "seed", *p.Seed+rep)
	}
	t.params, err = a.constrained(t.params, c.Catalog)
	if err != nil {
		return nil, err
	}
	t.chat, err = a.open(c)
	if err != nil {
		return nil, err
	}
	t.Prompt, err = p.Client.hash(t.request())
	return t, err
}

// with returns a copy of an object with a member.
func with(o rawjson.Object, key string, value any) rawjson.Object {
	return o.Without(key).With(key, value)
}

// request returns the next request.
func (t *trial) request() request {
	if t.arm.Mode == native {
		return request{t.params, t.chat.History(), t.c.Catalog.Tools()}
	}
	return request{t.params, t.chat.Messages(), nil}
}

// do runs the trial. On error, the record has what the attempt cost.
//
// A task (KindAgent) goes on until the model calls nothing more. In a single message, a malformed
// call is answered as often as the arm allows, if nothing else of the message was delivered.
func (t *trial) do(ctx context.Context) error {
	play := play{t.c, map[string]int{}, nil}
	for {
		calls, malformed, err := t.ask(ctx)
		switch {
		case err != nil:
			return err
		case t.Kind == KindAgent:
			t.run(&play, calls)
			if len(calls)+malformed == 0 || t.Steps >= t.plan.Steps {
				limit := len(slices.Concat(t.c.Solution...))
				t.Success = play.isSolved()
				t.Exact = t.Success && (limit == 0 || len(t.Calls) <= limit)
				return nil
			}
		case malformed == 0 || len(calls) > 0 || t.Steps > t.arm.retries:
			want := t.c.Want
			unwantedAttempt := len(want) == 0 && malformed > 0
			t.Exact = right(want, t.Calls, true) && !unwantedAttempt
			t.Success = t.Exact || right(want, t.Calls, false) && !unwantedAttempt
			return nil
		}
	}
}

// run gives the model the results of calls in a task.
func (t *trial) run(play *play, calls []*parse.Call) {
	for _, c := range calls {
		var output any
		output, err := play.call(bench.Call{Name: c.Name, Input: c.Input})
		if err != nil {
			output = err
			t.Failed++
		}
		t.chat.Result(c, output)
	}
}

// ask asks the model and reads its answer. It returns the calls, and how many others are malformed,
// which the next request reports to the model. The error is that of the client.
func (t *trial) ask(ctx context.Context) (calls []*parse.Call, malformed int, err error) {
	a, err := t.plan.Client.ask(ctx, t.request())
	if err != nil {
		return nil, 0, err
	}
	t.Time += float64(a.time.Microseconds()) / 1000
	t.Usage.Add(a.usage)
	t.Raw = append(t.Raw, a.raw)
	t.Steps++
	before := len(t.Malformed)
	var turn chat.Turn
	if t.arm.Mode == native {
		turn.Calls = t.readNative(a.message)
	} else {
		turn, err = t.chat.Reply(strings.NewReader(a.text))
	}
	if err != nil {
		return nil, 0, err
	}
	for _, fault := range turn.Malformed {
		t.Malformed = append(t.Malformed, string(fault.Code))
	}
	for _, c := range turn.Calls {
		if t.take(c) {
			calls = append(calls, c)
		}
	}
	return calls, len(t.Malformed) - before, nil
}

// readNative adds a message to the chat and returns its calls. It refuses the malformed ones.
func (t *trial) readNative(m manual.Message) (calls []*parse.Call) {
	t.chat.Add(m)
	for _, p := range m.Parts {
		if p.Kind != manual.Call {
			continue
		}
		arguments := p.Input // JSON, or a string with it
		if rawjson.IsString(arguments) {
			arguments = json.RawMessage(rawjson.Unquote(arguments))
		}
		if len(arguments) == 0 {
			arguments = json.RawMessage("{}") // how some models write that there are none
		}
		input, issues, err := parse.Coerce(t.c.Catalog, p.Name, arguments)
		call := &parse.Call{ID: p.ID, Name: p.Name, Input: input, Issues: issues}
		if fault, isFault := err.(*parse.Error); isFault {
			t.refuse(call, fault.Code, fault)
		} else {
			calls = append(calls, call)
		}
	}
	return calls
}

// take records a call with its issues, or refuses it under the settings of the arm.
func (t *trial) take(c *parse.Call) bool {
	for _, issue := range c.Issues {
		if t.arm.chat.Strict || t.arm.exact && issue.Code == lexer.Coerced {
			t.refuse(c, issue.Code, issue)
			return false
		}
	}
	for _, issue := range c.Issues {
		switch issue.Code {
		case lexer.Repaired:
			t.Repaired = append(t.Repaired, issue.Path)
		case lexer.Coerced:
			t.Repaired = append(t.Repaired, string(issue.Code))
		default:
			t.Issues = append(t.Issues, string(issue.Code))
		}
	}
	call := bench.Call{Name: c.Name, Input: c.Input}
	t.Calls = append(t.Calls, call)
	t.Valid = t.Valid && t.c.valid(call)
	return true
}

// refuse reports a malformed call to the model.
func (t *trial) refuse(c *parse.Call, code lexer.Code, why error) {
	t.Malformed = append(t.Malformed, string(code))
	t.chat.Result(c, fmt.Errorf("error: not executed: %w", why))
}
