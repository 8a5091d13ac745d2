package live

import (
	"encoding/json"
	"maps"

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

type object map[string]any

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
		tools = append(tools, toolFor(api, t))
	}
	if tools != nil {
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
	}
	maps.DeleteFunc(members,
		func(name string, _ any) bool { return string(r.Extra[name]) == "null" })
	return bench.JSON(members)
}

// toolFor declares a tool.
func toolFor(api API, t *sig.Tool) object {
	tool := object{"name": t.Name}
	if t.Description != "" {
		tool["description"] = t.Description
	}
	schema := t.Schema
	if len(schema) == 0 {
		schema = json.RawMessage(`{"type":"object","properties":{}}`)
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
	most := max(number("max_tokens", p.MaxTokens), number("max_completion_tokens", 0))
	return most * max(number("n", 1), 1)
}
