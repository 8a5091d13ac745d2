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
// of each member, the most specific first.
var (
	callIDKeys   = []string{"toolCallId", "call_id", "id"}
	resultIDKeys = []string{"tool_call_id", "toolCallId", "tool_use_id", "call_id"}
	callNames    = []string{"toolName", "name"}
	resultNames  = []string{"toolName", "tool_name", "name"}
	inputKeys    = []string{"input", "args", "arguments"}
)

// resultKeys are the members of a tool message that become fields of its result.
var resultKeys = []string{
	"text", "name", "tool_name", "toolName", "call_id", "toolCallId", "tool_use_id", "output",
	"result", "error", "parts", "is_error", "isError",
}

// functionRole is the role of results in the first version of chat completions.
const functionRole = "function"

// kindOf returns the kind of a part with that type: Call, Result, Text or Other.
func kindOf(typ string) PartKind {
	switch typ {
	case "text", "input_text", "output_text": // the latter two in Responses
		return Text
	case "tool_use", "tool-call", "function_call", "custom_tool_call":
		return Call
	case "tool_result", "tool-result", "tool-error", "function_call_output",
		"custom_tool_call_output":
		return Result
	}
	return Other
}

// readMessage reads the message whose members are o. Data is its JSON.
func readMessage(o rawjson.Object, data []byte) (Message, error) {
	content, role := o.Get("content"), o.Text("role")
	if v := o.Get("role"); !rawjson.IsNull(v) && !rawjson.IsString(v) {
		return Message{}, errors.New("the role of a message must be a string")
	}
	kind := kindOf(o.Text("type"))
	switch {
	case kind == Call && content == nil:
		return Message{Role: Assistant, Parts: []Part{readCall(o, data)}}, nil
	case kind == Result:
		return Message{Role: ToolRole, Parts: []Part{readResult(o, data)}}, nil
	case role == "" && content == nil:
		return Message{Parts: []Part{{Kind: Other, Raw: data}}}, nil
	}
	m := Message{Role: role, Extra: extraOf(o)}
	if role == functionRole {
		m.Role = ToolRole
	}
	var tool string
	if m.Role == ToolRole {
		p, isWhole := readAnswer(o, data)
		if isWhole || p.ID != "" || role == functionRole || !holdsResults(o) {
			p.Raw = data
			m.Parts = []Part{p}
			if isWhole {
				m.Extra = nil
			}
			for _, key := range resultKeys {
				delete(m.Extra, key)
			}
			return m, nil
		}
		tool = p.Name
	}
	if err := m.readBody(o); err != nil {
		return m, err
	}
	if len(m.Parts) == 1 && m.Parts[0].Kind == Result {
		m.Parts[0].Name = cmp.Or(m.Parts[0].Name, tool)
	}
	m.readCalls(o)
	return m, nil
}

// extraOf returns the members of a message that have no meaning here.
func extraOf(o rawjson.Object) (extra map[string]json.RawMessage) {
	for _, m := range o {
		switch m.Key {
		case "role", "content", "tool_calls", "function_call", "tool_call_id":
			continue
		}
		if extra == nil {
			extra = make(map[string]json.RawMessage, 2)
		}
		extra[m.Key] = m.Value
	}
	return extra
}

// holdsResults reports whether a message contains results as parts.
func holdsResults(o rawjson.Object) bool {
	for _, key := range [...]string{"content", "parts"} {
		list, _ := typedList(o.Get(key))
		isResult := func(p rawjson.Object) bool { return kindOf(p.Text("type")) == Result }
		if slices.ContainsFunc(list, isResult) {
			return true
		}
	}
	return false
}

// typedList reads a list of objects that all have a type. In other APIs, parts are something else.
func typedList(data []byte) (list []rawjson.Object, ok bool) {
	if !rawjson.IsArray(data) {
		return nil, false
	}
	for _, raw := range rawjson.ParseArray(data) {
		o := rawjson.ParseObject(raw)
		if o.Text("type") == "" {
			return nil, false
		}
		list = append(list, o)
	}
	return list, true
}

// hasUIParts reports whether a message of the AI SDK has parts instead of a content, or a content
// that only repeats them.
func hasUIParts(o rawjson.Object) bool {
	content := o.Get("content")
	list, ok := typedList(o.Get("parts"))
	return ok && (rawjson.IsNull(content) || rawjson.IsString(content) && len(list) > 0)
}

// readBody reads the parts or the content of a message.
func (m *Message) readBody(o rawjson.Object) error {
	if !hasUIParts(o) {
		return m.readContent(o.Get("content"))
	}
	m.both = o.Has("content")
	delete(m.Extra, "parts")
	return m.readParts(o.Array("parts"))
}

// readContent reads a content: nothing, a string, or a list of parts.
func (m *Message) readContent(content []byte) error {
	switch {
	case rawjson.IsNull(content):
		return nil
	case rawjson.IsString(content):
		m.Parts = append(m.Parts, Part{Kind: Text, Text: rawjson.Unquote(content)})
		return nil
	case !rawjson.IsArray(content):
		return errors.New("the content of a message must be a string or a list")
	}
	return m.readParts(rawjson.ParseArray(content))
}

// readPart reads an element of a content that isn't a call and its result in one.
func readPart(raw []byte) (Part, error) {
	if rawjson.IsString(raw) {
		return Part{Kind: Text, Text: rawjson.Unquote(raw)}, nil
	}
	o := rawjson.ParseObject(raw)
	if o == nil {
		return Part{}, errors.New("a part of a message must be an object with a type")
	}
	typ := o.Text("type")
	var p Part
	switch kindOf(typ) {
	case Call:
		p = readCall(o, raw)
		p.Cache = o.Get("cache_control")
	case Result:
		p = readResult(o, raw)
		p.Cache = o.Get("cache_control")
	case Other:
		p = Part{Kind: Other, Raw: raw}
	default:
		text := o.Get("text")
		if !rawjson.IsNull(text) && !rawjson.IsString(text) {
			return p, errors.New("the text of a part must be a string")
		}
		p.Text = rawjson.Text(text)
		if len(o) > 2 || typ != "text" {
			p.Raw = raw
		}
	}
	return p, nil
}

// fields reads members of certain types, and notes whether one has another type.
type fields struct {
	rawjson.Object
	wrong bool
}

// text returns the first string of the keys that isn't empty.
func (f *fields) text(keys ...string) (text string) {
	for _, key := range keys {
		v := f.Get(key)
		f.wrong = f.wrong || !rawjson.IsNull(v) && !rawjson.IsString(v)
		text = cmp.Or(text, rawjson.Text(v))
	}
	return text
}

// flag reports whether one of the keys is true.
func (f *fields) flag(keys ...string) (is bool) {
	for _, key := range keys {
		switch string(f.Get(key)) {
		case "true":
			is = true
		case "", "false", "null":
		default:
			f.wrong = true
		}
	}
	return is
}

// idOf returns the first ID of the keys.
func idOf(o rawjson.Object, keys []string) string {
	for _, key := range keys {
		if id := o.ID(key); id != "" {
			return id
		}
	}
	return ""
}

// readCall reads a call. If a member has the wrong type, the whole JSON is the input.
func readCall(o rawjson.Object, raw []byte) Part {
	f := fields{Object: o}
	p := Part{Kind: Call, ID: idOf(o, callIDKeys), Name: f.text(callNames...), Raw: raw}
	p.Input = o.First(inputKeys...)
	if f.wrong {
		p.Name, p.Input = "", raw
	}
	return p
}

// readResult reads a result. If a member has the wrong type, the whole JSON is the output.
func readResult(o rawjson.Object, raw []byte) Part {
	p, _ := readAnswer(o, raw)
	p.Raw = raw
	return p
}

// readAnswer reads a result or a tool message as one result; isWhole is true if all of its JSON is
// the output, because a member has the wrong type.
func readAnswer(o rawjson.Object, raw []byte) (p Part, isWhole bool) {
	f := fields{Object: o}
	typ := f.text("type")
	p = Part{Kind: Result, ID: idOf(o, resultIDKeys), Name: f.text(resultNames...)}
	p.Failed = f.flag("is_error", "isError") || typ == "tool-error"
	text := f.text("text")
	if f.wrong {
		p.Output = raw
		return p, true
	}
	other, output := o.First("result", "error"), o.Get("output")
	if typ == "tool-result" && other == nil && text == "" && p.readTyped(output) {
		return p, false
	}
	var said [][]byte
	if text != "" {
		said = append(said, rawjson.Quote(text))
	}
	repeats := strings.HasPrefix(typ, "tool-") && (other != nil || !rawjson.IsNull(output))
	for _, key := range [...]string{"content", "output", "result", "error", "parts"} {
		if repeats && (key == "content" || key == "parts") {
			continue // it may repeat the output for people
		}
		v := o.Get(key)
		isSame := func(other []byte) bool { return bytes.Equal(v, other) }
		if !rawjson.IsNull(v) && !slices.ContainsFunc(said, isSame) {
			said = append(said, v)
		}
	}
	p.setOutput(joinOutputs(said))
	return p, false
}

// setOutput sets what a tool returned: a string is text.
func (p *Part) setOutput(value []byte) {
	p.Text = rawjson.Text(value)
	if !rawjson.IsString(value) && !rawjson.IsNull(value) {
		p.Output = value
	}
}

// joinOutputs returns several values as a list of parts, and a single one as it is.
func joinOutputs(values [][]byte) []byte {
	switch len(values) {
	case 0:
		return nil
	case 1:
		return values[0]
	}
	var parts [][]byte
	for _, v := range values {
		texts, others, ok := contentParts(v)
		if !ok && rawjson.IsString(v) {
			texts = []string{rawjson.Unquote(v)}
		} else if !ok {
			texts = []string{string(rawjson.Compact(v))}
		}
		for _, text := range texts {
			parts = append(parts, AnyAPI.textPart("", text))
		}
		for i := range others {
			parts = append(parts, others[i].Raw)
		}
	}
	return rawjson.AppendArray(nil, parts)
}

// readTyped reads the typed output of the AI SDK. It returns false for any other, and for one with
// further members, which would be lost.
func (p *Part) readTyped(output []byte) bool {
	o := rawjson.ParseObject(output)
	if o == nil || !o.Only("type", "value", "reason", "providerOptions") {
		return false
	}
	value := o.Get("value")
	switch o.Text("type") {
	case "execution-denied":
		p.Text, p.Failed = denied(o.Text("reason")), true
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

// readCalls reads the calls beside the content of a message. One that cannot be read is still a
// call, with all of its JSON as input.
func (m *Message) readCalls(o rawjson.Object) {
	calls := o.Get("tool_calls")
	list := rawjson.ParseArray(calls)
	if list == nil && !rawjson.IsNull(calls) {
		list = [][]byte{calls}
	}
	for _, raw := range list {
		m.Parts = append(m.Parts, readToolCall(raw))
	}
	if list := o.Array("toolInvocations"); list != nil {
		delete(m.Extra, "toolInvocations")
		if !m.hasTools() { // otherwise they are the same calls
			m.readInvocations(list)
		}
	}
	if raw := o.Get("function_call"); !rawjson.IsNull(raw) {
		p := Part{Kind: Call, Input: raw}
		f := fields{Object: rawjson.ParseObject(raw)}
		if name := f.text("name"); f.Object != nil && !f.wrong {
			p.Name, p.Input = name, f.Get("arguments")
		}
		m.Parts = append(m.Parts, p)
	}
}

// readToolCall reads an element of tool_calls.
func readToolCall(raw []byte) Part {
	o := rawjson.ParseObject(raw)
	p := Part{Kind: Call, ID: o.ID("id"), Input: raw, Raw: raw}
	for _, kind := range [...]struct{ key, input string }{
		{"function", "arguments"}, {"custom", "input"},
	} {
		f := fields{Object: o.Object(kind.key)}
		if name := f.text("name"); f.Object != nil && !f.wrong {
			p.Name, p.Input = name, f.Get(kind.input)
			break
		}
	}
	return p
}
