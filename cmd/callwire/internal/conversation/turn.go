package conversation

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/manual"
)

// Turn is one message of a conversation, to be read.
type Turn struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// Turns returns the conversation in the body of a request: text as it is, native calls
// and results in a line each. It is nil where body is no request.
func Turns(body []byte) []Turn {
	var r request
	if json.Unmarshal(body, &r) != nil {
		return nil
	}
	messages, _ := r.all()
	var turns []Turn
	for _, m := range messages {
		turns = append(turns, turnOf(m))
	}
	return turns
}

func turnOf(m manual.Message) Turn {
	var lines []string
	for _, p := range m.Parts {
		lines = append(lines, partText(p))
	}
	return Turn{m.Role, strings.Join(lines, "\n")}
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
