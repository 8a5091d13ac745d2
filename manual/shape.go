package manual

import (
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

// A shape is how an API writes calls and results: JSON with $ before what differs. The input is an
// object, or text under $inputText; the output is JSON, or text under $outputText.
type shape struct {
	call, result string
	failed       string // a result that is an error, if it differs
}

var shapes = [...]shape{
	AnyAPI:          chatShape,
	ChatCompletions: chatShape,
	Responses: {
		call:   `{"type":"function_call","call_id":$id,"name":$name,"arguments":$inputText}`,
		result: `{"type":"function_call_output","call_id":$id,"output":$outputText}`,
	},
	Anthropic: {
		call:   `{"type":"tool_use","id":$id,"name":$name,"input":$input}`,
		result: `{"type":"tool_result","tool_use_id":$id,"content":$outputText}`,
		failed: `{"type":"tool_result","tool_use_id":$id,"content":$outputText,"is_error":true}`,
	},
	AISDK: {
		call: `{"type":"tool-call","toolCallId":$id,"toolName":$name,"input":$input}`,
		result: `{"type":"tool-result","toolCallId":$id,"toolName":$name,` +
			`"output":{"type":"text","value":$outputText}}`,
		failed: `{"type":"tool-result","toolCallId":$id,"toolName":$name,` +
			`"output":{"type":"error-text","value":$outputText}}`,
	},
	AISDKUI: { // a result contains its call
		call:   uiPart + `"state":"input-available","input":$input}`,
		result: uiPart + `"state":"output-available","input":$input,"output":$output}`,
		failed: uiPart + `"state":"output-error","input":$input,"errorText":$outputText}`,
	},
	Gemini: {
		call:   `{"functionCall":{"id":$id,"name":$name,"args":$input}}`,
		result: `{"functionResponse":{"id":$id,"name":$name,"response":{"output":$output}}}`,
		failed: `{"functionResponse":{"id":$id,"name":$name,"response":{"error":$output}}}`,
	},
	Ollama: {
		call:   `{"function":{"name":$name,"arguments":$input}}`,
		result: `{"role":"tool","tool_name":$name,"content":$outputText}`,
	},
}

var chatShape = shape{
	call:   `{"id":$id,"type":"function","function":{"name":$name,"arguments":$inputText}}`,
	result: `{"role":"tool","tool_call_id":$id,"content":$outputText}`,
}

const uiPart = `{"type":"dynamic-tool","toolName":$name,"toolCallId":$id,`

// besideContent reports whether the API has calls beside the content.
func (api API) besideContent() bool {
	return api == AnyAPI || api == ChatCompletions || api == Ollama
}

// isAlone reports whether the API has a message of its own for a part.
func (api API) isAlone(p *Part) bool {
	return p.isResult() && (api.besideContent() || api == Responses) ||
		p.Kind == Call && api == Responses
}

// inputIsText reports whether calls have their arguments as text, which need not be valid JSON.
func (api API) inputIsText() bool { return strings.Contains(shapes[api].call, "$inputText") }

// contentKey returns the key of the list of parts.
func (api API) contentKey() string {
	if api == AISDKUI || api == Gemini {
		return "parts"
	}
	return "content"
}

// role returns a role as the API has it.
func (api API) role(role string) string {
	switch {
	case api == Gemini && role == Assistant:
		return "model"
	case api == Gemini || api == Anthropic && role == ToolRole:
		return User
	}
	return role
}

// tool returns a call or a result as JSON. Where a result contains its call, that is the call.
func (api API) tool(p, call *Part) []byte {
	s := &shapes[api]
	template := s.call
	switch {
	case p.Kind == Call:
	case p.isFailed() && s.failed != "":
		template = s.failed
	default:
		template = s.result
	}
	if p.ID == "" && api == Gemini {
		template = strings.Replace(template, `"id":$id,`, "", 1)
	}
	input := string(call.inputObject())
	return fill(template, "$id", quoted(p.ID), "$name", quoted(call.Name),
		"$inputText", quoted(input), "$input", input,
		"$outputText", quoted(p.outputAsText()), "$output", p.outputJSON())
}

// quoted returns text as a JSON string.
func quoted(text string) string { return string(rawjson.Quote(text)) }

// fill replaces the names of pairs in a template by their values.
func fill(template string, pairs ...string) []byte {
	return []byte(strings.NewReplacer(pairs...).Replace(template))
}

// textPart returns a text of a role as a part.
func (api API) textPart(role, text string) []byte {
	if api == Gemini {
		return fill(`{"text":$text}`, "$text", quoted(text))
	}
	typ := quoted(api.textType(role))
	return fill(`{"type":$type,"text":$text}`, "$type", typ, "$text", quoted(text))
}

// textType returns the type of texts of a role.
func (api API) textType(role string) string {
	switch {
	case api != Responses:
		return "text"
	case role == Assistant:
		return "output_text"
	}
	return "input_text"
}
