package manual

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Roles that mean something here. Every other one is kept.
const (
	System    = "system"
	User      = "user"
	Assistant = "assistant"
	ToolRole  = "tool"
)

// Message is one message of a conversation. It reads the JSON of OpenAI (chat
// completions and responses), Anthropic and the AI SDK, and writes JSON that all
// of them take: a role, and a content that is a string or a list of parts. A
// message that the AI SDK keeps for a user interface has a list of parts as
// parts, and is written so again.
type Message struct {
	Role  string
	Parts []Part

	// Extra are the members of the JSON that mean nothing here, such as an id.
	// They are written as they came.
	Extra map[string]json.RawMessage

	form form
}

// PartKind is the kind of a Part.
type PartKind uint8

// The kinds of parts.
const (
	Text   PartKind = iota // Text
	Call                   // ID, Name and Input
	Result                 // ID, Name, Output and Failed
	Other                  // Raw: an image, a file, reasoning
)

// Part is a part of a message.
type Part struct {
	Kind PartKind
	Text string

	ID   string // of a call, and of the result that belongs to it
	Name string // of the tool; of a result "" where the ID says it

	// Input are the arguments of a call: JSON text, as json.RawMessage, []byte or
	// string, or a value that encoding/json encodes as an object. JSON text may
	// also be a JSON string with the object in it.
	Input any

	// Output is what a tool returned: text, as string; JSON text, as
	// json.RawMessage or []byte; or a value that encoding/json encodes. A list of
	// content parts, as MCP has it, is text and other parts.
	Output any
	Failed bool

	// Raw is the JSON of the part where it has more to say than the fields above.
	Raw json.RawMessage
}

// message is the JSON of a Message, in all shapes.
type message struct {
	Role         string          `json:"role"`
	Content      json.RawMessage `json:"content"`
	ToolCalls    json.RawMessage `json:"tool_calls"`
	FunctionCall json.RawMessage `json:"function_call"` // what calls were before
	ToolCallID   string          `json:"tool_call_id"`

	Parts           json.RawMessage `json:"parts"` // of the AI SDK, for user interfaces
	ToolInvocations json.RawMessage `json:"toolInvocations"`

	// Items of OpenAI's responses, which have no role.
	Type      string          `json:"type"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Input     json.RawMessage `json:"input"`
	Output    json.RawMessage `json:"output"`
}

// functionCall is a call of a function, or of a tool that takes free text.
type functionCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Input     json.RawMessage `json:"input"`
}

// read are the members of a message that are read in full.
var read = []string{"role", "content", "tool_calls", "function_call", "tool_call_id"}

// functionRole is the role that results had before.
const functionRole = "function"

// UnmarshalJSON reads a message in any of the shapes. What has no role and is no
// call or result, such as an item of reasoning, is kept as it is: a message
// without a role, and with one part.
func (m *Message) UnmarshalJSON(data []byte) error {
	var in message
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("manual: a message is an object with role and content: %w", err)
	}
	if in.Role == "" && in.Content == nil {
		m.readItem(&in, data)
		return nil
	}
	function := in.Role == functionRole
	if function {
		in.Role = ToolRole
	}
	*m = Message{Role: in.Role, Extra: in.extra(data)}
	if in.Role == ToolRole && (function || in.ToolCallID != "" || isText(in.Content)) {
		m.Parts = []Part{{Kind: Result, ID: in.ToolCallID, Name: in.Name, Output: outputOf(in.Content)}}
		return nil
	}
	if err := m.readBody(&in); err != nil {
		return err
	}
	m.readCalls(&in)
	return nil
}

// readBody reads the content of a message or, where it has them, its parts, of
// which the content is then a repetition.
func (m *Message) readBody(in *message) error {
	list, ok := typedList(in.Parts)
	switch {
	case ok && isNull(in.Content):
		m.form = partsForm
	case ok && isText(in.Content) && len(list) > 0:
		m.form = bothForm
	default:
		return m.readContent(in.Content)
	}
	delete(m.Extra, "parts")
	return m.readParts(list)
}

// readItem reads an item of OpenAI's responses that has no role.
func (m *Message) readItem(in *message, data []byte) {
	switch in.Type {
	case "function_call":
		*m = Message{Role: Assistant, Parts: []Part{{Kind: Call, ID: in.CallID, Name: in.Name, Input: in.Arguments}}}
	case "custom_tool_call":
		*m = Message{Role: Assistant, Parts: []Part{{Kind: Call, ID: in.CallID, Name: in.Name, Input: in.Input}}}
	case "function_call_output", "custom_tool_call_output":
		*m = Message{Role: ToolRole, Parts: []Part{{Kind: Result, ID: in.CallID, Output: outputOf(in.Output)}}}
	default:
		*m = Message{Parts: []Part{{Kind: Other, Raw: bytes.Clone(data)}}}
	}
}

// extra returns the members of a message that mean nothing here.
func (in *message) extra(data []byte) (extra map[string]json.RawMessage) {
	json.Unmarshal(data, &extra) // it is an object
	for _, key := range read {
		delete(extra, key)
	}
	if in.Role == ToolRole {
		delete(extra, "name")
	}
	if len(extra) == 0 {
		return nil
	}
	return extra
}

// readCalls reads the calls beside the content of a message. One that is not to
// be read is a call all the same, with what it says for its input.
func (m *Message) readCalls(in *message) {
	var list []json.RawMessage
	if !isNull(in.ToolCalls) && json.Unmarshal(in.ToolCalls, &list) != nil {
		list = []json.RawMessage{in.ToolCalls}
	}
	for _, raw := range list {
		var c struct {
			ID       string        `json:"id"`
			Function *functionCall `json:"function"`
			Custom   *functionCall `json:"custom"`
		}
		p := Part{Kind: Call, Input: raw}
		if json.Unmarshal(raw, &c) == nil {
			switch p.ID = c.ID; {
			case c.Function != nil:
				p.Name, p.Input = c.Function.Name, c.Function.Arguments
			case c.Custom != nil:
				p.Name, p.Input = c.Custom.Name, c.Custom.Input
			}
		}
		m.Parts = append(m.Parts, p)
	}
	if json.Unmarshal(in.ToolInvocations, &list) == nil {
		delete(m.Extra, "toolInvocations")
		if !m.hasTools() { // else they are those
			m.readInvocations(list)
		}
	}
	if isNull(in.FunctionCall) {
		return
	}
	var c functionCall
	if json.Unmarshal(in.FunctionCall, &c) != nil {
		c = functionCall{Arguments: in.FunctionCall}
	}
	m.Parts = append(m.Parts, Part{Kind: Call, Name: c.Name, Input: c.Arguments})
}

func isText(data json.RawMessage) bool { return len(data) > 0 && data[0] == '"' }

func isNull(data json.RawMessage) bool { return len(data) == 0 || string(data) == "null" }

// readContent reads a content: nothing, a string, or a list of parts.
func (m *Message) readContent(data json.RawMessage) error {
	switch {
	case isNull(data):
		return nil
	case isText(data):
		p := Part{Kind: Text}
		if err := json.Unmarshal(data, &p.Text); err != nil {
			return err
		}
		m.Parts = append(m.Parts, p)
		return nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf("manual: the content of a message is a string or a list: %w", err)
	}
	return m.readParts(list)
}

// part is the JSON of a Part, in all shapes.
type part struct {
	Type string `json:"type"`
	Text string `json:"text"`

	ID    string          `json:"id"`    // Anthropic
	Name  string          `json:"name"`  // Anthropic
	Input json.RawMessage `json:"input"` // both

	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`

	ToolCallID string          `json:"toolCallId"` // AI SDK
	ToolName   string          `json:"toolName"`
	Args       json.RawMessage `json:"args"`
	Output     json.RawMessage `json:"output"`
	Result     json.RawMessage `json:"result"`
	Failed     bool            `json:"isError"`
}

func readPart(raw json.RawMessage) (Part, error) {
	if isText(raw) {
		var text string
		err := json.Unmarshal(raw, &text)
		return Part{Kind: Text, Text: text}, err
	}
	var in part
	if err := json.Unmarshal(raw, &in); err != nil {
		// Another kind of part may use the same names for something else.
		var head struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(raw, &head) != nil || head.Type == "text" {
			return Part{}, fmt.Errorf("manual: a part of a message is an object with a type: %w", err)
		}
		switch head.Type {
		case "tool_use", "tool-call": // with what it says for its input
			return Part{Kind: Call, Input: raw}, nil
		case "tool_result", "tool-result":
			return Part{Kind: Result, Output: raw}, nil
		}
		return Part{Kind: Other, Raw: raw}, nil
	}
	switch in.Type {
	case "text", "input_text", "output_text": // the latter in OpenAI's responses
		p := Part{Kind: Text, Text: in.Text}
		var all map[string]json.RawMessage
		if json.Unmarshal(raw, &all) == nil && len(all) > 2 || in.Type != "text" {
			p.Raw = raw
		}
		return p, nil
	case "tool_use":
		return Part{Kind: Call, ID: in.ID, Name: in.Name, Input: in.Input}, nil
	case "tool-call":
		if in.Input == nil {
			in.Input = in.Args
		}
		return Part{Kind: Call, ID: in.ToolCallID, Name: in.ToolName, Input: in.Input}, nil
	case "tool_result":
		return Part{Kind: Result, ID: in.ToolUseID, Output: outputOf(in.Content), Failed: in.IsError}, nil
	case "tool-result":
		p := Part{Kind: Result, ID: in.ToolCallID, Name: in.ToolName, Failed: in.Failed}
		p.readOutput(in.Output, in.Result)
		return p, nil
	}
	return Part{Kind: Other, Raw: raw}, nil
}

// readOutput reads the output of the AI SDK, which says what it is, or the
// result of its earlier versions.
func (p *Part) readOutput(output, result json.RawMessage) {
	var typed struct {
		Type   string          `json:"type"`
		Value  json.RawMessage `json:"value"`
		Reason string          `json:"reason"`
	}
	read := json.Unmarshal(output, &typed) == nil
	if read && typed.Type == "execution-denied" {
		p.Output, p.Failed = denied(typed.Reason), true
		return
	}
	if !read || typed.Type == "" || typed.Value == nil {
		if output == nil {
			output = result
		}
		p.Output = outputOf(output)
		return
	}
	p.Failed = p.Failed || strings.HasPrefix(typed.Type, "error")
	p.Output = outputOf(typed.Value)
}

// outputOf returns an output as it is written in messages: a string is text.
func outputOf(data json.RawMessage) any {
	var text string
	if isText(data) && json.Unmarshal(data, &text) == nil {
		return text
	}
	if isNull(data) {
		return ""
	}
	return data
}

// MarshalJSON writes the message with a string for a content that is one text,
// else with a list of parts; one that was read from parts has a list of that
// name.
//
// A message without a role that is one part is written as that part.
func (m Message) MarshalJSON() ([]byte, error) {
	if m.Role == "" && len(m.Parts) == 1 && m.Parts[0].Kind == Other && len(m.Extra) == 0 {
		return encode(m.Parts[0].Raw)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	put := func(v any) error {
		err := e.Encode(v)
		b.Truncate(len(bytes.TrimRight(b.Bytes(), "\n")))
		return err
	}
	b.WriteString(`{"role":`)
	if err := put(m.Role); err != nil {
		return nil, err
	}
	if m.form == bothForm {
		b.WriteString(`,"content":`)
		if err := put(textOf(m.Parts)); err != nil {
			return nil, err
		}
	}
	b.WriteString([...]string{`,"content":`, `,"parts":`, `,"parts":`}[m.form])
	if m.form == contentForm && len(m.Parts) == 1 && m.Parts[0].Kind == Text && m.Parts[0].Raw == nil {
		if err := put(m.Parts[0].Text); err != nil {
			return nil, err
		}
	} else {
		b.WriteByte('[')
		for i := range m.Parts {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := put(m.Parts[i].object()); err != nil {
				return nil, err
			}
		}
		b.WriteByte(']')
	}
	keys := make([]string, 0, len(m.Extra))
	for k := range m.Extra {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		b.WriteByte(',')
		if err := put(k); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := put(m.Extra[k]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// object returns what the part is in JSON.
func (p *Part) object() any {
	switch p.Kind {
	case Other:
		return p.Raw
	case Call:
		return map[string]any{"type": "tool-call", "toolCallId": p.ID, "toolName": p.Name, "input": p.Input}
	case Result:
		return map[string]any{"type": "tool-result", "toolCallId": p.ID, "toolName": p.Name, "output": p.Output, "isError": p.Failed}
	}
	var all map[string]json.RawMessage
	if p.Raw != nil && json.Unmarshal(p.Raw, &all) == nil {
		all["text"] = appendJSON(nil, p.Text)
		return all
	}
	return struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}{"text", p.Text}
}
