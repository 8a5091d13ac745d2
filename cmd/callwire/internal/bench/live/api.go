package live

import (
	"encoding/json"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
)

// API is a way to talk to endpoints.
type API string

// The APIs.
const (
	OpenAI    API = "openai"
	Anthropic API = "anthropic"
)

// Params are what a model is asked with, apart from the conversation.
type Params struct {
	Model       string
	MaxTokens   int // that the model may write
	Temperature *float64
	Seed        *int64

	// Extra are members that are added to a request or replace its own; null removes one.
	Extra map[string]json.RawMessage
}

// request is what a model is asked.
type request struct {
	Params
	messages []manual.Message // the system text first
	tools    []*sig.Tool      // declared natively
}

// body returns the request as it is sent. The same request gives the same bytes.
func (r request) body(api API) ([]byte, error) {
	members := object{"model": r.Model, "max_tokens": r.MaxTokens}
	shape := manual.ChatCompletions
	if api == Anthropic {
		shape = manual.Anthropic
	} else if r.Seed != nil {
		members["seed"] = *r.Seed
	}
	if r.Temperature != nil {
		members["temperature"] = *r.Temperature
	}
	var tools []object
	for _, t := range r.tools {
		tools = append(tools, declared(api, t))
		members["tools"] = tools
	}
	text, err := shape.AppendMessages(nil, r.messages)
	if err != nil {
		return nil, err
	}
	if text[0] == '[' {
		members["messages"] = json.RawMessage(text)
	} else if err := json.Unmarshal(text, &members); err != nil { // has the system text, too
		return nil, err
	}
	for name, value := range r.Extra {
		members[name] = value
		if string(value) == "null" {
			delete(members, name)
		}
	}
	return bench.JSON(members), nil
}

type object map[string]any

// declared returns a tool as an API declares it.
func declared(api API, t *sig.Tool) object {
	schema := t.Schema
	if len(schema) == 0 {
		schema = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	tool := object{"name": t.Name}
	if t.Description != "" {
		tool["description"] = t.Description
	}
	if api == Anthropic {
		tool["input_schema"] = schema
		return tool
	}
	tool["parameters"] = schema
	return object{"type": "function", "function": tool}
}

// Most returns how many tokens the model may write, Extra included; 0 means that nothing limits
// them.
func (p Params) Most() int {
	number := func(name string) (n int) {
		if json.Unmarshal(p.Extra[name], &n) != nil {
			return 0
		}
		return n
	}
	most := p.MaxTokens
	if _, ok := p.Extra["max_tokens"]; ok {
		most = number("max_tokens")
	}
	return max(most, number("max_completion_tokens"), 0) * max(number("n"), 1)
}

// answer is what a model answers.
type answer struct {
	message manual.Message
	raw     Raw
	usage   Usage
	time    time.Duration
}

// read reads the body of an answer, if it is one.
func (a *answer) read(api API, data []byte) bool {
	var r struct {
		Choices []struct { // of OpenAI
			Message      json.RawMessage
			FinishReason string `json:"finish_reason"`
		}
		Type       string // of Anthropic
		StopReason string `json:"stop_reason"`
		Usage      any
	}
	err := json.Unmarshal(data, &r)
	switch {
	case err == nil && api == OpenAI && len(r.Choices) > 0:
		a.message, err = manual.ChatCompletions.ParseMessage(r.Choices[0].Message)
		a.raw.Finish = r.Choices[0].FinishReason
	case err == nil && api == Anthropic && r.Type == "message":
		a.message, err = manual.Anthropic.ParseMessage(data)
		a.message.Extra = nil // of the answer, not of the message
		a.raw.Finish = r.StopReason
	default:
		return false
	}
	tokens := func(paths ...string) (n int) {
		for _, path := range paths {
			from, name := within(r.Usage, path)
			count, _ := from[name].(float64)
			n += int(count)
		}
		return n
	}
	const cacheRead, cacheWrite = "cache_read_input_tokens", "cache_creation_input_tokens"
	a.usage = Usage{
		Input:     tokens("prompt_tokens", "input_tokens", cacheRead, cacheWrite),
		Cached:    tokens("prompt_tokens_details.cached_tokens", cacheRead),
		Output:    tokens("completion_tokens", "output_tokens"),
		Reasoning: tokens("completion_tokens_details.reasoning_tokens"),
	}
	for _, p := range a.message.Parts {
		switch p.Kind {
		case manual.Text:
			a.raw.Text += p.Text
		case manual.Call:
			a.raw.Calls = append(a.raw.Calls, RawCall{p.Name, argumentsOf(p)})
		}
	}
	return err == nil
}

// argumentsOf returns the arguments of a native call as the model wrote them.
func argumentsOf(p manual.Part) string {
	var text string
	if json.Unmarshal(p.Input, &text) != nil {
		text = string(p.Input)
	}
	if text == "" {
		return "{}" // how some models write that there are none
	}
	return text
}
