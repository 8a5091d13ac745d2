package conversation

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/callwire/callwire/manual"
)

// The JSON of messages, in the three shapes.
type (
	openAIMessage struct {
		Role       string           `json:"role"`
		Content    any              `json:"content"`
		ToolCalls  []openAIToolCall `json:"tool_calls,omitempty"`
		ToolCallID string           `json:"tool_call_id,omitempty"`
	}
	openAIToolCall struct {
		ID       string         `json:"id"`
		Type     string         `json:"type"`
		Function openAIFunction `json:"function"`
	}
	openAIFunction struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	blockMessage struct {
		Role    string `json:"role"`
		Content any    `json:"content"`
	}
	textBlock struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	anthropicCall struct {
		Type  string          `json:"type"`
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	}
	anthropicResult struct {
		Type      string `json:"type"`
		ToolUseID string `json:"tool_use_id"`
		Content   string `json:"content"`
		IsError   bool   `json:"is_error,omitempty"`
	}
	aiCall struct {
		Type       string          `json:"type"`
		ToolCallID string          `json:"toolCallId"`
		ToolName   string          `json:"toolName"`
		Input      json.RawMessage `json:"input"`
	}
	aiResult struct {
		Type       string   `json:"type"`
		ToolCallID string   `json:"toolCallId"`
		ToolName   string   `json:"toolName"`
		Output     aiOutput `json:"output"`
	}
	aiOutput struct {
		Type  string `json:"type"`
		Value string `json:"value"`
	}
)

// Shapes returns the shapes that [Transcript.As] writes.
func Shapes() []string { return []string{"wire", "openai", "anthropic", "ai-sdk"} }

// As returns what is the JSON of the conversation in a shape of [Shapes]; wire is the
// messages as package manual writes them.
func (t *Transcript) As(shape string) any {
	switch shape {
	case "openai":
		return t.openAI()
	case "anthropic":
		return t.anthropic()
	case "ai-sdk":
		return t.aiSDK()
	}
	return t.Messages
}

// openAI returns the messages of chat completions: each result is a message.
func (t *Transcript) openAI() any {
	all := []openAIMessage{}
	for _, m := range t.Messages {
		one := openAIMessage{Role: m.Role, Content: contentOf(m.Parts)}
		for _, p := range m.Parts {
			switch p.Kind {
			case manual.Call:
				one.ToolCalls = append(one.ToolCalls, openAIToolCall{p.ID, "function", openAIFunction{p.Name, string(inputOf(p))}})
			case manual.Result:
				all = append(all, openAIMessage{Role: manual.ToolRole, Content: valueText(p.Output), ToolCallID: p.ID})
			}
		}
		if one.Content != nil || len(one.ToolCalls) > 0 {
			all = append(all, one)
		}
	}
	return all
}

// anthropic returns a request: the system text, and messages in which results are
// the user's.
func (t *Transcript) anthropic() any {
	var request struct {
		System   any            `json:"system,omitempty"`
		Messages []blockMessage `json:"messages"`
	}
	request.Messages = []blockMessage{}
	for _, m := range t.Messages {
		if m.Role == manual.System && request.System == nil {
			request.System = contentOf(m.Parts)
			continue
		}
		role := m.Role
		if role == manual.ToolRole {
			role = manual.User
		}
		content := blocks(m.Parts, func(p manual.Part) any {
			if p.Kind == manual.Call {
				return anthropicCall{"tool_use", p.ID, p.Name, inputOf(p)}
			}
			return anthropicResult{"tool_result", p.ID, valueText(p.Output), p.Failed}
		})
		if last := len(request.Messages) - 1; last >= 0 && request.Messages[last].Role == role {
			request.Messages[last].Content = append(listOf(request.Messages[last].Content), listOf(content)...)
		} else if content != nil {
			request.Messages = append(request.Messages, blockMessage{role, content})
		}
	}
	return request
}

// aiSDK returns the messages of the AI SDK: results are those of a tool.
func (t *Transcript) aiSDK() any {
	all := []blockMessage{}
	names := map[string]string{}
	for _, m := range t.Messages {
		var results []any
		content := blocks(m.Parts, func(p manual.Part) any {
			if p.Kind == manual.Call {
				names[p.ID] = p.Name
				return aiCall{"tool-call", p.ID, p.Name, inputOf(p)}
			}
			name, kind := p.Name, "text"
			if name == "" {
				name = names[p.ID]
			}
			if p.Failed {
				kind = "error-text"
			}
			results = append(results, aiResult{"tool-result", p.ID, name, aiOutput{kind, valueText(p.Output)}})
			return nil
		})
		if results != nil {
			all = append(all, blockMessage{manual.ToolRole, results})
		}
		if content != nil {
			all = append(all, blockMessage{m.Role, content})
		}
	}
	return all
}

// contentOf returns the content of a message without its calls and results: a
// string where that says all, a list of parts, or nothing.
func contentOf(parts []manual.Part) any {
	return blocks(slices.DeleteFunc(slices.Clone(parts), func(p manual.Part) bool { return p.Kind == manual.Call || p.Kind == manual.Result }), nil)
}

// blocks returns parts as the content of a message; block writes calls and results,
// and returns nil for one that stands elsewhere.
func blocks(parts []manual.Part, block func(manual.Part) any) any {
	var list []any
	for _, p := range parts {
		switch {
		case p.Kind == manual.Call || p.Kind == manual.Result:
			if b := block(p); b != nil {
				list = append(list, b)
			}
		case p.Raw != nil:
			list = append(list, p.Raw)
		default:
			list = append(list, textBlock{"text", p.Text})
		}
	}
	if len(list) == 0 {
		return nil
	}
	if only, ok := list[0].(textBlock); ok && len(list) == 1 {
		return only.Text
	}
	return list
}

// listOf returns the content of a message as a list.
func listOf(content any) []any {
	switch c := content.(type) {
	case []any:
		return c
	case string:
		return []any{textBlock{"text", c}}
	}
	return nil
}

// inputOf returns the arguments of a call as JSON, {} where they are none.
func inputOf(p manual.Part) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, []byte(valueText(p.Input))) != nil || b.Len() == 0 {
		return json.RawMessage("{}")
	}
	return b.Bytes()
}
