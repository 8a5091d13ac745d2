package manual

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

// APIs name the same things differently. Messages of all of them are read alike, by the spellings
// of each member, the most specific first. A member of a wrong type counts as missing.
var (
	callIDKeys   = []string{"toolCallId", "call_id", "id"}
	resultIDKeys = []string{"tool_call_id", "toolCallId", "tool_use_id", "call_id"}
	nameKeys     = []string{"toolName", "tool_name", "name"}
	inputKeys    = []string{"input", "args", "arguments", "rawInput"}
	outputKeys   = []string{"text", "content", "output", "result", "error", "parts"}
	failedKeys   = []string{"is_error", "isError"}
)

// messageKeys are the members of a message with a meaning here, and answerKeys those of a tool
// message.
var (
	messageKeys = []string{"role", "content", "tool_calls", "function_call", "tool_call_id"}
	answerKeys  = slices.Concat(messageKeys, resultIDKeys, nameKeys, outputKeys, failedKeys)
)

// functionRole is the role of results in the first version of chat completions.
const functionRole = "function"

// partTypes are the types of texts, calls and results, each with the API that has it if there is
// only one.
var partTypes = map[string]struct {
	kind PartKind
	api  API
}{
	"text": {}, "input_text": {}, "output_text": {},
	"function_call": {Call, Responses}, "function_call_output": {Result, Responses},
	"custom_tool_call": {Call, Responses}, "custom_tool_call_output": {Result, Responses},
	"tool_use": {Call, Anthropic}, "tool_result": {Result, Anthropic},
	"tool-call": {Call, AISDK}, "tool-result": {Result, AISDK}, "tool-error": {Result, AISDK},
}

// kindOf returns the kind of a part of that type, and the API that it reveals.
func kindOf(typ string) (PartKind, API) {
	if t, known := partTypes[typ]; known {
		return t.kind, t.api
	}
	return Other, anyAPI
}

// parse reads a message. If the API isn't known, the message may reveal it.
func (api API) parse(data []byte) (m Message, err error) {
	data = bytes.TrimSpace(data)
	o := rawjson.ParseObject(data)
	role, hasContent := o.Get("role"), o.Get("content") != nil
	kind, own := kindOf(o.Text("type"))
	m.Role, m.api = o.Text("role"), cmp.Or(api, own)
	switch {
	case o == nil:
		err = errors.New("a message must be an object with a role and a content")
	case api == Gemini || api == anyAPI && isGemini(o):
		m.readGemini(o)
	case !rawjson.IsNull(role) && !rawjson.IsString(role):
		err = errors.New("the role of a message must be a string")
	case kind == Call && !hasContent:
		m.Role, m.Parts = Assistant, []Part{readCall(o, data)}
	case kind == Result:
		m.Role, m.Parts = ToolRole, []Part{readResult(o, data)}
	case m.Role == "" && !hasContent:
		m.Parts = []Part{{Kind: Other, Raw: data}}
	case m.Role == ToolRole || m.Role == functionRole:
		m.readAnswer(o, data)
	default:
		m.Extra = extraOf(o, messageKeys)
		err = m.readBody(o)
		m.readCalls(o)
	}
	return m, err
}

// readAnswer reads a tool message: a list with results, or one result.
func (m *Message) readAnswer(o rawjson.Object, data []byte) {
	answer := readResult(o, data)
	m.Role, m.Extra = ToolRole, extraOf(o, messageKeys)
	isResult := func(p Part) bool { return p.Kind == Result }
	if answer.ID == "" && m.readBody(o) == nil && slices.ContainsFunc(m.Parts, isResult) {
		if len(m.Parts) == 1 {
			m.Parts[0].Name = cmp.Or(m.Parts[0].Name, answer.Name)
		}
		return
	}
	m.Extra, m.Parts = extraOf(o, answerKeys), []Part{answer}
	if o.Has("tool_call_id") {
		m.reveals(ChatCompletions)
	} else if o.Has("tool_name") {
		m.reveals(Ollama)
	}
}

// reveals sets the API of the message, if it isn't known yet.
func (m *Message) reveals(api API) { m.api = cmp.Or(m.api, api) }

// extraOf returns the members of a message that have no meaning here: all but these.
func extraOf(o rawjson.Object, known []string) (extra map[string]json.RawMessage) {
	for _, m := range o {
		if slices.Contains(known, m.Key) {
			continue
		}
		if extra == nil {
			extra = make(map[string]json.RawMessage, 2)
		}
		extra[m.Key] = m.Value
	}
	return extra
}

// readBody reads the parts of a message or its content: nothing, a string, or a list of parts. A
// message of the AI SDK with parts may repeat their texts as content.
func (m *Message) readBody(o rawjson.Object) error {
	content, parts := o.Get("content"), o.Get("parts")
	isText := rawjson.IsString(content)
	switch {
	case rawjson.IsArray(content):
		return m.readParts(rawjson.ParseArray(content))
	case rawjson.IsArray(parts) && !(isText && len(rawjson.ParseArray(parts)) == 0):
		m.reveals(AISDKUI)
		m.Extra = extraOf(o, []string{"role", "parts"})
		return m.readParts(rawjson.ParseArray(parts))
	case isText:
		m.Parts = append(m.Parts, Part{Kind: Text, Text: rawjson.Unquote(content)})
	case !rawjson.IsNull(content):
		return errors.New("the content of a message must be a string or a list")
	}
	return nil
}

// readParts reads a list of parts. Calls in parts that follow each other run in parallel, so the
// results in these parts come after all of the calls.
func (m *Message) readParts(list [][]byte) error {
	var results []Part
	for _, raw := range list {
		o := rawjson.ParseObject(raw)
		if tool := readTool(o); tool != nil {
			m.Parts, results = append(m.Parts, tool[0]), append(results, tool[1:]...)
			continue
		}
		p, err := m.readPart(o, raw)
		if err != nil {
			return err
		}
		m.Parts, results = append(append(m.Parts, results...), p), nil
	}
	m.Parts = append(m.Parts, results...)
	return nil
}

// readPart reads an element of a content that isn't a call and its result in one.
func (m *Message) readPart(o rawjson.Object, raw []byte) (p Part, err error) {
	if rawjson.IsString(raw) {
		return Part{Kind: Text, Text: rawjson.Unquote(raw)}, nil
	} else if o == nil {
		return p, errors.New("a part of a message must be an object with a type")
	}
	typ := o.Text("type")
	kind, api := kindOf(typ)
	m.reveals(api)
	switch kind {
	case Call:
		return readCall(o, raw), nil
	case Result:
		return readResult(o, raw), nil
	case Other:
		return Part{Kind: Other, Raw: raw}, nil
	}
	text := o.Get("text")
	if !rawjson.IsNull(text) && !rawjson.IsString(text) {
		return p, errors.New("the text of a part must be a string")
	}
	p.Text = rawjson.Text(text)
	if len(o) > 2 || typ != "text" {
		p.Raw = raw
	}
	return p, nil
}

// readCall reads a call. If it has no name, the whole JSON is the input.
func readCall(o rawjson.Object, raw []byte) Part {
	p := Part{Kind: Call, ID: o.ID(callIDKeys...), Name: rawjson.Text(o.First(nameKeys...)),
		Input: o.First(inputKeys...), Raw: raw}
	if p.Name == "" {
		p.Input = raw
	}
	return p
}

// readCalls reads the calls beside the content of a message. One that cannot be read is still a
// call, with all of its JSON as input.
func (m *Message) readCalls(o rawjson.Object) {
	calls := o.Get("tool_calls")
	list := rawjson.ParseArray(calls)
	if list == nil && !rawjson.IsNull(calls) {
		list = [][]byte{calls}
	}
	for _, raw := range list {
		call := rawjson.ParseObject(raw)
		p := readCall(rawjson.ParseObject(call.First("function", "custom")), raw)
		p.ID = call.ID("id")
		m.Parts = append(m.Parts, p)
		if p.ID == "" && call.Object("function").Object("arguments") != nil {
			m.reveals(Ollama)
		}
		m.reveals(ChatCompletions)
	}
	if raw := o.Get("function_call"); !rawjson.IsNull(raw) {
		p := readCall(rawjson.ParseObject(raw), raw)
		p.Raw = nil
		m.Parts = append(m.Parts, p)
		m.reveals(ChatCompletions)
	}
}

// readTool reads a part of the AI SDK with a call and, once there is one, its result:
//
//	{"type":"tool-getWeather","toolCallId":"1","state":"output-available","input":{…},"output":…}
//	{"type":"dynamic-tool","toolName":"getWeather","toolCallId":"1","state":"output-error",
//	 "input":{…},"errorText":"…"}
//
// It returns nil for any other part, and for one whose arguments are still arriving.
func readTool(o rawjson.Object) []Part {
	typ, state := o.Text("type"), o.Text("state")
	name, isNamed := strings.CutPrefix(typ, "tool-")
	if typ == "dynamic-tool" {
		name = o.Text("toolName")
	} else if !isNamed || name == "" || o.Has("toolName") {
		return nil
	}
	call := Part{Kind: Call, ID: o.ID("toolCallId"), Name: name, Input: o.First(inputKeys...)}
	answer := Part{Kind: Result, ID: call.ID, Name: name}
	approval := o.Object("approval")
	switch {
	case state == "" || state == "input-streaming":
		return nil
	case state == "output-error" || o.Has("errorText"):
		answer.Failed = true
		answer.setOutput(o.Get("errorText"))
	case state == "output-available" || o.Has("output"):
		answer.setOutput(o.Get("output"))
	case state == "output-denied" || string(approval.Get("approved")) == "false":
		answer.Failed, answer.Text = true, denied(approval.Text("reason"))
	default:
		return []Part{call}
	}
	return []Part{call, answer}
}

// denied returns the result of a call that the user didn't allow.
func denied(reason string) string {
	return strings.TrimSuffix(userRefused+reason, ": ")
}

// readResult reads a result, or a tool message as one result. If several members have an output,
// all of them are the output.
func readResult(o rawjson.Object, raw []byte) Part {
	typ := o.Text("type")
	p := Part{Kind: Result, ID: o.ID(resultIDKeys...), Name: rawjson.Text(o.First(nameKeys...)),
		Raw: raw, Failed: typ == "tool-error" || string(o.First(failedKeys...)) == "true"}
	var outputs rawjson.Object
	for _, key := range outputKeys {
		if v := o.Get(key); !rawjson.IsNull(v) && string(v) != `""` {
			outputs = append(outputs, rawjson.Member{Key: key, Value: v})
		}
	}
	switch {
	case len(outputs) > 1:
		p.setOutput(outputs.Append(nil))
	case len(outputs) == 1 && (typ != "tool-result" || !p.readTyped(o.Object("output"))):
		p.setOutput(outputs[0].Value)
	}
	return p
}

// readTyped reads the typed output of the AI SDK. It returns false for any other, and for one with
// further members, which would be lost.
func (p *Part) readTyped(output rawjson.Object) bool {
	if !output.Only("type", "value", "reason", "providerOptions") {
		return false
	}
	value := output.Get("value")
	switch output.Text("type") {
	case "execution-denied":
		p.Text, p.Failed = denied(output.Text("reason")), true
		return true
	case "error-text", "error-json":
		p.Failed = true
	case "text", "json", "content":
	default:
		return false
	}
	p.setOutput(value)
	return value != nil
}

// The contents of Gemini are a role, and parts without types:
//
//	{"role":"model","parts":[{"text":"…"},{"functionCall":{"name":"getWeather","args":{…}}}]}
//	{"role":"user","parts":[{"functionResponse":{"name":"getWeather","response":{…}}}]}

// isGemini reports whether a message is a content of Gemini: its parts are objects without a type,
// or it is the model's.
func isGemini(o rawjson.Object) bool {
	if o.Get("content") != nil || o.Text("role") == "model" {
		return o.Text("role") == "model"
	}
	parts := geminiParts(o)
	hasType := func(raw []byte) bool { return rawjson.ParseObject(raw).Get("type") != nil }
	return len(parts) > 0 && !slices.ContainsFunc(parts, hasType)
}

// geminiParts returns the parts of a content. The API also takes a single part.
func geminiParts(o rawjson.Object) [][]byte {
	value := o.Get("parts")
	if len(value) > 0 && value[0] == '{' {
		return [][]byte{value}
	}
	return rawjson.ParseArray(value)
}

// readGemini reads a content.
func (m *Message) readGemini(o rawjson.Object) {
	m.Extra, m.api = extraOf(o, append(messageKeys, "parts")), Gemini
	switch m.Role {
	case "model":
		m.Role = Assistant
	case "", functionRole, ToolRole: // the part shows that it is a result
		m.Role = User
	}
	for _, raw := range geminiParts(o) {
		part := rawjson.ParseObject(raw)
		call, result := part.Object("functionCall"), part.Object("functionResponse")
		switch {
		case call != nil:
			m.Parts = append(m.Parts, readCall(call, raw))
		case result != nil:
			m.Parts = append(m.Parts, readGeminiResult(result, raw)...)
		case rawjson.IsString(part.Get("text")) && string(part.Get("thought")) != "true":
			p := Part{Kind: Text, Text: part.Text("text")}
			if len(part) > 1 {
				p.Raw = raw
			}
			m.Parts = append(m.Parts, p)
		default:
			m.Parts = append(m.Parts, Part{Kind: Other, Raw: raw})
		}
	}
}

// readGeminiResult reads a functionResponse: the result, and the media beside it, which can be part
// of a user's message unchanged unless a tag may be in them. A response may have what a tool
// returned as its only member.
func readGeminiResult(o rawjson.Object, raw []byte) []Part {
	p := Part{Kind: Result, ID: o.ID("id"), Name: o.Text("name"), Raw: raw}
	output := o.Get("response")
	if response := rawjson.ParseObject(output); len(response) == 1 {
		switch key := response[0].Key; key {
		case "output", "result", "content", "error":
			output, p.Failed = response[0].Value, key == "error"
		}
	}
	var media []Part
	var rest [][]byte
	for _, raw := range o.Array("parts") {
		inner := geminiMedia(rawjson.ParseObject(raw))
		if inner != nil && !bytes.ContainsAny(raw, `<\`) {
			media = append(media, Part{Kind: Other, Raw: raw})
		} else {
			rest = append(rest, raw)
		}
	}
	if rest != nil {
		output = slices.Clone(o).With("parts", rest).Without("id", "name").Append(nil)
	}
	p.setOutput(output)
	return append([]Part{p}, media...)
}

// geminiMedia returns the image, the sound or the file that a part is, or nil if it is any other.
func geminiMedia(part rawjson.Object) rawjson.Object {
	inner := rawjson.ParseObject(part.First("inlineData", "fileData"))
	if len(part) != 1 || !inner.Only("mimeType", "data", "fileUri", "displayName") {
		return nil
	}
	return inner
}
