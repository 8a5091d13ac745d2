package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/callwire/callwire/internal/next/lexer"
	"github.com/callwire/callwire/internal/next/public/parse"
	"github.com/callwire/callwire/internal/next/public/stream"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/manual/chat"
	"github.com/callwire/callwire/sig"
)

// session is a conversation with a model under an arm. The record has what it took so far.
type session struct {
	record Record

	arm     Arm
	client  *Client
	params  Params
	catalog *sig.Catalog
	chat    *chat.Chat       // of a mode in text
	native  []manual.Message // of the native mode
	ids     int
}

// message is what a model wrote, as far as calls go.
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
	s := &session{arm: a, client: client, params: params, catalog: c.Catalog}
	say := func(role, text string) manual.Message {
		return manual.Message{Role: role, Parts: []manual.Part{{Kind: manual.Text, Text: text}}}
	}
	if a.Mode == native {
		s.native = []manual.Message{say(manual.System, c.System), say(manual.User, c.Prompt)}
		return s, nil
	}
	s.params.Extra = a.constrained(params.Extra, c.Catalog)
	explain := a.chat.Options
	explain.Off = false
	m, err := manual.New(c.Catalog, &explain)
	if err != nil {
		return nil, err
	}
	system := manual.Merge(c.System, a.prompt(m), a.chat.Placement)
	messages := []manual.Message{say(manual.System, system), say(manual.User, c.Prompt)}
	s.chat, err = chat.New(c.Catalog, messages, &a.chat)
	return s, err
}

// request returns the next request.
func (s *session) request() request {
	if s.chat == nil {
		return request{s.params, s.native, s.catalog.Tools()}
	}
	return request{s.params, s.chat.Messages(), nil}
}

// ask asks the model and reads its answer. The next request tells the model about malformed calls.
// The error is that of the client.
func (s *session) ask(ctx context.Context) (message, error) {
	a, tries, lost, err := s.client.ask(ctx, s.request(), s.firstCall)
	s.record.Lost.Add(lost)
	s.record.Tries += tries
	if err != nil {
		return message{}, err
	}
	if s.chat == nil {
		s.count(a)
		return s.readNative(a), nil
	}
	turn, err := s.chat.Reply(strings.NewReader(a.Text))
	if err != nil {
		return message{}, err
	}
	if len(turn.Calls) > 0 && a.firstCall == 0 { // it was certain only at the end
		a.firstCall = a.total
	}
	s.count(a)
	var m message
	for _, fault := range turn.Malformed {
		m.malformed = append(m.malformed, string(fault.Code))
	}
	for _, c := range turn.Calls {
		s.take(&m, delivered{c.ID, Call{c.Name, c.Input}}, len(c.Issues), func(i int) (string, string) {
			return string(c.Issues[i].Code), c.Issues[i].Path
		})
	}
	return m, nil
}

// take adds a call with its issues to a message, or refuses it under the settings of the arm.
func (s *session) take(m *message, c delivered, issues int, issue func(i int) (code, path string)) {
	for i := range issues {
		code, path := issue(i)
		if s.arm.chat.Strict || s.arm.exact && code == string(lexer.Coerced) {
			m.malformed = append(m.malformed, code)
			s.result(c, fmt.Sprintf("not executed: %s: %s", path, code), true)
			return
		}
	}
	for i := range issues {
		switch code, path := issue(i); code {
		case string(lexer.Repaired):
			m.repaired = append(m.repaired, path)
		case string(lexer.Coerced):
			m.repaired = append(m.repaired, code)
		default:
			m.issues = append(m.issues, code)
		}
	}
	m.calls = append(m.calls, c)
}

// readNative reads native calls.
func (s *session) readNative(a *answer) (m message) {
	said := manual.Message{Role: manual.Assistant}
	if a.Text != "" {
		said.Parts = append(said.Parts, manual.Part{Kind: manual.Text, Text: a.Text})
	}
	for i := range a.Calls {
		c := &a.Calls[i]
		if c.Arguments == "" {
			c.Arguments = "{}" // how some models write that there are none
		}
		if c.ID == "" {
			s.ids++
			c.ID = fmt.Sprintf("call_%d", s.ids)
		}
		part := manual.Part{Kind: manual.Call, ID: c.ID, Name: c.Name, Input: json.RawMessage(c.Arguments)}
		if value, err := decode(part.Input); err != nil || !isObject(value) {
			part.Input = json.RawMessage("{}") // APIs take nothing else; the result reports what was wrong
		}
		said.Parts = append(said.Parts, part)
	}
	s.native = append(s.native, said)
	for _, c := range a.Calls {
		input, issues, err := parse.Coerce(s.catalog, c.Name, json.RawMessage(c.Arguments))
		call := delivered{c.ID, Call{c.Name, input}}
		var fault *parse.Error
		if errors.As(err, &fault) {
			m.malformed = append(m.malformed, string(fault.Code))
			s.result(call, "error: "+fault.Error(), true)
			continue
		}
		s.take(&m, call, len(issues), func(i int) (string, string) { return string(issues[i].Code), issues[i].Path })
	}
	return m
}

func isObject(value any) bool {
	_, ok := value.(map[string]any)
	return ok
}

// result tells the model what a call of its last message returned.
func (s *session) result(c delivered, text string, failed bool) {
	if s.chat != nil {
		var output any = text
		if failed {
			output = errors.New(text)
		}
		s.chat.Result(&chat.Call{ID: c.id, Name: c.Name}, output)
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

// count adds an answer to what the session has taken.
func (s *session) count(a *answer) {
	milliseconds := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	r := &s.record
	if r.Requests == 0 {
		r.Times.FirstByte, r.Times.FirstCall = milliseconds(a.firstByte), milliseconds(a.firstCall)
	}
	r.Times.Total += milliseconds(a.total)
	r.Requests++
	r.Usage.Add(a.usage)
	r.Raw = append(r.Raw, a.Raw)
	r.Scripted = r.Scripted || a.scripted
}

// firstCall returns a function that sees the text of a try, and sets when its first call was
// complete. It returns nil in native mode.
func (s *session) firstCall(a *answer) func(delta string) {
	if s.chat == nil {
		return nil
	}
	o := &stream.Options{Format: s.arm.chat.Format, Tags: s.arm.chat.Tags, Repair: s.arm.chat.Repair}
	d, err := stream.NewDecoder(s.catalog, func(e stream.Event) error {
		if e.Type == stream.Call && a.firstCall == 0 {
			a.firstCall = a.since()
		}
		return nil
	}, o)
	if err != nil {
		return nil // Matrix has checked the tags
	}
	return func(delta string) { d.Write([]byte(delta)) }
}
