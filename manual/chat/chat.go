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
// learns how to write it correctly. Earlier messages never change, so prompt caches hold.
package chat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
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
	manual.Options // how tools are explained, and the format of calls

	Strict              bool // calls whose arguments don't fit the schema are malformed
	Repair              bool // likely mistakes are read as meant
	AllowAfterMalformed bool // calls after a malformed call are run
	AllowInCode         bool // calls in Markdown code are run
	Reasoning           parse.Reasoning
	Limits              parse.Limits

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
	Calls     []*parse.Call  // to be run; their IDs are unique in the conversation
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
	m, err := manual.New(catalog, &c.opts.Options)
	if m == nil {
		return nil, err
	}
	if _, err := parse.Message(m.Catalog(), "", c.reading()); err != nil {
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
	return manual.AddPrompt(messages, c.manual.String(), c.opts.Placement)
}

// Reply reads the model's answer and adds it to the conversation. If reading fails, the
// conversation is as before.
func (c *Chat) Reply(r io.Reader) (Turn, error) {
	said := answer{format: c.opts.Format}
	results := manual.Message{Role: manual.ToolRole}
	var turn Turn
	before := *c
	before.ids = maps.Clone(c.ids)
	r = io.TeeReader(r, &said.source)
	for event, err := range stream.Events(c.manual.Catalog(), r, c.reading()) {
		if err != nil {
			*c = before
			return Turn{}, err
		}
		if c.opts.Show != nil {
			c.opts.Show(event)
		}
		switch event.Type {
		case stream.Section:
			said.section(event.Start, event.End)
		case stream.Call:
			call := event.Call
			call.ID = c.unique(call)
			said.call(call, event.Start, event.End)
			if loader := c.manual.Loader(); loader != "" && call.Name == loader {
				turn.loads++
				results.Parts = append(results.Parts, manual.Part{
					Kind: manual.Result, ID: call.ID, Name: call.Name,
					Text: c.manual.Load(call.Input),
				})
			} else {
				turn.Calls = append(turn.Calls, call)
			}
		case stream.Malformed:
			turn.Malformed = append(turn.Malformed, event.Err)
			segment := parse.Segment{
				Start: event.Start, End: event.End, Text: event.Text, Err: event.Err,
			}
			feedback := manual.Part{Kind: manual.Feedback, Text: c.manual.Feedback(segment)}
			results.Parts = append(results.Parts, feedback)
		}
	}
	said.text(said.source.Len())
	turn.Text = said.source.String()
	if len(said.parts) > 0 {
		message := manual.Message{Role: manual.Assistant, Parts: said.parts}
		c.messages = append(c.messages, message)
	}
	if len(results.Parts) > 0 {
		c.messages = append(c.messages, results)
	}
	return turn, nil
}

// reading returns the options for reading answers.
func (c *Chat) reading() *stream.Options {
	return &stream.Options{
		Format: c.opts.Format, Tags: c.opts.Tags, Limits: c.opts.Limits,
		Strict: c.opts.Strict, Repair: c.opts.Repair, Reasoning: c.opts.Reasoning,
		AllowAfterMalformed: c.opts.AllowAfterMalformed, AllowInCode: c.opts.AllowInCode,
		NewID: func(int) string { return "" },
	}
}

// unique returns the ID that the format gives a call, or one that no call of the conversation has.
func (c *Chat) unique(call *parse.Call) string {
	id := call.ID
	for n := c.calls; id == "" || c.ids[id]; n++ {
		id = fmt.Sprintf("call_%d", n+1)
		if c.namesIDs() {
			id = format.CallID("", call.Name, n)
		}
	}
	c.take(id, call.Name)
	return id
}

// take records the ID of the next call, and the one that the model sees instead.
func (c *Chat) take(id, name string) {
	c.ids[id] = true
	if c.namesIDs() {
		c.ids[format.CallID(id, name, c.calls)] = true
	}
	c.calls++
}

// namesIDs reports whether calls have IDs as names.
func (c *Chat) namesIDs() bool { return c.opts.Format != nil && c.opts.Format.NameIsID }

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
			p.Text, p.Failed = err.Error(), true
		} else {
			p.Output = data
		}
	}
	last := len(c.messages) - 1
	if last < 0 || c.messages[last].Role != manual.ToolRole {
		c.messages = append(c.messages, manual.Message{Role: manual.ToolRole})
		last++
	}
	c.messages[last].Parts = append(c.messages[last].Parts, p)
}

// answer collects the parts of an answer. Tags around several calls belong to the source of the
// first and the last of these calls, and whitespace between the calls to that of the next one, so
// the sources together are what the model wrote.
type answer struct {
	format *parse.Format
	source bytes.Buffer
	parts  []manual.Part
	from   int // the source before it is in parts

	opener    [2]int // the span of a tag that no call follows yet, if any
	inSection bool   // a call has followed it
	last      int    // the part of the last call
}

// text adds the source up to an offset as text.
func (a *answer) text(to int) {
	text := string(a.source.Bytes()[a.from:to])
	a.from = to
	if n := len(a.parts); n > 0 && a.parts[n-1].Kind == manual.Text {
		a.parts[n-1].Text += text
	} else if text != "" {
		a.parts = append(a.parts, manual.Part{Kind: manual.Text, Text: text})
	}
}

// between returns the source up to an offset in a section if that is whitespace, and adds it as
// text otherwise.
func (a *answer) between(to int) string {
	between := string(a.source.Bytes()[a.from:to])
	if strings.TrimSpace(between) != "" {
		a.text(to)
		return ""
	}
	a.from = to
	return between
}

// section adds a tag around several calls. Without a call in the section, the tags are text.
func (a *answer) section(start, end int) {
	tag := string(a.source.Bytes()[start:end])
	isEnd := func(f *parse.Format) bool { return f.Section.Close == tag }
	switch {
	case !slices.ContainsFunc(a.format.Set(), isEnd):
		a.opener, a.inSection = [2]int{start, end}, false
	case a.inSection:
		a.parts[a.last].Text += a.between(start) + tag
		a.from, a.inSection = end, false
	default:
		a.opener = [2]int{}
	}
}

// call adds a call.
func (a *answer) call(call *parse.Call, start, end int) {
	var source string
	if opener := a.opener; opener[1] > 0 {
		a.text(opener[0])
		source = string(a.source.Bytes()[opener[0]:opener[1]])
		a.from, a.opener, a.inSection = opener[1], [2]int{}, true
	}
	if a.inSection {
		source += a.between(start)
	} else {
		a.text(start)
	}
	a.from, a.last = end, len(a.parts)
	a.parts = append(a.parts, manual.Part{
		Kind: manual.Call, ID: call.ID, Name: call.Name, Input: call.Input,
		Text: source + string(a.source.Bytes()[start:end]),
	})
}
