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
)

// messageKeys are the members of a message with a meaning here, and answerKeys those of a tool
// message.
var (
	messageKeys = []string{"role", "content", "tool_calls", "function_call", "tool_call_id"}
	answerKeys  = slices.Concat(messageKeys, resultIDKeys, nameKeys, outputKeys,
		[]string{"is_error", "isError"})
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

// readMessage reads the message whose members are o, with the API that it reveals. Data is its
// JSON.
func readMessage(o rawjson.Object, data []byte) (m Message, err error) {
	if v := o.Get("role"); !rawjson.IsNull(v) && !rawjson.IsString(v) {
		return m, errors.New("the role of a message must be a string")
	}
	m.Role = o.Text("role")
	kind, api := kindOf(o.Text("type"))
	m.api = api
	hasContent := o.Get("content") != nil
	switch {
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
	m.Extra = extraOf(o, messageKeys)
	if answer.ID == "" && m.Role == ToolRole && m.readBody(o) == nil {
		isResult := func(p Part) bool { return p.Kind == Result }
		if len(m.Parts) == 1 {
			m.Parts[0].Name = cmp.Or(m.Parts[0].Name, answer.Name)
		}
		if slices.ContainsFunc(m.Parts, isResult) {
			return
		}
	}
	m.Role, m.Extra, m.Parts = ToolRole, extraOf(o, answerKeys), []Part{answer}
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

// readBody reads the parts of a message or its content: nothing, a string, or a list of parts.
func (m *Message) readBody(o rawjson.Object) error {
	content := o.Get("content")
	switch {
	case hasUIParts(o):
		m.reveals(AISDKUI)
		m.both = o.Has("content")
		delete(m.Extra, "parts")
		return m.readParts(o.Array("parts"))
	case rawjson.IsArray(content):
		return m.readParts(rawjson.ParseArray(content))
	case rawjson.IsString(content):
		m.Parts = append(m.Parts, Part{Kind: Text, Text: rawjson.Unquote(content)})
	case !rawjson.IsNull(content):
		return errors.New("the content of a message must be a string or a list")
	}
	return nil
}

// hasUIParts reports whether a message of the AI SDK has parts instead of a content, or a content
// that only repeats them. In other APIs, parts are something else.
func hasUIParts(o rawjson.Object) bool {
	content, parts := o.Get("content"), o.Array("parts")
	isUntyped := func(raw []byte) bool { return rawjson.ParseObject(raw).Text("type") == "" }
	if !rawjson.IsArray(o.Get("parts")) || slices.ContainsFunc(parts, isUntyped) {
		return false
	}
	return rawjson.IsNull(content) || rawjson.IsString(content) && len(parts) > 0
}

// stepStart is the type of the part that begins a step of the AI SDK: an answer of the model and
// the results of its calls.
const stepStart = "step-start"

// readParts reads a list of parts. The results in parts that also have the call come after all
// calls of their step, since calls of one step run in parallel. If no steps are marked, a step ends
// at the first part that isn't a tool's.
func (m *Message) readParts(list [][]byte) error {
	isMarked := false
	objects := make([]rawjson.Object, len(list))
	for i, raw := range list {
		objects[i] = rawjson.ParseObject(raw)
		isMarked = isMarked || objects[i].Text("type") == stepStart
	}
	var results []Part // of the step
	for i, raw := range list {
		o := objects[i]
		typ := o.Text("type")
		tool := readTool(o)
		endsStep := typ == stepStart || !isMarked && !strings.HasPrefix(typ, "tool-")
		if tool != nil { // the model may refer to what the provider executes next
			m.Parts, results = append(m.Parts, tool[0]), append(results, tool[1:]...)
			endsStep = string(o.Get("providerExecuted")) == "true"
		}
		if endsStep {
			m.Parts, results = append(m.Parts, results...), nil
		}
		if tool != nil {
			continue
		}
		p, err := m.readPart(o, raw)
		if err != nil {
			return err
		}
		m.Parts = append(m.Parts, p)
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
	if list := o.Array("toolInvocations"); list != nil { // in version 4 of the AI SDK
		delete(m.Extra, "toolInvocations")
		if !m.hasTools() { // otherwise they are the same calls
			for i, raw := range list {
				part := rawjson.Make("type", "tool-invocation", "toolInvocation", raw)
				list[i] = part.Append(nil)
			}
			m.readParts(list) // objects with a type
		}
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
//	{"type":"tool-invocation","toolInvocation":{"toolName":"getWeather","toolCallId":"1",
//	 "state":"result","args":{…},"result":…}}
//
// It returns nil for any other part, and for one whose arguments are still arriving.
func readTool(o rawjson.Object) []Part {
	name, isNamed := strings.CutPrefix(o.Text("type"), "tool-")
	state := o.Text("state")
	switch invocation := o.Get("toolInvocation"); {
	case name == "dynamic-tool":
		name = o.Text("toolName")
	case name == "invocation" && invocation != nil:
		o = rawjson.ParseObject(invocation)
		name, state = o.Text("toolName"), cmp.Or(o.Text("state"), "call")
		if o == nil {
			return []Part{{Kind: Call, Input: invocation}}
		}
	case !isNamed || name == "" || o.Get("toolName") != nil:
		return nil
	}
	call := Part{Kind: Call, ID: o.ID("toolCallId"), Name: name, Input: o.First(inputKeys...)}
	answer := Part{Kind: Result, ID: call.ID, Name: name}
	approval := o.Object("approval")
	hasOutput := o.Get("output") != nil || o.Get("result") != nil
	switch {
	case state == "" || state == "input-streaming" || state == "partial-call":
		return nil
	case state == "output-error" || o.Has("errorText"):
		answer.Failed = true
		answer.setOutput(o.Get("errorText"))
	case state == "output-available" || state == "result" || hasOutput:
		answer.setOutput(o.First("output", "result"))
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

// readResult reads a result, or a tool message as one result.
func readResult(o rawjson.Object, raw []byte) Part {
	typ := o.Text("type")
	p := Part{Kind: Result, ID: o.ID(resultIDKeys...), Name: rawjson.Text(o.First(nameKeys...)),
		Raw: raw, Failed: typ == "tool-error"}
	for _, key := range [...]string{"is_error", "isError"} {
		p.Failed = p.Failed || string(o.Get(key)) == "true"
	}
	isTyped := typ == "tool-result" && o.First("result", "error", "text") == nil
	if isTyped && p.readTyped(o.Object("output")) {
		return p
	}
	repeats := strings.HasPrefix(typ, "tool-") && o.First("output", "result", "error") != nil
	var values [][]byte
	for _, key := range outputKeys {
		if repeats && (key == "content" || key == "parts") {
			continue // it may repeat the output for people
		}
		v := o.Get(key)
		isSame := func(other []byte) bool { return bytes.Equal(v, other) }
		if !rawjson.IsNull(v) && string(v) != `""` && !slices.ContainsFunc(values, isSame) {
			values = append(values, v)
		}
	}
	p.setOutput(joinOutputs(values))
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
	role := o.Text("role")
	if o.Get("content") != nil || role == "model" {
		return role == "model"
	}
	parts := geminiParts(o)
	isTool := role == ToolRole || role == functionRole
	for _, raw := range parts {
		part := rawjson.ParseObject(raw)
		if part == nil || part.Get("type") != nil {
			return false
		}
		isTool = isTool && !part.Has("functionResponse")
	}
	return len(parts) > 0 && !isTool && o.ID(resultIDKeys...) == ""
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
func readGemini(o rawjson.Object) Message {
	m := Message{Role: o.Text("role"), Extra: extraOf(o, messageKeys), api: Gemini}
	delete(m.Extra, "parts")
	switch m.Role {
	case "model":
		m.Role = Assistant
	case "", functionRole, ToolRole: // the part shows that it is a result
		m.Role = User
	}
	for _, raw := range geminiParts(o) {
		part := rawjson.ParseObject(raw)
		call, result := part.Object("functionCall"), part.Object("functionResponse")
		p := Part{Kind: Other, Raw: raw}
		switch {
		case call != nil:
			p = readCall(call, raw)
		case result != nil:
			m.readGeminiResult(result, raw)
			continue
		case rawjson.IsString(part.Get("text")) && string(part.Get("thought")) != "true":
			p = Part{Kind: Text, Text: part.Text("text")}
			if len(part) > 1 {
				p.Raw = raw
			}
		}
		m.Parts = append(m.Parts, p)
	}
	return m
}

// readGeminiResult reads a functionResponse: the result, and the media beside it. A response may
// have what a tool returned as its only member.
func (m *Message) readGeminiResult(o rawjson.Object, raw []byte) {
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
		if isGeminiMedia(raw) {
			media = append(media, Part{Kind: Other, Raw: raw})
		} else {
			rest = append(rest, raw)
		}
	}
	if rest != nil {
		whole := rawjson.Make("response", o.Get("response"), "parts", rest)
		if !o.Has("response") {
			whole = whole[1:]
		}
		output = whole.Append(nil)
	}
	p.setOutput(output)
	m.Parts = append(append(m.Parts, p), media...)
}

// isGeminiMedia reports whether a part is an image, a sound or a file without any text, so that it
// may be part of a user's message unchanged.
func isGeminiMedia(raw []byte) bool {
	part := rawjson.ParseObject(raw)
	if len(part) != 1 || bytes.ContainsAny(raw, `<\`) {
		return false
	}
	key := part[0].Key
	isMedia := key == "inlineData" || key == "fileData"
	return isMedia && part.Object(key).Only("mimeType", "data", "fileUri")
}
