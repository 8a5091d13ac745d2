package live

import (
	"context"
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/arm"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/score"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/trial"
	"github.com/callwire/callwire/sig"
)

// system is what a model is told besides its tools.
const system = "You are a helpful assistant. Use a tool where one fits the request; where none does, answer in words."

// Plan is what is to be measured.
type Plan struct {
	Client *endpoint.Client
	Models []string
	Params arm.Params // but for the model; the seed is that of the first repetition
	Arms   []arm.Arm
	Cases  []Case
	Reps   int
}

// Trials returns the trials of a plan. They begin with all arms of the first case,
// so that a run that ends early has pairs to compare.
func (p Plan) Trials() ([]trial.Trial, error) {
	schemas := make(map[*sig.Catalog]score.Schemas)
	var trials []trial.Trial
	for rep := range p.Reps {
		for _, c := range p.Cases {
			if schemas[c.Catalog] == nil {
				schemas[c.Catalog] = score.CompileSchemas(c.Catalog)
				for _, a := range p.Arms {
					if err := a.Check(c.Catalog); err != nil {
						return nil, fmt.Errorf("%s, case %s: %w", a, c.ID, err)
					}
				}
			}
			for _, model := range p.Models {
				for _, a := range p.Arms {
					t := attempt{p.Client, p.Params.For(model, rep), a, c, schemas[c.Catalog]}
					hash, err := t.open().Hash()
					if err != nil {
						return nil, fmt.Errorf("%s, case %s: %w", a, c.ID, err)
					}
					trials = append(trials, trial.Trial{
						Key: record.Key{Kind: record.Live, Endpoint: p.Client.Name(), Model: model, Case: c.ID,
							Mode: a.Mode, Variant: a.Variant, Rep: rep},
						Group: c.Group, Prompt: hash, Do: t.do})
				}
			}
		}
	}
	return trials, nil
}

// attempt is a case that is put to a model under an arm.
type attempt struct {
	client  *endpoint.Client
	params  arm.Params
	arm     arm.Arm
	c       Case
	schemas score.Schemas
}

func (t attempt) open() *arm.Session {
	text := system
	if t.c.System != "" {
		text = t.c.System
	}
	return t.arm.Open(t.client, t.params, t.c.Catalog, text, t.c.Messages)
}

// do puts the case to the model. A malformed call is answered as often as the arm
// says, where nothing else of the message was delivered.
func (t attempt) do(ctx context.Context) (record.Record, error) {
	s := t.open()
	r := &s.Record
	for try := 0; ; try++ {
		m, err := s.Ask(ctx)
		if err != nil {
			return *r, err
		}
		for _, broken := range m.Malformed {
			r.Malformed = append(r.Malformed, broken.Code)
		}
		r.Steps++
		if len(m.Malformed) > 0 && len(m.Calls) == 0 && try < t.arm.Retries() {
			s.Feedback()
			continue
		}
		t.judge(r, m)
		return *r, nil
	}
}

// judge says what the last message is worth.
func (t attempt) judge(r *record.Record, m arm.Message) {
	for _, c := range m.Calls {
		r.Calls = append(r.Calls, c.Call)
	}
	r.Repaired, r.Issues = m.Repaired, m.Issues
	v := t.c.Want.Judge(r.Calls, t.schemas.Valid)
	tried := v.Wants == 0 && len(m.Malformed) > 0
	r.Success, r.Exact, r.Valid = v.Soft && !tried, v.Exact && !tried, v.Valid
	r.Wanted, r.Called, r.Widest = v.Wants, v.Calls, v.Calls+len(m.Malformed)
}
