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
	"github.com/callwire/callwire/sig"
)

// session is a conversation with a model under an arm. The record has what it took so far.
type session struct {
	record Record

	arm     Arm
	client  *Client
	params  Params
	catalog *sig.Catalog
	schemas schemas
	chat    *chat.Chat       // of a mode in text
	native  []manual.Message // of the native mode
}

// message has the calls in a message of the model.
type message struct {
	calls     []delivered
	malformed []string // codes
	repaired  []string // names of repairs
	issues    []string // codes of other issues
}

// delivered is a call that an application would run.
type delivered struct {
	id string
	Call
}

// open begins a conversation.
func (a Arm) open(client *Client, params Params, c *Case) (*session, error) {
	s := &session{arm: a, client: client, params: params, catalog: c.Catalog, schemas: c.schemas}
	if a.Mode == native {
		s.native = []manual.Message{say(manual.System, c.System), say(manual.User, c.Prompt)}
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
	s.chat, err = chat.New(c.Catalog, []manual.Message{system, say(manual.User, c.Prompt)}, &a.chat)
	return s, err
}

func say(role, text string) manual.Message {
	return manual.Message{Role: role, Parts: []manual.Part{{Kind: manual.Text, Text: text}}}
}

// request returns the next request.
func (s *session) request() request {
	if s.chat == nil {
		return request{s.params, s.native, s.catalog.Tools()}
	}
	return request{s.params, s.chat.Messages(), nil}
}

// ask asks the model and reads its answer. The next request reports malformed calls to the model.
// The error is that of the client.
func (s *session) ask(ctx context.Context) (message, error) {
	a, tries, err := s.client.ask(ctx, s.request())
	s.record.Tries += tries
	if err != nil {
		return message{}, err
	}
	s.count(a)
	m, err := s.read(a)
	s.note(m)
	return m, err
}

// read reads the calls in an answer.
func (s *session) read(a *answer) (m message, err error) {
	if s.chat == nil {
		return s.readNative(a), nil
	}
	turn, err := s.chat.Reply(strings.NewReader(a.raw.Text))
	for _, fault := range turn.Malformed {
		m.malformed = append(m.malformed, string(fault.Code))
	}
	for _, c := range turn.Calls {
		s.take(&m, delivered{c.ID, Call{c.Name, c.Input}}, c.Issues)
	}
	return m, err
}

// take adds a call with its issues to a message, or refuses it under the settings of the arm.
func (s *session) take(m *message, c delivered, issues []parse.Issue) {
	for _, issue := range issues {
		if s.arm.chat.Strict || s.arm.exact && issue.Code == lexer.Coerced {
			m.malformed = append(m.malformed, string(issue.Code))
			s.result(c, "error: not executed: "+issue.Error(), true)
			return
		}
	}
	for _, issue := range issues {
		switch issue.Code {
		case lexer.Repaired:
			m.repaired = append(m.repaired, issue.Path)
		case lexer.Coerced:
			m.repaired = append(m.repaired, string(issue.Code))
		default:
			m.issues = append(m.issues, string(issue.Code))
		}
	}
	m.calls = append(m.calls, c)
}

// readNative reads native calls.
func (s *session) readNative(a *answer) (m message) {
	s.native = append(s.native, a.message)
	for _, p := range a.message.Parts {
		if p.Kind != manual.Call {
			continue
		}
		input, issues, err := parse.Coerce(s.catalog, p.Name, json.RawMessage(argumentsOf(p)))
		call := delivered{p.ID, Call{p.Name, input}}
		var fault *parse.Error
		if errors.As(err, &fault) {
			m.malformed = append(m.malformed, string(fault.Code))
			s.result(call, "error: "+fault.Error(), true)
			continue
		}
		s.take(&m, call, issues)
	}
	return m
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

// count adds an answer to the record.
func (s *session) count(a *answer) {
	r := &s.record
	r.Time += float64(a.time.Microseconds()) / 1000
	r.Requests++
	r.Usage.Add(a.usage)
	r.Raw = append(r.Raw, a.raw)
	r.Scripted = r.Scripted || a.scripted
}

// note adds the calls of a message to the record.
func (s *session) note(m message) {
	r := &s.record
	r.Valid = r.Steps == 0 || r.Valid
	r.Steps++
	r.Malformed = append(r.Malformed, m.malformed...)
	r.Repaired = append(r.Repaired, m.repaired...)
	r.Issues = append(r.Issues, m.issues...)
	for _, c := range m.calls {
		r.Calls = append(r.Calls, c.Call)
		r.Valid = r.Valid && s.schemas.valid(c.Call)
	}
}
