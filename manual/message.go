package manual

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Roles that have a meaning here. All others are kept.
const (
	System    = "system"
	User      = "user"
	Assistant = "assistant"
	ToolRole  = "tool"
)

// Message is one message of a conversation. It reads the JSON of OpenAI (chat
// completions and responses), Anthropic and the AI SDK, and writes JSON that all of
// them accept: a role, and a content that is a string or a list of parts. A message
// that the AI SDK keeps for a user interface has its list under the name parts, and is
// written that way again.
type Message struct {
	Role  string
	Parts []Part

	// Extra holds the members of the JSON that have no meaning here, such as an id.
	// They are written unchanged.
	Extra map[string]json.RawMessage

	// Sources are the indexes of the messages that a rewritten one was made of, in
	// order; none for the manual, and for results that were in a message of another
	// role. They are not in the JSON.
	Sources []int

	form form
	api  API
}

// PartKind is the kind of a Part.
type PartKind uint8

// The kinds of parts. Any other counts as Text. No JSON is read as Feedback: it is
// shown as it is, with the call in it, so it must come from this package.
const (
	Text     PartKind = iota // Text
	Call                     // ID, Name and Input
	Result                   // ID, Name, Output and Failed
	Other                    // Raw: an image, a file, reasoning
	Feedback                 // ID, and Text: what [Options.Feedback] returned, instead of a result
)

// Part is a part of a message.
type Part struct {
	Kind PartKind
	Text string

	ID   string // of a call, and of the result that belongs to it
	Name string // of the tool; "" for a result whose ID is enough

	// Input are the arguments of a call: JSON text, as json.RawMessage, []byte or
	// string, or a value that encoding/json encodes as an object. JSON text may
	// also be a JSON string with the object in it.
	Input any

	// Output is what a tool returned: text, as string; JSON text, as json.RawMessage or
	// []byte; an error, shown as such; or a value that encoding/json encodes. A list of
	// content parts, as in MCP, is text and other parts.
	Output any
	Failed bool

	// Cache is the cache mark of a call or result, as JSON: the cache_control of the
	// text that it becomes.
	Cache json.RawMessage

	// Raw is the JSON of the part, if it says more than the fields above.
	Raw json.RawMessage
}

// message is the JSON of a Message, in all shapes.
type message struct {
	Role         string          `json:"role"`
	Content      json.RawMessage `json:"content"`
	ToolCalls    json.RawMessage `json:"tool_calls"`
	FunctionCall json.RawMessage `json:"function_call"` // calls in the old API

	Parts           json.RawMessage `json:"parts"` // of the AI SDK, for user interfaces
	ToolInvocations json.RawMessage `json:"toolInvocations"`

	Type string `json:"type"` // of an item of OpenAI's responses, which has no role
}

// functionCall is a call of a function, or of a tool that takes plain text.
type functionCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Input     json.RawMessage `json:"input"`
}

// read are the members of a message that are fully read, and readOfTool those of a tool
// message.
var (
	read       = []string{"role", "content", "tool_calls", "function_call", "tool_call_id"}
	readOfTool = []string{"text", "name", "tool_name", "toolName", "call_id", "toolCallId", "tool_use_id", "output", "result", "error", "parts", "is_error", "isError"}
)

// functionRole is the role of results in the old API.
const functionRole = "function"

// UnmarshalJSON reads a message in any of the shapes. Anything without a role that is
// neither a call nor a result, such as an item of reasoning, is kept as it is: a
// message without a role and with one part.
func (m *Message) UnmarshalJSON(data []byte) error {
	var in message
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("manual: a message is an object with role and content: %w", err)
	}
	defer func() { m.api = apiOf(&in, data) }()
	if p, ok := readItem(&in, data); ok {
		*m = Message{Role: Assistant, Parts: []Part{p}}
		if p.Kind == Result {
			m.Role = ToolRole
		}
		return nil
	}
	if in.Role == "" && in.Content == nil {
		*m = Message{Parts: []Part{{Kind: Other, Raw: bytes.Clone(data)}}}
		return nil
	}
	function := in.Role == functionRole
	if function {
		in.Role = ToolRole
	}
	*m = Message{Role: in.Role, Extra: in.extra(data)}
	var tool string
	if in.Role == ToolRole {
		p, whole := readAnswer(data)
		if whole || p.ID != "" || function || !holdsResults(in.Content) && !holdsResults(in.Parts) {
			m.Parts = []Part{p}
			if whole {
				m.Extra = nil
			}
			for _, key := range readOfTool {
				delete(m.Extra, key)
			}
			return nil
		}
		tool = p.Name
	}
	if err := m.readBody(&in); err != nil {
		return err
	}
	if len(m.Parts) == 1 && m.Parts[0].Kind == Result {
		m.Parts[0].Name = cmp.Or(m.Parts[0].Name, tool)
	}
	m.readCalls(&in)
	return nil
}

// readItem reads an item of OpenAI's responses, or a part that is a message by itself;
// ok is false if it is neither a call nor a result.
func readItem(in *message, data []byte) (p Part, ok bool) {
	switch kindOf(in.Type) {
	case Call:
		ok = in.Content == nil
	case Result:
		ok = true
	}
	if ok {
		p = readTooling(data)
	}
	return p, ok
}

// readAnswer reads a tool message as one result; whole reports that the result is the
// whole message, because a member has the wrong type.
func readAnswer(data []byte) (p Part, whole bool) {
	var in part
	err := json.Unmarshal(data, &in)
	p = in.result()
	if err != nil {
		p.Output = json.RawMessage(bytes.Clone(data))
	}
	return p, err != nil
}

// holdsResults reports whether there is a result among the parts of a list.
func holdsResults(data json.RawMessage) bool {
	list, _ := typedList(data)
	return slices.ContainsFunc(list, func(raw json.RawMessage) bool { return kindOf(typeOf(raw)) == Result })
}

// readBody reads the content of a message or, if it has parts, the parts, which the
// content then only repeats.
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

// extra returns the members of a message that have no meaning here.
func (in *message) extra(data []byte) (extra map[string]json.RawMessage) {
	json.Unmarshal(data, &extra) // it is an object
	for _, key := range read {
		delete(extra, key)
	}
	if len(extra) == 0 {
		return nil
	}
	return extra
}

// readCalls reads the calls beside the content of a message. One that cannot be read is
// still a call, with its whole JSON as input.
func (m *Message) readCalls(in *message) {
	var list []json.RawMessage
	if !isNull(in.ToolCalls) && json.Unmarshal(in.ToolCalls, &list) != nil {
		list = []json.RawMessage{in.ToolCalls}
	}
	for _, raw := range list {
		var c struct {
			ID       id            `json:"id"`
			Function *functionCall `json:"function"`
			Custom   *functionCall `json:"custom"`
		}
		p := Part{Kind: Call, Input: raw}
		err := json.Unmarshal(raw, &c)
		if p.ID = string(c.ID); err == nil {
			switch {
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
		if !m.hasTools() { // otherwise they are the same calls
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

// part is the JSON of a Part in all shapes, and of a tool message. APIs differ in
// names; all of them are read.
type part struct {
	Type string `json:"type"`
	Text string `json:"text"`

	CallID      id `json:"call_id"`     // OpenAI
	ToolUseID   id `json:"tool_use_id"` // Anthropic
	ToolCallID  id `json:"toolCallId"`  // AI SDK
	AnsweringID id `json:"tool_call_id"`
	ID          id `json:"id"`

	Name       string `json:"name"`
	ToolName   string `json:"toolName"`
	NameOfTool string `json:"tool_name"`

	Input     json.RawMessage `json:"input"`
	Args      json.RawMessage `json:"args"`
	Arguments json.RawMessage `json:"arguments"`

	Content json.RawMessage `json:"content"`
	Output  json.RawMessage `json:"output"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
	Parts   json.RawMessage `json:"parts"`
	IsError bool            `json:"is_error"`
	Failed  bool            `json:"isError"`
}

// id is the id of a call: a string or, since some servers use numbers, the JSON text of
// any other value.
type id string

// UnmarshalJSON reads any value.
func (i *id) UnmarshalJSON(data []byte) error {
	*i = id(idOf(data))
	return nil
}

// idOf returns the id that a value is, "" for none.
func idOf(data json.RawMessage) string {
	switch {
	case isNull(data):
		return ""
	case isText(data):
		return stringIn(data)
	}
	return compactText(data)
}

// kindOf returns the kind of a part with that type: Call, Result, Text or Other.
func kindOf(typ string) PartKind {
	switch typ {
	case "text", "input_text", "output_text": // the latter in OpenAI's responses
		return Text
	case "tool_use", "tool-call", "function_call", "custom_tool_call":
		return Call
	case "tool_result", "tool-result", "tool-error", "function_call_output", "custom_tool_call_output":
		return Result
	}
	return Other
}

func readPart(raw json.RawMessage) (Part, error) {
	if isText(raw) {
		var text string
		err := json.Unmarshal(raw, &text)
		return Part{Kind: Text, Text: text}, err
	}
	var in struct {
		Type string          `json:"type"`
		Text json.RawMessage `json:"text"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return Part{}, fmt.Errorf("manual: a part of a message is an object with a type: %w", err)
	}
	switch kindOf(in.Type) {
	case Call, Result:
		return readTooling(raw), nil
	case Other:
		return Part{Kind: Other, Raw: raw}, nil
	}
	p := Part{Kind: Text}
	if !isNull(in.Text) {
		if err := json.Unmarshal(in.Text, &p.Text); err != nil {
			return Part{}, fmt.Errorf("manual: the text of a part is a string: %w", err)
		}
	}
	var all map[string]json.RawMessage
	json.Unmarshal(raw, &all) // it is an object
	if len(all) > 2 || in.Type != "text" {
		p.Raw = raw
	}
	return p, nil
}

// readTooling reads a call or a result. If a member has the wrong type, the whole JSON
// is the input or output.
func readTooling(raw json.RawMessage) Part {
	if kindOf(typeOf(raw)) == Result {
		p, _ := readAnswer(raw)
		return p
	}
	var in part
	p := Part{Kind: Call}
	if err := json.Unmarshal(raw, &in); err != nil {
		p.Input = bytes.Clone(raw)
	} else {
		p.Name, p.Input = cmp.Or(in.ToolName, in.Name), firstOf(in.Input, in.Args, in.Arguments)
	}
	p.ID = string(cmp.Or(in.ToolCallID, in.CallID, in.ID))
	return p
}

// firstOf returns the first value that is present and not null, or nil.
func firstOf(values ...json.RawMessage) json.RawMessage {
	for _, v := range values {
		if !isNull(v) {
			return v
		}
	}
	return nil
}

// result returns the part, or tool message, as a result.
func (in *part) result() Part {
	p := Part{
		Kind:   Result,
		ID:     string(cmp.Or(in.AnsweringID, in.ToolCallID, in.ToolUseID, in.CallID)),
		Name:   cmp.Or(in.ToolName, in.NameOfTool, in.Name),
		Failed: in.IsError || in.Failed || in.Type == "tool-error",
	}
	other := firstOf(in.Result, in.Error)
	if in.Type == "tool-result" && other == nil && in.Text == "" && p.readTyped(in.Output) {
		return p
	}
	if strings.HasPrefix(in.Type, "tool-") && (other != nil || !isNull(in.Output)) {
		in.Content, in.Parts = nil, nil // it may repeat the output for people
	}
	p.Output = outputOf(joinOutputs(in.Text, in.Content, in.Output, in.Result, in.Error, in.Parts))
	return p
}

// joinOutputs returns everything a result says, each value once: a single one as it is,
// several as a list of parts.
func joinOutputs(text string, values ...json.RawMessage) json.RawMessage {
	if text != "" {
		values = append([]json.RawMessage{appendJSON(nil, text)}, values...)
	}
	said := values[:0]
	for _, v := range values {
		if !isNull(v) && !slices.ContainsFunc(said, func(other json.RawMessage) bool { return bytes.Equal(v, other) }) {
			said = append(said, v)
		}
	}
	if len(said) < 2 {
		return firstOf(said...)
	}
	var parts []any
	for _, v := range said {
		texts, others, ok := contentParts(v)
		if !ok && isText(v) {
			texts = []string{stringIn(v)}
		} else if !ok {
			texts = []string{compactText(v)}
		}
		for _, text := range texts {
			parts = append(parts, map[string]string{"type": "text", "text": text})
		}
		for i := range others {
			parts = append(parts, others[i].Raw)
		}
	}
	joined, _ := encode(parts) // they were JSON
	return joined
}

// readTyped reads the typed output of the AI SDK; it returns false for any other, and
// for one with further members, which would be lost.
func (p *Part) readTyped(output json.RawMessage) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(output, &members) != nil {
		return false
	}
	for key := range members {
		switch key {
		case "type", "value", "reason", "providerOptions":
		default:
			return false
		}
	}
	value := members["value"]
	switch stringIn(members["type"]) {
	case "execution-denied":
		p.Output, p.Failed = denied(stringIn(members["reason"])), true
		return true
	case "error-text", "error-json":
		p.Failed = true
	case "text", "json", "content":
	default:
		return false
	}
	p.Output = outputOf(value)
	return value != nil
}

// outputOf returns the value of an output in a message: a string is text.
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

// MarshalJSON writes the content as a string if it is one text, otherwise as a list of
// parts, under the name parts if it was read from there.
//
// A message without a role and with one part is written as that part.
func (m Message) MarshalJSON() ([]byte, error) {
	if m.Role == "" && len(m.Parts) == 1 && m.Parts[0].Kind == Other && len(m.Extra) == 0 {
		return encode(m.Parts[0].Raw)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	put := func(v any) error {
		err := encodeTo(e, v)
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

// object returns the value that encodes as the part's JSON.
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
	if json.Unmarshal(p.Raw, &all) == nil && all != nil {
		all["text"] = appendJSON(nil, p.Text)
		return all
	}
	return struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}{"text", p.Text}
}
