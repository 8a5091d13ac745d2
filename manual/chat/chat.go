// Package chat runs a conversation with a model that calls tools in its text:
//
//	conversation, err := chat.New(catalog, messages, nil)
//	for err == nil {
//		var turn chat.Turn
//		turn, err = conversation.Reply(ask(conversation.Messages()))
//		if err != nil || turn.Final() {
//			break
//		}
//		for _, call := range turn.Calls {
//			conversation.Result(call, run(call.Name, call.Input))
//		}
//	}
//
// A turn is what a model answers: text, calls and malformed calls. The conversation is over after
// a turn without calls. The caller sends the messages to the model, streams its answer to Reply,
// runs the calls, and records their results; the prompt, the results and feedback on malformed
// calls are written by package manual.
//
// Calls run only after the whole answer has been read. A malformed call is never run; the model
// learns how to write it correctly. A call may have issues, such as an argument that is missing or
// of another type: see Call.Issues, or set Strict, with which such a call is malformed. Earlier
// messages never change, so prompt caches hold, if every call gets a result before the next Reply.
package chat

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// Options configure a Chat. A nil *Options means the defaults.
type Options struct {
	// Manual configures how tools are explained to the model, and the format of calls.
	Manual manual.Options

	// How calls are read. Format and Tags are always those of Manual, and NewID isn't called.
	parse.Options

	// Show, if set, receives the events of an answer as they arrive. An event is valid until
	// Show returns.
	Show func(stream.Event)
}

// A Chat is a conversation. It isn't safe for concurrent use.
type Chat struct {
	manual   *manual.Manual
	opts     Options
	messages []manual.Message
	ids      map[string]bool // of all calls
	calls    int             // how many calls there are
}

// A Turn is what a model answered.
type Turn struct {
	Text      string         // the whole answer, calls included
	Calls     []*parse.Call  // to be run, maybe with Issues; IDs are unique in the conversation
	Malformed []*parse.Error // calls that must not be run; the model learns why
	loads     int            // calls of the loader of lazy tools, which Reply has answered
}

// Final reports whether the conversation is over: the model isn't waiting for a result.
func (t *Turn) Final() bool { return len(t.Calls)+len(t.Malformed)+t.loads == 0 }

// New returns a chat that continues the given messages. The errors are those of [manual.New], and
// report options with which answers cannot be read.
func New(catalog *sig.Catalog, messages []manual.Message, opts *Options) (*Chat, error) {
	c := &Chat{ids: make(map[string]bool)}
	if opts != nil {
		c.opts = *opts
	}
	m, err := manual.New(catalog, &c.opts.Manual)
	if m == nil {
		return nil, err
	}
	reading := &c.opts.Options
	reading.Format = cmp.Or(c.opts.Manual.Format, format.Wire)
	reading.Tags = c.opts.Manual.Tags
	reading.NewID = func(int) string { return "" } // parts finds one
	if _, err := parse.Message(m.Catalog(), "", reading); err != nil {
		return nil, err
	}
	c.manual = m
	for _, message := range messages {
		c.Add(message)
	}
	return c, err
}

// Add adds a message, such as the next question of the user.
func (c *Chat) Add(m manual.Message) {
	m.Parts = slices.Clone(m.Parts) // Result appends to them
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind == manual.Call {
			c.take(p.ID, p.Name)
		}
	}
	c.messages = append(c.messages, m)
}

// History returns the conversation with calls and results as parts of their own, to be continued
// by another chat, or stored by [manual.API.AppendMessages]; a message with several results has no
// JSON of its own.
func (c *Chat) History() []manual.Message {
	messages := slices.Clone(c.messages)
	for i := range messages {
		messages[i].Parts = slices.Clone(messages[i].Parts)
	}
	return messages
}

// Messages returns what to send to the model: the prompt, and the conversation with calls and
// results as text.
func (c *Chat) Messages() []manual.Message {
	messages, _ := c.manual.Rewrite(c.messages)
	return manual.AddPrompt(messages, c.manual.String(), c.opts.Manual.PromptFirst)
}

// Reply reads the model's answer and adds it to the conversation. If reading fails, the
// conversation is as before.
func (c *Chat) Reply(r io.Reader) (Turn, error) {
	var source strings.Builder
	var found []stream.Event // calls, malformed ones, and tags around several calls
	r = io.TeeReader(r, &source)
	for event, err := range stream.Events(c.manual.Catalog(), r, &c.opts.Options) {
		if err != nil {
			return Turn{}, err
		}
		if c.opts.Show != nil {
			c.opts.Show(event)
		}
		switch event.Type {
		case stream.Section, stream.Call, stream.Malformed:
			found = append(found, event)
		}
	}
	turn := Turn{Text: source.String()}
	if turn.Text != "" {
		c.messages = append(c.messages, c.message(turn.Text, found))
	}
	for _, event := range found {
		loader := c.manual.Loader()
		switch call := event.Call; {
		case event.Type == stream.Malformed:
			turn.Malformed = append(turn.Malformed, event.Err)
			segment := parse.Segment{
				Start: event.Start, End: event.End, Text: event.Text, Err: event.Err,
			}
			c.answer(manual.Part{Kind: manual.Feedback, Text: c.manual.Feedback(segment)})
		case event.Type != stream.Call:
		case loader != "" && call.Name == loader:
			turn.loads++
			c.Result(call, c.manual.Load(call.Input))
		default:
			turn.Calls = append(turn.Calls, call)
		}
	}
	return turn, nil
}

// message returns an answer as text and calls, and sets the IDs of the calls.
func (c *Chat) message(source string, found []stream.Event) manual.Message {
	m := manual.Message{Role: manual.Assistant, Source: source}
	from, calls := 0, 0
	addText := func(to int) {
		if text := strings.TrimSpace(source[from:to]); text != "" {
			m.Parts = append(m.Parts, manual.Part{Text: text})
		}
	}
	for _, event := range found {
		if event.Type == stream.Malformed { // it stays text
			continue
		}
		addText(event.Start)
		from = event.End
		if call := event.Call; event.Type == stream.Call {
			calls++
			call.ID = c.unique(call)
			m.Parts = append(m.Parts, manual.Part{
				Kind: manual.Call, ID: call.ID, Name: call.Name, Input: call.Input,
			})
		}
	}
	addText(len(source))
	if calls == 0 {
		m.Parts = []manual.Part{{Text: source}}
	}
	return m
}

// unique returns the ID that the format gives a call, or one that no call of the conversation has.
func (c *Chat) unique(call *parse.Call) string {
	id := call.ID
	for n := c.calls; id == "" || c.ids[id]; n++ {
		id = fmt.Sprintf("call_%d", n+1)
		if c.opts.Format.NameIsID {
			id = format.CallID("", call.Name, n)
		}
	}
	c.take(id, call.Name)
	return id
}

// take records the ID of the next call, and the one that the model sees instead.
func (c *Chat) take(id, name string) {
	c.ids[id] = true
	if c.opts.Format.NameIsID {
		c.ids[format.CallID(id, name, c.calls)] = true
	}
	c.calls++
}

// Result records what a call returned: text, as a string; JSON, as json.RawMessage; an error, which
// the model sees; or a value to encode as JSON.
func (c *Chat) Result(call *parse.Call, output any) {
	p := manual.Part{Kind: manual.Result, ID: call.ID, Name: call.Name}
	switch v := output.(type) {
	case string:
		p.Text = v
	case error:
		p.Text, p.Failed = v.Error(), true
	case json.RawMessage:
		p.Output = v
	default:
		data, err := json.Marshal(v)
		if err != nil {
			c.Result(call, err)
			return
		}
		p.Output = data
	}
	c.answer(p)
}

// answer adds an answer to a call.
func (c *Chat) answer(p manual.Part) {
	last := len(c.messages) - 1
	if last < 0 || c.messages[last].Role != manual.ToolRole {
		c.messages = append(c.messages, manual.Message{Role: manual.ToolRole})
		last++
	}
	c.messages[last].Parts = append(c.messages[last].Parts, p)
}
