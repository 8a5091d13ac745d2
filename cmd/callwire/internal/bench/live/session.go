package live

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/manual/chat"
	"github.com/callwire/callwire/parse"
)

// session is a conversation with a model under an arm. The record has what it took so far.
type session struct {
	record Record

	arm    Arm
	client *Client
	params Params
	c      *Case
	steps  int              // the most messages of the model in a task
	chat   *chat.Chat       // of a mode in text
	native []manual.Message // of the native mode
	last   []delivered      // the calls of the last message
}

// delivered is a call that an application would run.
type delivered struct {
	id string
	Call
}

// open begins a conversation.
func (a Arm) open(client *Client, params Params, c *Case) (*session, error) {
	s := &session{arm: a, client: client, params: params, c: c}
	user := say(manual.User, c.Prompt)
	if a.Mode == native {
		s.native = []manual.Message{say(manual.System, c.System), user}
		return s, nil
	}
	prompt, err := a.prompt(c.Catalog)
	if err != nil {
		return nil, err
	}
	s.params.Extra, err = a.constrained(params.Extra, c.Catalog)
	if err != nil {
		return nil, err
	}
	system := say(manual.System, manual.Merge(c.System, prompt, a.chat.Placement))
	s.chat, err = chat.New(c.Catalog, []manual.Message{system, user}, &a.chat)
	return s, err
}

func say(role, text string) manual.Message {
	return manual.Message{Role: role, Parts: []manual.Part{{Kind: manual.Text, Text: text}}}
}

// request returns the next request.
func (s *session) request() request {
	if s.chat == nil {
		return request{s.params, s.native, s.c.Catalog.Tools()}
	}
	return request{s.params, s.chat.Messages(), nil}
}

// ask asks the model and reads its answer. It returns the calls, and how many others are malformed,
// which the next request reports to the model. The error is that of the client.
func (s *session) ask(ctx context.Context) (calls []delivered, malformed int, err error) {
	a, tries, err := s.client.ask(ctx, s.request())
	r := &s.record
	r.Tries += tries
	if err != nil {
		return nil, 0, err
	}
	r.Time += float64(a.time.Microseconds()) / 1000
	r.Requests++
	r.Usage.Add(a.usage)
	r.Raw = append(r.Raw, a.raw)
	r.Scripted = r.Scripted || a.scripted
	r.Valid = r.Steps == 0 || r.Valid
	r.Steps++
	s.last, malformed = nil, len(r.Malformed)
	if s.chat == nil {
		s.readNative(a)
	} else {
		err = s.readText(a.raw.Text)
	}
	return s.last, len(r.Malformed) - malformed, err
}

// readText reads the calls in a text.
func (s *session) readText(text string) error {
	turn, err := s.chat.Reply(strings.NewReader(text))
	for _, fault := range turn.Malformed {
		s.record.Malformed = append(s.record.Malformed, string(fault.Code))
	}
	for _, c := range turn.Calls {
		s.take(delivered{c.ID, Call{c.Name, c.Input}}, c.Issues)
	}
	return err
}

// readNative reads native calls.
func (s *session) readNative(a *answer) {
	s.native = append(s.native, a.message)
	for _, p := range a.message.Parts {
		if p.Kind != manual.Call {
			continue
		}
		input, issues, err := parse.Coerce(s.c.Catalog, p.Name, json.RawMessage(argumentsOf(p)))
		call := delivered{p.ID, Call{p.Name, input}}
		var fault *parse.Error
		if errors.As(err, &fault) {
			s.refuse(call, fault.Code, fault.Error())
			continue
		}
		s.take(call, issues)
	}
}

// take takes a call with its issues, or refuses it under the settings of the arm.
func (s *session) take(c delivered, issues []parse.Issue) {
	for _, issue := range issues {
		if s.arm.chat.Strict || s.arm.exact && issue.Code == lexer.Coerced {
			s.refuse(c, issue.Code, "not executed: "+issue.Error())
			return
		}
	}
	r := &s.record
	for _, issue := range issues {
		switch issue.Code {
		case lexer.Repaired:
			r.Repaired = append(r.Repaired, issue.Path)
		case lexer.Coerced:
			r.Repaired = append(r.Repaired, string(issue.Code))
		default:
			r.Issues = append(r.Issues, string(issue.Code))
		}
	}
	s.last = append(s.last, c)
	r.Calls = append(r.Calls, c.Call)
	r.Valid = r.Valid && s.c.valid(c.Call)
}

// refuse reports a malformed call to the model.
func (s *session) refuse(c delivered, code lexer.Code, why string) {
	s.record.Malformed = append(s.record.Malformed, string(code))
	s.result(c, "error: "+why, true)
}

// result adds the result of a call in the last message to the conversation.
func (s *session) result(c delivered, text string, failed bool) {
	if s.chat != nil {
		var output any = text
		if failed {
			output = errors.New(text)
		}
		s.chat.Result(&parse.Call{ID: c.id, Name: c.Name}, output)
		return
	}
	last := len(s.native) - 1
	if s.native[last].Role != manual.ToolRole {
		s.native = append(s.native, manual.Message{Role: manual.ToolRole})
		last++
	}
	part := manual.Part{Kind: manual.Result, ID: c.id, Name: c.Name, Text: text, Failed: failed}
	s.native[last].Parts = append(s.native[last].Parts, part)
}
