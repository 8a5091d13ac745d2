package clients

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/ollama/ollama/api"

	"github.com/callwire/callwire/stream/middleware"
)

// ollama is an application that uses Ollama's own client.
type ollama struct {
	client  *api.Client
	request api.ChatRequest
	names   map[string]string // of calls, by their ids
}

func newOllama(base string, r route, o middleware.Options, streams bool) conversation {
	u, err := url.Parse(base)
	if err != nil {
		panic(err) // of a test server
	}
	c := &ollama{client: api.NewClient(u, client(r, o)), names: make(map[string]string)}
	c.request.Model, c.request.Stream = "scripted", &streams
	for _, t := range tools {
		f := api.ToolFunction{Name: t.name, Description: t.description}
		if err := json.Unmarshal([]byte(t.schema), &f.Parameters); err != nil {
			panic(err) // of a constant
		}
		c.request.Tools = append(c.request.Tools, api.Tool{Type: "function", Function: f})
	}
	return c
}

func (c *ollama) say(text string) {
	c.request.Messages = append(c.request.Messages, api.Message{Role: "user", Content: text})
}

func (c *ollama) give(results []result) {
	for _, r := range results {
		c.request.Messages = append(c.request.Messages, api.Message{Role: "tool", Content: r.text, ToolName: c.names[r.id], ToolCallID: r.id})
	}
}

func (c *ollama) ask() (s step, err error) {
	m := api.Message{Role: "assistant"}
	err = c.client.Chat(context.Background(), &c.request, func(chunk api.ChatResponse) error {
		m.Content += chunk.Message.Content
		m.ToolCalls = append(m.ToolCalls, chunk.Message.ToolCalls...)
		s.finish += chunk.DoneReason
		s.tokens += int64(chunk.EvalCount)
		return nil
	})
	s.text = m.Content
	for _, k := range m.ToolCalls {
		input, _ := json.Marshal(k.Function.Arguments)
		c.names[k.ID] = k.Function.Name
		s.calls = append(s.calls, call{k.ID, k.Function.Name, string(input)})
	}
	if err == nil {
		c.request.Messages = append(c.request.Messages, m)
	}
	return s, err
}
