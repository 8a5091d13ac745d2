package manual

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

// errApart is the error of a message that is several ones in its API.
var errApart = errors.New("manual: the API has no single message with these calls and results; " +
	"use API.AppendMessages")

// MarshalJSON writes the message in the shape of the API it was read from, or of chat completions.
// A message with results that this API writes as several messages is an error; see
// [API.AppendMessages]. The content is a string if it is one plain text, otherwise a list of parts.
func (m Message) MarshalJSON() ([]byte, error) {
	data, err := m.append(nil, m.api)
	if err == nil && !json.Valid(data) {
		return nil, errInvalid
	}
	return data, err
}

// errInvalid is the error of a message whose Raw, Input or Extra isn't JSON.
var errInvalid = errors.New("manual: a message contains invalid JSON")

// append writes the message in the shape of an API. Raw parts that were read from it are kept.
func (m *Message) append(dst []byte, api API) ([]byte, error) {
	if m.Role == "" && len(m.Parts) == 1 && m.Parts[0].Kind == Other && len(m.Extra) == 0 {
		return append(dst, m.Parts[0].Raw...), nil
	}
	w := messageWriter{m: m, api: api, keepRaw: api == m.api}
	if len(m.Parts) == 1 && api.isAlone(&m.Parts[0]) {
		return w.appendAlone(dst, &m.Parts[0]), nil
	}
	if err := w.sort(); err != nil {
		return nil, err
	}
	out := rawjson.Object{{Key: "role", Value: rawjson.Quote(w.role())}}
	if api == Gemini && m.Role == System {
		out = out[:0]
	}
	if m.both && api == AISDKUI {
		out = append(out, rawjson.Member{Key: "content", Value: rawjson.Quote(textOf(m.Parts))})
	}
	out = append(out, rawjson.Member{Key: w.contentKey(), Value: w.content()})
	for _, key := range slices.Sorted(maps.Keys(m.Extra)) {
		if out.Get(key) == nil {
			out = append(out, rawjson.Member{Key: key, Value: m.Extra[key]})
		}
	}
	if w.calls != nil {
		out = append(out, object("tool_calls", rawjson.AppendArray(nil, w.calls))...)
	}
	return out.Append(dst), nil
}

// textOf returns the texts of parts, each on a line of its own.
func textOf(parts []Part) string {
	var texts []string
	for i := range parts {
		if parts[i].Kind == Text {
			texts = append(texts, parts[i].Text)
		}
	}
	return strings.Join(texts, "\n")
}

// messageWriter writes one message.
type messageWriter struct {
	m       *Message
	api     API
	keepRaw bool // the parts' JSON has the API's shape

	calls    [][]byte // beside the content
	elements [][]byte // of the content
	plain    bool     // the content is one text without further members
}

// besideContent reports whether the API has calls beside the content.
func (api API) besideContent() bool {
	return api == AnyAPI || api == ChatCompletions || api == Ollama
}

// isAlone reports whether the API has a message of its own for a part.
func (api API) isAlone(p *Part) bool {
	return p.isResult() && (api.besideContent() || api == Responses) ||
		p.Kind == Call && api == Responses
}

// appendAlone writes a message that is a result, or an item of Responses.
func (w *messageWriter) appendAlone(dst []byte, p *Part) []byte {
	if w.keepRaw && p.Raw != nil {
		return append(dst, p.Raw...)
	}
	var out rawjson.Object
	switch {
	case w.api == Responses:
		out = rawjson.ParseObject(w.item(p))
	case w.api == Ollama:
		out = object("role", ToolRole, "tool_name", p.Name, "content", p.OutputText())
	default:
		out = object("role", ToolRole, "tool_call_id", p.ID, "content", p.OutputText())
	}
	for _, key := range slices.Sorted(maps.Keys(w.m.Extra)) {
		out = out.Set(key, w.m.Extra[key])
	}
	return out.Append(dst)
}

// sort distributes the parts to the content and the calls beside it.
func (w *messageWriter) sort() error {
	results := make(map[string]*Part) // of AISDKUI, which has them in the part of their call
	for i := range w.m.Parts {
		if p := &w.m.Parts[i]; p.isResult() && p.ID != "" {
			results[p.ID] = p
		}
	}
	calls := make(map[string]bool)
	for i := range w.m.Parts {
		p := &w.m.Parts[i]
		isKept := w.keepRaw && p.Raw != nil
		if p.Kind == Call && !isKept && !w.api.inputIsText() && !isObject(p.Input) {
			return fmt.Errorf("manual: the arguments of a call to %q aren't a JSON object", p.Name)
		}
		isTool := p.Kind == Call || p.isResult()
		switch {
		case isTool && isKept && !(w.api.besideContent() || w.api == Responses):
			w.elements = append(w.elements, p.Raw)
		case p.Kind == Call && w.api.besideContent():
			w.calls = append(w.calls, w.toolCall(p))
		case isTool && (w.api.besideContent() || w.api == Responses):
			return errApart
		case p.Kind == Call && w.api == AISDKUI:
			w.elements = append(w.elements, uiPart(p, results[p.ID]))
			calls[p.ID] = true
		case p.isResult() && w.api == AISDKUI && calls[p.ID]: // written with its call
		case p.isResult() && w.api == AISDKUI:
			return errApart
		case isTool:
			w.elements = append(w.elements, w.block(p))
		default:
			w.elements = append(w.elements, w.other(p))
		}
	}
	w.plain = len(w.elements) == 1 && w.m.Parts[0].Kind == Text && w.m.Parts[0].Raw == nil
	return nil
}

// role returns the role as the API has it.
func (w *messageWriter) role() string {
	switch {
	case w.api == Gemini && w.m.Role == Assistant:
		return "model"
	case w.api == Gemini || w.api == Anthropic && w.m.Role == ToolRole:
		return User
	}
	return w.m.Role
}

func (w *messageWriter) contentKey() string {
	if w.api == AISDKUI || w.api == Gemini {
		return "parts"
	}
	return "content"
}

// content returns the content: a string if it is one text, null if there are only calls beside it.
func (w *messageWriter) content() []byte {
	switch {
	case w.calls != nil && len(w.elements) == 0 && w.api == Ollama:
		return []byte(`""`)
	case w.calls != nil && len(w.elements) == 0:
		return []byte("null")
	case w.contentKey() == "parts":
	case w.plain:
		return rawjson.Quote(w.m.Parts[0].Text)
	case w.api == Ollama && !slices.ContainsFunc(w.m.Parts, isOther):
		return rawjson.Quote(textOf(w.m.Parts))
	}
	return rawjson.AppendArray(nil, w.elements)
}

func isOther(p Part) bool { return p.Kind == Other }

// other returns a part that is neither a call nor a result.
func (w *messageWriter) other(p *Part) []byte {
	if p.Kind == Other {
		return p.Raw
	}
	o := rawjson.ParseObject(p.Raw)
	if o == nil || w.api == Gemini && !w.keepRaw {
		return textPart(w.api, w.m.Role, p.Text)
	}
	if !w.keepRaw && w.api != AnyAPI {
		o = o.Set("type", rawjson.Quote(textType(w.api, w.m.Role)))
	}
	return o.Set("text", rawjson.Quote(p.Text)).Append(nil)
}

// textType returns the type of texts of a role.
func textType(api API, role string) string {
	switch {
	case api != Responses:
		return "text"
	case role == Assistant:
		return "output_text"
	}
	return "input_text"
}

// textPart returns a text as a part.
func textPart(api API, role, text string) []byte {
	if api == Gemini {
		return object("text", text).Append(nil)
	}
	return object("type", textType(api, role), "text", text).Append(nil)
}

// object returns an object with these keys and values, which are strings or JSON as []byte.
func object(pairs ...any) (o rawjson.Object) {
	for i := 0; i < len(pairs); i += 2 {
		m := rawjson.Member{Key: pairs[i].(string)}
		switch v := pairs[i+1].(type) {
		case string:
			m.Value = rawjson.Quote(v)
		case []byte:
			m.Value = v
		}
		o = append(o, m)
	}
	return o
}

// toolCall returns a call as an element of tool_calls.
func (w *messageWriter) toolCall(p *Part) []byte {
	if w.keepRaw && p.Raw != nil {
		return p.Raw
	}
	input := p.inputObject()
	if w.api == Ollama {
		function := object("name", p.Name, "arguments", input).Append(nil)
		return object("function", function).Append(nil)
	}
	function := object("name", p.Name, "arguments", string(input)).Append(nil)
	return object("id", p.ID, "type", "function", "function", function).Append(nil)
}

// item returns a call or result as an item of Responses.
func (w *messageWriter) item(p *Part) []byte {
	if p.Kind == Call {
		return object("type", "function_call", "call_id", p.ID, "name", p.Name,
			"arguments", p.InputText()).Append(nil)
	}
	return object("type", "function_call_output", "call_id", p.ID,
		"output", p.OutputText()).Append(nil)
}

// block returns a call or result as a part of a content.
func (w *messageWriter) block(p *Part) []byte {
	isCall := p.Kind == Call
	switch {
	case w.api == Gemini:
		return geminiPart(p)
	case isCall && w.api == Anthropic:
		return object("type", "tool_use", "id", p.ID, "name", p.Name,
			"input", p.inputObject()).Append(nil)
	case isCall:
		return object("type", "tool-call", "toolCallId", p.ID, "toolName", p.Name,
			"input", p.inputObject()).Append(nil)
	case w.api == Anthropic:
		o := object("type", "tool_result", "tool_use_id", p.ID, "content", p.OutputText())
		if p.isFailed() {
			o = o.Set("is_error", []byte("true"))
		}
		return o.Append(nil)
	}
	kind := "text"
	if p.isFailed() {
		kind = "error-text"
	}
	output := object("type", kind, "value", p.OutputText()).Append(nil)
	return object("type", "tool-result", "toolCallId", p.ID, "toolName", p.Name,
		"output", output).Append(nil)
}

// uiPart returns a call and its result, if there is one, as a part for user interfaces.
func uiPart(call, result *Part) []byte {
	o := object("type", "dynamic-tool", "toolName", call.Name, "toolCallId", call.ID,
		"state", "input-available", "input", call.inputObject())
	switch {
	case result == nil:
	case result.isFailed():
		o = o.Set("state", []byte(`"output-error"`))
		o = o.Set("errorText", rawjson.Quote(result.OutputText()))
	default:
		o = o.Set("state", []byte(`"output-available"`)).Set("output", result.outputJSON())
	}
	return o.Append(nil)
}

// geminiPart returns a call or result as a part of Gemini.
func geminiPart(p *Part) []byte {
	var o rawjson.Object
	if p.ID != "" {
		o = object("id", p.ID)
	}
	o = append(o, object("name", p.Name)...)
	if p.Kind == Call {
		o = o.Set("args", p.inputObject())
		return object("functionCall", o.Append(nil)).Append(nil)
	}
	key := "output"
	if p.isFailed() {
		key = "error"
	}
	o = o.Set("response", object(key, p.outputJSON()).Append(nil))
	return object("functionResponse", o.Append(nil)).Append(nil)
}

// inputIsText reports whether calls have their arguments as text, which need not be valid JSON.
func (api API) inputIsText() bool {
	return api == AnyAPI || api == ChatCompletions || api == Responses
}

// isObject reports whether arguments are a JSON object.
func isObject(input json.RawMessage) bool {
	text := inputOf(input)
	return len(text) > 0 && text[0] == '{' && json.Valid(text)
}

// inputObject returns the arguments of a call as compact JSON.
func (p *Part) inputObject() []byte { return rawjson.Compact(inputOf(p.Input)) }

// isResult reports whether the part answers a call.
func (p *Part) isResult() bool { return p.Kind == Result || p.Kind == Feedback }

// isFailed reports whether a result is an error.
func (p *Part) isFailed() bool { return p.Failed || p.Kind == Feedback }

// InputText returns the arguments of a call as compact JSON, or as they are if they aren't JSON.
func (p *Part) InputText() string { return string(p.inputObject()) }

// OutputText returns what a tool returned as text: Text, or Output as compact JSON.
func (p *Part) OutputText() string {
	if p.Output == nil {
		return p.Text
	}
	return string(rawjson.Compact(p.Output))
}

// outputJSON returns what a tool returned as JSON.
func (p *Part) outputJSON() []byte {
	if p.Output == nil {
		return rawjson.Quote(p.Text)
	}
	return p.Output
}
