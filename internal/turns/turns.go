// Package turns shows conversations to people, message by message.
package turns

import (
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
)

// A Turn is one message of a conversation. Parts other than text, calls and results appear as their
// type, as in [image_url].
type Turn struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// Of returns the conversation in the body of a request to any API, as a model sees it: the system
// prompt and the messages. Native calls and results have a line each. It is nil if body isn't a
// request.
func Of(body []byte) []Turn {
	messages, _, _ := manual.ParseMessages(body)
	var turns []Turn
	for _, m := range messages {
		lines := make([]string, len(m.Parts))
		for i := range m.Parts {
			lines[i] = textOf(&m.Parts[i])
		}
		turn := Turn{m.Role, strings.Join(lines, "\n")}
		if m.Role == "" { // an item of responses
			turn.Role = strings.Trim(turn.Text, "[]")
		}
		turns = append(turns, turn)
	}
	return turns
}

// Unseen returns the turns after the last one of the model, which it has not seen yet.
func Unseen(turns []Turn) []Turn {
	i := len(turns)
	for i > 0 && turns[i-1].Role != manual.Assistant {
		i--
	}
	return turns[i:]
}

func textOf(p *manual.Part) string {
	switch p.Kind {
	case manual.Text:
		return p.Text
	case manual.Call:
		return "▶ " + p.Name + " " + p.ID + " " + plain(p.Input)
	case manual.Result:
		return p.ID + " " + p.Text + plain(p.Output)
	}
	return "[" + rawjson.ParseObject(p.Raw).Text("type") + "]"
}

// plain returns a JSON string as text, and any other JSON in compact form.
func plain(value []byte) string {
	if rawjson.IsString(value) {
		return rawjson.Unquote(value)
	}
	return string(rawjson.Compact(value))
}
