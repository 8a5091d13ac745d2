// Package conversation reads conversations of programs with models: messages, requests and
// answers of any API that package manual knows, and the calls in these.
//
// A [Transcript] has calls and results as parts of its messages, even if they were text, and is
// written in any of the [Shapes].
package conversation

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Transcript is a conversation with calls and results as parts of messages.
type Transcript struct {
	Catalog  *sig.Catalog
	Options  parse.Options // by which calls in text are read
	Messages []manual.Message
}

// ReadTranscript reads the messages of a conversation: an array, or a request that contains one.
func ReadTranscript(data []byte) (*Transcript, error) {
	messages, _, err := manual.ParseMessages(data)
	if err != nil {
		return nil, fmt.Errorf("%w; the input is a conversation such as "+
			`[{"role":"user","content":"…"}]`, err)
	}
	hasRole := func(m manual.Message) bool { return m.Role != "" }
	if len(messages) > 0 && !slices.ContainsFunc(messages, hasRole) {
		return nil, errors.New("no message has a role: is this a conversation?")
	}
	for i, m := range messages {
		isItem := len(m.Parts) == 1 && m.Parts[0].Kind == manual.Other // of Responses
		if m.Role == "" && !isItem {
			return nil, fmt.Errorf("message %d has no role: is this a conversation?", i+1)
		}
	}
	return &Transcript{Messages: messages}, nil
}

// Native reports whether the conversation contains a native call or result.
func (t *Transcript) Native() bool {
	isNative := func(p manual.Part) bool { return p.Kind == manual.Call || p.Kind == manual.Result }
	return slices.ContainsFunc(t.Messages, func(m manual.Message) bool {
		return slices.ContainsFunc(m.Parts, isNative)
	})
}

const wire = "wire" // the shape with calls in text

// Shapes returns the shapes that [Transcript.As] writes: wire and those of the APIs.
func Shapes() []string {
	shapes := []string{wire}
	for _, api := range apis {
		shapes = append(shapes, string(api))
	}
	return shapes
}

var apis = []manual.API{manual.ChatCompletions, manual.Responses, manual.Anthropic, manual.AISDK,
	manual.AISDKUI, manual.Gemini, manual.Ollama}

// As returns the conversation in one of the Shapes, as a value that encodes as JSON; wire is the
// messages as package manual writes them.
func (t *Transcript) As(shape string) (any, error) {
	api := manual.API(shape)
	switch {
	case shape == wire:
		return append([]manual.Message{}, t.Messages...), nil // not null
	case !slices.Contains(apis, api):
		return nil, fmt.Errorf("unknown shape %q", shape)
	}
	data, err := api.AppendMessages(nil, t.Messages)
	return json.RawMessage(data), err
}
