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
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Transcript is a conversation with calls and results as parts of messages.
type Transcript struct {
	Catalog  *sig.Catalog
	Options  parse.Options // by which calls in text are read
	Messages []manual.Message
	Exact    bool // the assistant's text keeps its whitespace, because it is written unchanged
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

// Shapes returns the shapes that [Transcript.As] writes: wire and those of the APIs.
func Shapes() []string {
	shapes := []string{"wire"}
	for _, api := range manual.APIs() {
		shapes = append(shapes, string(api))
	}
	return shapes
}

// As returns the conversation in one of the Shapes, as a value that encodes as JSON; wire is the
// messages as package manual writes them.
func (t *Transcript) As(shape string) (any, error) {
	api := manual.API(shape)
	if !slices.Contains(manual.APIs(), api) {
		return t.Messages, nil
	}
	data, err := api.AppendMessages(nil, t.Messages)
	return json.RawMessage(data), err
}

// A Turn is one message of a conversation, for people to read.
type Turn struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// Turns returns the conversation in the body of a request: text as it is, native calls and results
// on a line each. It is nil if body isn't a request.
func Turns(body []byte) []Turn {
	messages, _, _ := manual.ParseMessages(body)
	var turns []Turn
	for _, m := range messages {
		lines := make([]string, len(m.Parts))
		for i := range m.Parts {
			lines[i] = partText(&m.Parts[i])
		}
		turns = append(turns, Turn{m.Role, strings.Join(lines, "\n")})
	}
	return turns
}

// partText returns the text of a part.
func partText(p *manual.Part) string {
	switch p.Kind {
	case manual.Text:
		return p.Text
	case manual.Call:
		return fmt.Sprintf("%s%s %s %s", terminal.CallMark, p.Name, p.ID, text(p.Input))
	case manual.Result:
		return p.ID + " " + p.Text + text(p.Output)
	}
	return "[" + rawjson.ParseObject(p.Raw).Text("type") + "]"
}

// text returns a JSON string as text, and any other JSON in compact form.
func text(value []byte) string {
	if rawjson.IsString(value) {
		return rawjson.Unquote(value)
	}
	return string(rawjson.Compact(value))
}
