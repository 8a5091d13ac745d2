package conversation

import (
	"fmt"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
)

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
