package scripted

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
)

// Request is a request that a model got.
type Request struct {
	Method, Path, Query string
	Header              http.Header
	Body                []byte
}

// Turn is one message as a model sees it.
type Turn struct {
	Role string

	// Text is the text of the message. What is not text stands in it by its type,
	// as in [image_url].
	Text string
}

// api returns the interface that the request is for; nil for none.
func (r Request) api() api {
	switch {
	case strings.HasSuffix(r.Path, "/chat/completions"):
		return openAI{}
	case strings.HasSuffix(r.Path, "/messages"):
		return anthropic{}
	case strings.HasSuffix(r.Path, "/responses"):
		return responses{}
	case strings.HasSuffix(r.Path, ":generateContent"), strings.HasSuffix(r.Path, ":streamGenerateContent"):
		return gemini{}
	case strings.HasSuffix(r.Path, "/api/chat"):
		return ollama{}
	}
	return nil
}

// conversation is what is read of the body of a request.
type conversation struct {
	Model         string `json:"model"`
	Stream        *bool  `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	System   json.RawMessage   `json:"system"`
	Messages []message         `json:"messages"`
	Tools    []json.RawMessage `json:"tools"`

	Instructions string          `json:"instructions"` // of responses
	Input        json.RawMessage `json:"input"`

	SystemInstruction struct { // of Gemini
		Parts json.RawMessage `json:"parts"`
	} `json:"systemInstruction"`
	Contents []struct {
		Role  string          `json:"role"`
		Parts json.RawMessage `json:"parts"`
	} `json:"contents"`
}

// message is what is read of a message, or of an item of input.
type message struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// conversation reads the body. Of one that is not JSON, nothing is known.
func (r Request) conversation() conversation {
	var c conversation
	json.Unmarshal(r.Body, &c)
	return c
}

// Stream reports whether the request asks for a stream.
func (r Request) Stream() bool {
	switch r.api() {
	case gemini{}:
		return strings.HasSuffix(r.Path, ":streamGenerateContent")
	case ollama{}:
		stream := r.conversation().Stream
		return stream == nil || *stream
	}
	stream := r.conversation().Stream
	return stream != nil && *stream
}

// Tools returns how many tools are declared in the request, apart from those in
// its text.
func (r Request) Tools() int { return len(r.conversation().Tools) }

// Turns returns the conversation as the model sees it: its system prompt and its
// messages.
func (r Request) Turns() []Turn {
	c := r.conversation()
	var turns []Turn
	if text := textOf(c.System); text != "" {
		turns = append(turns, Turn{"system", text})
	}
	if text := textOf(c.SystemInstruction.Parts); text != "" {
		turns = append(turns, Turn{"system", text})
	}
	if c.Instructions != "" {
		turns = append(turns, Turn{"system", c.Instructions})
	}
	var input string
	if len(c.Input) > 0 && json.Unmarshal(c.Input, &input) == nil {
		turns = append(turns, Turn{"user", input})
	} else {
		json.Unmarshal(c.Input, &c.Messages)
	}
	for _, m := range c.Messages {
		if m.Role == "" {
			turns = append(turns, Turn{m.Type, "[" + m.Type + "]"})
		} else {
			turns = append(turns, Turn{m.Role, textOf(m.Content)})
		}
	}
	for _, c := range c.Contents {
		turns = append(turns, Turn{strings.Replace(c.Role, "model", "assistant", 1), textOf(c.Parts)})
	}
	return turns
}

// textOf returns the text of a content, a string or a list of parts.
func textOf(content json.RawMessage) string {
	var text string
	if len(content) == 0 || json.Unmarshal(content, &text) == nil {
		return text
	}
	var parts []struct {
		Type string  `json:"type"`
		Text *string `json:"text"`
	}
	if json.Unmarshal(content, &parts) != nil {
		return string(bytes.TrimSpace(content))
	}
	var texts []string
	for _, p := range parts {
		if p.Text == nil {
			p.Text = new(string)
			*p.Text = "[" + p.Type + "]"
		}
		texts = append(texts, *p.Text)
	}
	return strings.Join(texts, "\n")
}
