package manual

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/callwire/callwire/internal/rawjson"
)

// Roles with a meaning to this package. All others are kept.
const (
	System    = "system"
	User      = "user"
	Assistant = "assistant"
	ToolRole  = "tool"
)

// A Message is one message of a conversation. Its JSON is that of the API it came from: see
// [API.ParseMessage]. A message that wasn't read from JSON is written for chat completions.
type Message struct {
	Role  string
	Parts []Part

	// Source is the text that the model wrote, if it is known: its texts and calls. It isn't part
	// of the JSON.
	Source string

	// Extra holds the members of the JSON that have no meaning here, such as an ID. They are
	// written unchanged.
	Extra map[string]json.RawMessage

	// Sources are the indexes, in order, of the messages that [Manual.Rewrite] made this one
	// from. The manual has none. Neither do results from a message of another role. Sources
	// aren't part of the JSON.
	Sources []int

	api API // whose shape the message has; anyAPI if that makes no difference
}

// PartKind is the kind of a Part.
type PartKind uint8

// The kinds of parts. Any other counts as Text. No JSON is read as Feedback: it is shown as it
// is, with the call in it, so it must come from this package.
const (
	Text     PartKind = iota // Text
	Call                     // ID, Name and Input
	Result                   // ID, Name, Failed, and Output or Text
	Other                    // Raw: an image, a file, reasoning
	Feedback                 // ID, and Text: what [Manual.Feedback] returned, instead of a result
)

// A Part is a part of a message.
type Part struct {
	Kind PartKind
	Text string

	ID   string // of a call, and of the result that belongs to it
	Name string // of the tool; "" for a result whose ID is enough

	// Input is the JSON object of a call's arguments, or a JSON string with that object in it.
	// An empty Input means no arguments.
	Input json.RawMessage

	// Output is what a tool returned, if that is JSON; otherwise it is nil and Text is what the
	// tool returned. A list of content parts, as in MCP, is text and other parts.
	Output json.RawMessage
	Failed bool // the result is an error

	// Raw is the JSON that the part was read from, nil for plain text. It is written again in
	// place of the other fields, except Text; clear it after changing them.
	Raw json.RawMessage

	call *called // the call, or that of the result, while Rewrite runs
}

// UnmarshalJSON reads a message as [API.ParseMessage] does for the zero API.
func (m *Message) UnmarshalJSON(data []byte) (err error) {
	*m, err = anyAPI.ParseMessage(bytes.Clone(data))
	return err
}

// ParseMessage reads a message. All APIs' spellings are understood, unless api is Gemini; the zero
// API also takes the contents of Gemini. Keys are compared exactly. A value without a role that is
// neither a call nor a result, such as an item of reasoning, becomes a message without a role and
// with one part of the kind Other.
//
// The data must be valid JSON, and the message refers to it: it must not change. Invalid JSON
// never panics, but isn't always an error.
func (api API) ParseMessage(data []byte) (Message, error) {
	m, err := api.parse(data)
	if err != nil {
		err = fmt.Errorf("manual: %w", err)
	}
	return m, err
}

// ParseMessages reads a conversation: an array of messages, or a request that contains one and
// may have the system prompt beside it. It returns the API that the messages reveal.
func ParseMessages(data []byte) (messages []Message, api API, err error) {
	var value json.RawMessage
	if err := json.Unmarshal(data, &value); err != nil {
		return nil, anyAPI, fmt.Errorf("manual: a conversation must be JSON: %w", err)
	}
	list := rawjson.ParseArray(value)
	if request := rawjson.ParseObject(value); request != nil {
		given := request.First("messages", "input", "contents")
		list = rawjson.ParseArray(given)
		if rawjson.IsString(given) {
			list = [][]byte{rawjson.Make("role", User, "content", given).Append(nil)}
		}
		system := request.First(
			"system", "instructions", "systemInstruction", "system_instruction")
		key := "content"
		if o := rawjson.ParseObject(system); o.Has("parts") {
			key, system = "parts", o.Get("parts")
		}
		if list != nil && system != nil {
			message := rawjson.Make("role", System, key, system)
			list = slices.Insert(list, 0, message.Append(nil))
		}
	}
	if list == nil {
		return nil, anyAPI, errors.New("manual: a conversation must be an array of messages, " +
			"or an object with an array of messages")
	}
	for i, raw := range list {
		m, err := anyAPI.parse(raw)
		if err != nil {
			return nil, anyAPI, fmt.Errorf("manual: message %d: %w", i, err)
		}
		messages = append(messages, m)
	}
	return messages, apiOf(messages), nil
}

// apiOf returns the API that the messages reveal.
func apiOf(messages []Message) (api API) {
	for i := range messages {
		api = cmp.Or(api, messages[i].api)
	}
	return api
}

// hasTools reports whether there are calls or results in a message.
func (m *Message) hasTools() bool {
	return m.Role == ToolRole || slices.ContainsFunc(m.Parts, Part.isTool)
}

// inputOf returns arguments as the text of a JSON object.
func inputOf(input json.RawMessage) []byte {
	text := bytes.TrimSpace(input)
	if rawjson.IsString(text) && json.Valid(text) {
		text = bytes.TrimSpace([]byte(rawjson.Unquote(text)))
	}
	if rawjson.IsNull(text) {
		return []byte("{}")
	}
	return text
}

// isObject reports whether arguments are a JSON object.
func isObject(input json.RawMessage) bool {
	text := inputOf(input)
	return len(text) > 0 && text[0] == '{' && json.Valid(text)
}

// inputObject returns the arguments of a call as compact JSON.
func (p *Part) inputObject() []byte { return rawjson.Compact(inputOf(p.Input)) }

// isResult reports whether the part answers a call.
func (p Part) isResult() bool { return p.Kind == Result || p.Kind == Feedback }

// isTool reports whether the part is a call or answers one.
func (p Part) isTool() bool { return p.Kind == Call || p.isResult() }

// cacheMark returns the mark with which the prompt cache is to end with this part, or nil.
func (p *Part) cacheMark() []byte {
	if !bytes.Contains(p.Raw, []byte("cache_control")) {
		return nil
	}
	return rawjson.ParseObject(p.Raw).First("cache_control")
}
