package scripted

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/callwire/callwire/manual"
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

	// Text is the text of the message. Anything else appears as its type, as in [image_url].
	Text string
}

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
func (r Request) Turns() (turns []Turn) {
	messages, _, _ := manual.ParseMessages(r.Body)
	for _, m := range messages {
		texts := make([]string, len(m.Parts))
		for i := range m.Parts {
			texts[i] = partText(&m.Parts[i])
		}
		turn := Turn{m.Role, strings.Join(texts, "\n")}
		if m.Role == "" { // an item of responses
			turn.Role = strings.Trim(turn.Text, "[]")
		}
		turns = append(turns, turn)
	}
	return turns
}

// partText returns the text of a part, or its type in brackets.
func partText(p *manual.Part) string {
	var other struct{ Type string }
	switch p.Kind {
	case manual.Text:
		return p.Text
	case manual.Call:
		return "[call]"
	case manual.Result:
		return "[result]"
	}
	json.Unmarshal(p.Raw, &other)
	return "[" + other.Type + "]"
}
