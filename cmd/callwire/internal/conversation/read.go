package conversation

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/manual"
)

// Read reads the messages of a conversation: an array, or an object with one in it.
func Read(data []byte) (messages []manual.Message, err error) {
	var r request
	if err = json.Unmarshal(data, &messages); err != nil && json.Unmarshal(data, &r) == nil && r.Messages != nil {
		messages, err = r.Messages, nil
	}
	if err != nil {
		return nil, fmt.Errorf(`the input is a JSON array of messages, as in [{"role":"user","content":"…"}]: %w`, jsonl.Error(err))
	}
	if i := slices.IndexFunc(messages, func(m manual.Message) bool { return m.Role == "" }); i >= 0 {
		return nil, fmt.Errorf("message %d has no role: is this a conversation?", i+1)
	}
	return messages, nil
}

// request is the body of a request, with the system text of Anthropic.
type request struct {
	System   json.RawMessage  `json:"system"`
	Messages []manual.Message `json:"messages"`
}

// all returns the messages, the system text first.
func (r *request) all() ([]manual.Message, error) {
	if len(r.System) == 0 {
		return r.Messages, nil
	}
	var system manual.Message
	if err := json.Unmarshal(fmt.Appendf(nil, `{"role":"system","content":%s}`, r.System), &system); err != nil {
		return r.Messages, err
	}
	return append([]manual.Message{system}, r.Messages...), nil
}
