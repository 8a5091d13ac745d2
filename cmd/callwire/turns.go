package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/manual"
)

// turn is one message of a conversation, to be read.
type turn struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// turnsOf returns the conversation in the body of a request, its system prompt
// first: text as it is, native calls and results in a line each.
func turnsOf(body []byte) []turn {
	var request struct {
		System   json.RawMessage  `json:"system"`
		Messages []manual.Message `json:"messages"`
	}
	if json.Unmarshal(body, &request) != nil {
		return nil
	}
	var turns []turn
	if len(request.System) > 0 {
		var system manual.Message
		json.Unmarshal(fmt.Appendf(nil, `{"role":"system","content":%s}`, request.System), &system)
		turns = append(turns, turnOf(system))
	}
	for _, m := range request.Messages {
		turns = append(turns, turnOf(m))
	}
	return turns
}

func turnOf(m manual.Message) turn {
	var lines []string
	for _, p := range m.Parts {
		lines = append(lines, partText(p))
	}
	return turn{m.Role, strings.Join(lines, "\n")}
}

// partText returns what a part says.
func partText(p manual.Part) string {
	switch p.Kind {
	case manual.Text:
		return p.Text
	case manual.Call:
		return fmt.Sprintf("%s%s %s %s", terminal.CallMark, p.Name, p.ID, valueText(p.Input))
	case manual.Result:
		return fmt.Sprintf("%s %s", p.ID, valueText(p.Output))
	}
	var other struct{ Type string }
	json.Unmarshal(p.Raw, &other)
	return "[" + other.Type + "]"
}

// valueText returns a value as text: JSON, and of a string what it says.
func valueText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.RawMessage:
		var text string
		if json.Unmarshal(v, &text) == nil {
			return text
		}
		return string(v)
	case []byte:
		return valueText(json.RawMessage(v))
	}
	text, _ := json.Marshal(value)
	return string(text)
}
