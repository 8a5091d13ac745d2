package endpoint

import (
	"bytes"
	"encoding/json"

	"github.com/callwire/callwire/sig"
)

// Request is what a model is asked. All of it is as it is sent.
type Request struct {
	Model    string
	System   string
	Messages []Message
	Tools    []*sig.Tool // declared natively; none where the system text explains them

	MaxTokens   int // that the model may write
	Temperature *float64
	Seed        *int64

	// Extra are members that are added to the request, or stand in place of
	// its own; null takes one away.
	Extra map[string]json.RawMessage
}

// Message is one message of a conversation.
type Message struct {
	Role    string // user or assistant
	Text    string
	Calls   []Call   // of the assistant, native
	Results []Result // of the user: what became of native calls
}

// Call is a native call.
type Call struct {
	ID        string
	Name      string
	Arguments string // JSON, as the model wrote it
}

// Result is what a native call has come to.
type Result struct {
	ID, Text string
	Failed   bool
}

// API is a way to speak to endpoints.
type API string

// The ways there are.
const (
	OpenAI    API = "openai"
	Anthropic API = "anthropic"
)

// Body returns the request as it is sent. The same request gives the same bytes.
func (r Request) Body(api API, stream bool) ([]byte, error) {
	var members map[string]any
	if api == Anthropic {
		members = r.anthropic()
	} else {
		members = r.openAI(stream)
	}
	members["model"] = r.Model
	members["stream"] = stream
	members["max_tokens"] = r.MaxTokens
	if r.Temperature != nil {
		members["temperature"] = *r.Temperature
	}
	for name, value := range r.Extra {
		if string(value) == "null" {
			delete(members, name)
		} else {
			members[name] = value
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(members)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Most returns how many tokens the model may write, with what Extra says of it;
// 0 means that nothing bounds them.
func (r Request) Most() int {
	number := func(name string, otherwise int) int {
		text, ok := r.Extra[name]
		if !ok {
			return otherwise
		}
		n := 0
		json.Unmarshal(text, &n) // what is no number bounds nothing
		return max(n, 0)
	}
	return max(number("max_tokens", r.MaxTokens), number("max_completion_tokens", 0)) * max(number("n", 1), 1)
}

// texts returns what was said in the request: no error may repeat it.
func (r Request) texts() []string {
	texts := []string{r.System}
	for _, m := range r.Messages {
		texts = append(texts, m.Text)
		for _, result := range m.Results {
			texts = append(texts, result.Text)
		}
	}
	return texts
}

// schemaOf returns the schema of a tool's arguments as APIs want one.
func schemaOf(t *sig.Tool) json.RawMessage {
	if len(t.Schema) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return t.Schema
}

func (r Request) openAI(stream bool) map[string]any {
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
		Arguments   *string         `json:"arguments,omitempty"`
	}
	type tool struct {
		ID       string   `json:"id,omitempty"`
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	type message struct {
		Role       string  `json:"role"`
		Content    *string `json:"content"`
		ToolCalls  []tool  `json:"tool_calls,omitempty"`
		ToolCallID string  `json:"tool_call_id,omitempty"`
	}
	var messages []message
	if r.System != "" {
		messages = append(messages, message{Role: "system", Content: &r.System})
	}
	for _, m := range r.Messages {
		for _, result := range m.Results {
			messages = append(messages, message{Role: "tool", Content: &result.Text, ToolCallID: result.ID})
		}
		if m.Text == "" && len(m.Results) > 0 {
			continue
		}
		next := message{Role: m.Role, Content: &m.Text}
		for _, c := range m.Calls {
			next.ToolCalls = append(next.ToolCalls, tool{c.ID, "function", function{Name: c.Name, Arguments: &c.Arguments}})
		}
		if m.Text == "" && len(m.Calls) > 0 {
			next.Content = nil
		}
		messages = append(messages, next)
	}
	members := map[string]any{"messages": messages}
	var tools []tool
	for _, t := range r.Tools {
		tools = append(tools, tool{Type: "function", Function: function{Name: t.Name, Description: t.Description, Parameters: schemaOf(t)}})
	}
	if tools != nil {
		members["tools"] = tools
	}
	if stream {
		members["stream_options"] = map[string]bool{"include_usage": true}
	}
	if r.Seed != nil {
		members["seed"] = *r.Seed
	}
	return members
}

func (r Request) anthropic() map[string]any {
	type block struct {
		Type    string          `json:"type"`
		Text    *string         `json:"text,omitempty"`
		ID      string          `json:"id,omitempty"`
		Name    string          `json:"name,omitempty"`
		Input   json.RawMessage `json:"input,omitempty"`
		ToolUse string          `json:"tool_use_id,omitempty"`
		Content *string         `json:"content,omitempty"`
		Failed  bool            `json:"is_error,omitempty"`
	}
	type message struct {
		Role    string  `json:"role"`
		Content []block `json:"content"`
	}
	messages := []message{}
	for _, m := range r.Messages {
		next := message{Role: m.Role, Content: []block{}}
		for _, result := range m.Results {
			next.Content = append(next.Content, block{Type: "tool_result", ToolUse: result.ID, Content: &result.Text, Failed: result.Failed})
		}
		if m.Text != "" {
			next.Content = append(next.Content, block{Type: "text", Text: &m.Text})
		}
		for _, c := range m.Calls {
			input := json.RawMessage(c.Arguments)
			if !isObject(input) {
				input = json.RawMessage("{}") // the API takes nothing else; the result tells what was wrong
			}
			next.Content = append(next.Content, block{Type: "tool_use", ID: c.ID, Name: c.Name, Input: input})
		}
		messages = append(messages, next)
	}
	members := map[string]any{"messages": messages}
	if r.System != "" {
		members["system"] = r.System
	}
	type tool struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Schema      json.RawMessage `json:"input_schema"`
	}
	var tools []tool
	for _, t := range r.Tools {
		tools = append(tools, tool{t.Name, t.Description, schemaOf(t)})
	}
	if tools != nil {
		members["tools"] = tools
	}
	return members
}

func isObject(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) > 0 && text[0] == '{' && json.Valid(text)
}
