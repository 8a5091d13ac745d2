package scripted

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/callwire/callwire/internal/turns"
)

// Request is a request that a model got.
type Request struct {
	Method, Path, Query string
	Header              http.Header
	Body                []byte
}

// Turn is one message as a model sees it. Anything but text, calls and results appears as its type,
// as in [image_url].
type Turn = turns.Turn

// api returns the interface that the request is for; nil for none.
func (r Request) api() *api {
	for _, a := range apis {
		for _, end := range a.ends {
			if strings.HasSuffix(r.Path, end) {
				return a
			}
		}
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
	Tools []json.RawMessage `json:"tools"`

	Instructions string `json:"instructions"` // of responses
}

// conversation reads the body. It returns the zero value if that is not JSON.
func (r Request) conversation() conversation {
	var c conversation
	json.Unmarshal(r.Body, &c)
	return c
}

// Stream reports whether the request asks for a stream.
func (r Request) Stream() bool {
	api, stream := r.api(), r.conversation().Stream
	switch {
	case api != nil && api.stream != "":
		return strings.HasSuffix(r.Path, api.stream)
	case stream == nil:
		return api != nil && api.lines
	}
	return *stream
}

// Tools returns how many tools are declared in the request, apart from those in its text.
func (r Request) Tools() int { return len(r.conversation().Tools) }

// Turns returns the conversation as the model sees it: its system prompt and its messages.
func (r Request) Turns() []Turn { return turns.Of(r.Body) }
