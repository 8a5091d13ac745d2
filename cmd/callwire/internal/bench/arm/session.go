package arm

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// Params are what a model is asked with besides the conversation.
type Params struct {
	Model       string
	MaxTokens   int
	Temperature *float64
	Seed        *int64
	Extra       map[string]json.RawMessage
}

// For returns the parameters for a model and a repetition: each has the next seed.
func (p Params) For(model string, rep int) Params {
	p.Model = model
	if p.Seed != nil {
		seed := *p.Seed + int64(rep)
		p.Seed = &seed
	}
	return p
}

// Session is a conversation with a model under an arm. What it has taken so far is
// in Record: usage, times, what the model wrote.
type Session struct {
	Record record.Record

	arm     Arm
	client  *endpoint.Client
	params  Params
	catalog *sig.Catalog
	manual  *manual.Manual // nil in native mode
	system  string
	native  []endpoint.Message // the conversation, in native mode
	text    []manual.Message   // the same, in text
	last    Message
	calls   int
}

// Open begins a conversation with the tools of a catalog.
func (a Arm) Open(client *endpoint.Client, params Params, catalog *sig.Catalog, system string, messages []endpoint.Message) *Session {
	params.Extra = a.constrained(params.Extra, catalog)
	s := &Session{arm: a, client: client, params: params, catalog: catalog, system: system}
	if a.Mode == Native {
		s.native = append(s.native, messages...)
		return s
	}
	s.manual, _ = manual.New(catalog, &a.manual) // Check has returned its error
	if !a.silent {
		s.system = manual.Merge(system, a.prompt(s.manual), a.manual.Placement)
	}
	for _, m := range messages {
		s.text = append(s.text, manual.Message{Role: m.Role, Parts: []manual.Part{{Kind: manual.Text, Text: m.Text}}})
	}
	return s
}

// Check says what is wrong with the arm for the tools of a catalog.
func (a Arm) Check(catalog *sig.Catalog) error {
	if a.Mode == Native {
		return nil
	}
	if a.constrain != "" {
		if _, err := a.grammar(catalog); err != nil {
			return err
		}
	}
	_, err := manual.New(catalog, &a.manual)
	return err
}

// Hash names the next request.
func (s *Session) Hash() (string, error) {
	r, err := s.request()
	if err != nil {
		return "", err
	}
	return s.client.Hash(r)
}

// request returns the next request.
func (s *Session) request() (endpoint.Request, error) {
	r := endpoint.Request{Model: s.params.Model, System: s.system, MaxTokens: s.params.MaxTokens,
		Temperature: s.params.Temperature, Seed: s.params.Seed, Extra: s.params.Extra}
	if s.arm.Mode == Native {
		r.Tools, r.Messages = s.catalog.Tools(), s.native
		return r, nil
	}
	messages, _ := s.manual.Rewrite(s.text)
	for _, m := range messages {
		next := endpoint.Message{Role: m.Role}
		for _, p := range m.Parts {
			next.Text += p.Text
		}
		r.Messages = append(r.Messages, next)
	}
	return r, nil
}

// Ask asks the model, and reads its answer. The error is that of the client.
func (s *Session) Ask(ctx context.Context) (Message, error) {
	request, err := s.request()
	if err != nil {
		return Message{}, err
	}
	var firstCall time.Duration
	var decoder *stream.Decoder // of the last try
	answer, err := s.client.Ask(ctx, request, func() endpoint.Watch {
		firstCall = 0
		if s.arm.Mode == Native {
			return nil
		}
		decoder = stream.NewDecoder(s.catalog, stream.Options{Options: s.arm.reading()})
		return func(delta string, at time.Duration) {
			for _, e := range decoder.FeedString(delta) {
				if e.Type == stream.ToolCall && firstCall == 0 {
					firstCall = at
				}
			}
		}
	})
	if answer != nil {
		s.Record.Lost.Add(answer.Lost)
	}
	if err != nil {
		return Message{}, err
	}
	if s.arm.Mode == Native {
		firstCall = answer.FirstCall
	}
	if decoder != nil && firstCall == 0 { // a call may be certain only at the end
		for _, e := range decoder.Close() {
			if e.Type == stream.ToolCall {
				firstCall = answer.Total
			}
		}
	}
	s.count(answer, firstCall)
	if s.arm.Mode == Native {
		for i := range answer.Calls {
			if answer.Calls[i].ID == "" {
				answer.Calls[i].ID = s.newID()
			}
		}
		s.last = s.arm.readNative(answer.Calls, s.catalog)
		s.native = append(s.native, endpoint.Message{Role: manual.Assistant, Text: answer.Text, Calls: answer.Calls})
	} else {
		var parts []manual.Part
		s.last, parts = s.arm.readText(answer.Text, s.manual, s.newID)
		s.text = append(s.text, manual.Message{Role: manual.Assistant, Parts: parts})
	}
	return s.last, nil
}

func (s *Session) newID() string {
	s.calls++
	return fmt.Sprintf("call_%d", s.calls)
}

// count adds an answer to what the session has taken.
func (s *Session) count(a *endpoint.Answer, firstCall time.Duration) {
	r := &s.Record
	if r.Requests == 0 {
		r.Times.FirstByte, r.Times.FirstCall = milliseconds(a.FirstByte), milliseconds(firstCall)
	}
	r.Times.Total += milliseconds(a.Total)
	r.Requests++
	r.Tries += a.Tries
	r.Usage.Add(a.Usage)
	r.Raw = append(r.Raw, a.Raw())
	r.Scripted = r.Scripted || a.Scripted
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Result tells the model what a call of its last message has come to.
func (s *Session) Result(c Call, text string, failed bool) {
	if s.arm.Mode == Native {
		s.answer(endpoint.Result{ID: c.ID, Text: text, Failed: failed})
		return
	}
	s.text = append(s.text, manual.Message{Role: manual.ToolRole, Parts: []manual.Part{
		{Kind: manual.Result, ID: c.ID, Name: c.Name, Text: text, Failed: failed}}})
}

// Feedback tells the model what is wrong with the malformed calls of its last
// message.
func (s *Session) Feedback() {
	for _, m := range s.last.Malformed {
		if s.arm.Mode == Native {
			s.answer(endpoint.Result{ID: m.id, Text: "error: " + m.feedback, Failed: true})
		} else {
			s.text = append(s.text, manual.Message{Role: manual.User, Parts: []manual.Part{{Kind: manual.Text, Text: m.feedback}}})
		}
	}
}

// answer adds a result to those of the last message.
func (s *Session) answer(r endpoint.Result) {
	last := len(s.native) - 1
	if s.native[last].Role != manual.User {
		s.native = append(s.native, endpoint.Message{Role: manual.User})
		last++
	}
	s.native[last].Results = append(s.native[last].Results, r)
}
