package live

import (
	"encoding/json"

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
func (r request) body(api API, stream bool) ([]byte, error) {
	members := map[string]any{"model": r.Model, "stream": stream, "max_tokens": r.MaxTokens}
	var tools []any
	for _, t := range r.tools {
		schema := t.Schema
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		tool := map[string]any{"name": t.Name}
		if t.Description != "" {
			tool["description"] = t.Description
		}
		if api == Anthropic {
			tool["input_schema"] = schema
			tools = append(tools, tool)
		} else {
			tool["parameters"] = schema
			tools = append(tools, map[string]any{"type": "function", "function": tool})
		}
	}
	if tools != nil {
		members["tools"] = tools
	}
	if r.Temperature != nil {
		members["temperature"] = *r.Temperature
	}
	if api == Anthropic {
		text, err := manual.Anthropic.AppendMessages(nil, r.messages)
		if err != nil {
			return nil, err
		}
		if text[0] == '[' { // there is no system text
			members["messages"] = json.RawMessage(text)
		} else if err := json.Unmarshal(text, &members); err != nil {
			return nil, err
		}
	} else {
		text, err := manual.ChatCompletions.AppendMessages(nil, r.messages)
		if err != nil {
			return nil, err
		}
		members["messages"] = json.RawMessage(text)
		if stream {
			members["stream_options"] = map[string]bool{"include_usage": true}
		}
		if r.Seed != nil {
			members["seed"] = *r.Seed
		}
	}
	for name, value := range r.Extra {
		members[name] = value
		if string(value) == "null" {
			delete(members, name)
		}
	}
	return bench.JSON(members)
}

// Most returns how many tokens the model may write, Extra included; 0 means that nothing limits
// them.
func (p Params) Most() int {
	number := func(name string, otherwise int) int {
		text, ok := p.Extra[name]
		if !ok {
			return otherwise
		}
		var n int
		if json.Unmarshal(text, &n) != nil {
			return 0
		}
		return max(n, 0)
	}
	return max(number("max_tokens", p.MaxTokens), number("max_completion_tokens", 0)) * max(number("n", 1), 1)
}

// texts returns what the request says, which no error may repeat.
func (r request) texts() (texts []string) {
	for _, m := range r.messages {
		for _, p := range m.Parts {
			texts = append(texts, p.Text)
		}
	}
	return texts
}
