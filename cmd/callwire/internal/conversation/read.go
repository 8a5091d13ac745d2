package conversation

import (
	"errors"
	"fmt"
	"slices"

	"github.com/callwire/callwire/manual"
)

// Read reads the messages of a conversation: an array, or a request that contains one.
func Read(data []byte) ([]manual.Message, error) {
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
	return messages, nil
}
