package manual

import (
	"fmt"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

// API is a family of chat APIs. They differ in the shape of messages, calls, results, images and
// files.
type API uint8

// The APIs. AnyAPI is one that the messages don't reveal.
const (
	AnyAPI API = iota
	ChatCompletions
	Responses
	Anthropic
	AISDK   // messages for models
	AISDKUI // messages for user interfaces
	Gemini
	Ollama
)

// A family is what APIs differ in. Its templates are JSON with $ before what differs. The input is
// an object, or text under $inputText; the output is JSON, or text under $outputText.
type family struct {
	name         string
	call, result string
	failed       string // a result that is an error, if it differs
	parts        string // the key of the list of parts, if it isn't content
	areBeside    bool   // calls are beside the content, and results are messages
	areItems     bool   // calls and results are items, beside the messages

	// The shapes of media that the API takes, of which the first that fits is meant, and its types
	// of parts that users send, with the members they must have.
	media []mediaShape
	takes map[string][]string
}

// A mediaShape is how an API takes media of some type, such as "image/", if they have what it
// needs. An empty one means that it takes none.
type mediaShape struct{ typ, needs, json string }

var families = [...]family{
	AnyAPI: {call: chatCall, result: chatResult, areBeside: true},
	ChatCompletions: {name: "openai", call: chatCall, result: chatResult, areBeside: true,
		takes: map[string][]string{
			"image_url": {"image_url"}, "input_audio": {"input_audio"}, "file": {"file"},
		},
		media: []mediaShape{
			{"image/", "$address", `{"image_url":{"url":$address},"type":"image_url"}`},
			{"audio/", "$data",
				`{"input_audio":{"data":$data,"format":$format},"type":"input_audio"}`},
			{"", "$data", `{"file":{"file_data":$address,"filename":$name},"type":"file"}`},
			{"", "$id", `{"file":{"file_id":$id},"type":"file"}`},
		},
	},
	Responses: {name: "responses", areItems: true,
		call:   `{"type":"function_call","call_id":$id,"name":$name,"arguments":$inputText}`,
		result: `{"type":"function_call_output","call_id":$id,"output":$outputText}`,
		takes:  map[string][]string{"input_image": nil, "input_file": nil},
		media: []mediaShape{
			{"image/", "$address", `{"image_url":$address,"type":"input_image"}`},
			{"image/", "$id", `{"file_id":$id,"type":"input_image"}`},
			{"audio/", "", ""},
			{"", "$data", `{"file_data":$address,"filename":$name,"type":"input_file"}`},
			{"", "$url", `{"file_url":$url,"type":"input_file"}`},
			{"", "$id", `{"file_id":$id,"type":"input_file"}`},
		},
	},
	Anthropic: {name: "anthropic",
		call:   `{"type":"tool_use","id":$id,"name":$name,"input":$input}`,
		result: `{"type":"tool_result","tool_use_id":$id,"content":$outputText}`,
		failed: `{"type":"tool_result","tool_use_id":$id,"content":$outputText,"is_error":true}`,
		takes:  map[string][]string{"image": {"source"}, "document": {"source"}},
		media: []mediaShape{
			{"image/", "$data", `{"source":` + base64Source + `,"type":"image"}`},
			{"image/", "$url", `{"source":{"type":"url","url":$url},"type":"image"}`},
			{"image/", "$id", `{"source":{"file_id":$id,"type":"file"},"type":"image"}`},
			{"application/pdf", "$data", `{"source":` + base64Source + `,"type":"document"}`},
			{"", "$data", ""},
			{"audio/", "", ""},
			{"", "$url", `{"source":{"type":"url","url":$url},"type":"document"}`},
			{"", "$id", `{"source":{"file_id":$id,"type":"file"},"type":"document"}`},
		},
	},
	AISDK: {name: "ai-sdk",
		call:   `{"type":"tool-call","toolCallId":$id,"toolName":$name,"input":$input}`,
		result: sdkResult + `"output":{"type":"text","value":$outputText}}`,
		failed: sdkResult + `"output":{"type":"error-text","value":$outputText}}`,
		takes:  map[string][]string{"image": {"image"}, "file": {"data", "mediaType"}},
		media: []mediaShape{
			{"image/", "$at", `{"image":$at,"mediaType":$type,"type":"image"}`},
			{"", "$at", `{"data":$at,"filename":$name,"mediaType":$type,"type":"file"}`},
		},
	},
	AISDKUI: {name: "ai-sdk-ui", parts: "parts", // a result contains its call
		call:   uiPart + `"state":"input-available","input":$input}`,
		result: uiPart + `"state":"output-available","input":$input,"output":$output}`,
		failed: uiPart + `"state":"output-error","input":$input,"errorText":$outputText}`,
		takes:  map[string][]string{"file": {"url", "mediaType"}},
		media: []mediaShape{
			{"", "$address", `{"filename":$name,"mediaType":$type,"type":"file","url":$address}`},
		},
	},
	Gemini: {name: "gemini", parts: "parts",
		call:   `{"functionCall":{"id":$id,"name":$name,"args":$input}}`,
		result: `{"functionResponse":{"id":$id,"name":$name,"response":{"output":$output}}}`,
		failed: `{"functionResponse":{"id":$id,"name":$name,"response":{"error":$output}}}`,
		media: []mediaShape{
			{"", "$data", `{"inlineData":{"mimeType":$exact,"data":$data}}`},
			{"", "$url", `{"fileData":{"mimeType":$exact,"fileUri":$url}}`},
		},
	},
	Ollama: {name: "ollama", areBeside: true,
		call:   `{"function":{"name":$name,"arguments":$input}}`,
		result: `{"role":"tool","tool_name":$name,"content":$outputText}`,
	},
}

const (
	chatCall = `{"id":$id,"type":"function",` +
		`"function":{"name":$name,"arguments":$inputText}}`
	chatResult   = `{"role":"tool","tool_call_id":$id,"content":$outputText}`
	base64Source = `{"data":$data,"media_type":$exact,"type":"base64"}`
	sdkResult    = `{"type":"tool-result","toolCallId":$id,"toolName":$name,`
	uiPart       = `{"type":"dynamic-tool","toolName":$name,"toolCallId":$id,`
)

// APINames returns the names of the APIs, as [ParseAPI] takes them.
func APINames() (names []string) {
	for i := range families[1:] {
		names = append(names, families[i+1].name)
	}
	return names
}

// ParseAPI returns the API with that name; ok is false if there is none.
func ParseAPI(name string) (api API, ok bool) {
	for i := range families {
		if families[i].name == name && name != "" {
			return API(i), true
		}
	}
	return AnyAPI, false
}

// String returns the name of the API, or "" for AnyAPI.
func (api API) String() string {
	if int(api) >= len(families) {
		return fmt.Sprintf("API(%d)", uint8(api))
	}
	return families[api].name
}

// isAlone reports whether the API has a message of its own for a part.
func (api API) isAlone(p *Part) bool {
	f := &families[api]
	switch {
	case p.isResult():
		return f.areBeside || f.areItems
	case p.Kind == Call:
		return f.areItems
	}
	return false
}

// inputIsText reports whether calls have their arguments as text, which need not be valid JSON.
func (api API) inputIsText() bool { return strings.Contains(families[api].call, "$inputText") }

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
	f := &families[api]
	template := f.call
	switch {
	case p.Kind == Call:
	case (p.Failed || p.Kind == Feedback) && f.failed != "":
		template = f.failed
	default:
		template = f.result
	}
	if p.ID == "" && api == Gemini {
		template = strings.Replace(template, `"id":$id,`, "", 1)
	}
	input := string(call.inputObject())
	text, output := p.Text, quoted(p.Text)
	if p.Output != nil {
		text, output = string(rawjson.Compact(p.Output)), string(p.Output)
	}
	return fill(template, "$id", quoted(p.ID), "$name", quoted(call.Name),
		"$inputText", quoted(input), "$input", input,
		"$outputText", quoted(text), "$output", output)
}

// quoted returns text as a JSON string.
func quoted(text string) string { return string(rawjson.Quote(text)) }

// fill replaces the names of pairs in a template by their values.
func fill(template string, pairs ...string) []byte {
	var out []byte
	for {
		n := strings.IndexByte(template, '$')
		if n < 0 {
			return append(out, template...)
		}
		out = append(out, template[:n]...)
		end := n + strings.IndexAny(template[n:], ",}")
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == template[n:end] {
				out = append(out, pairs[i+1]...)
			}
		}
		template = template[end:]
	}
}

// textPart returns a text of a role as a part.
func (api API) textPart(role, text string) []byte {
	part := append(make([]byte, 0, len(text)+len(text)/4+40), '{')
	if api != Gemini {
		part = append(append(append(part, `"type":"`...), api.textType(role)...), `",`...)
	}
	return append(rawjson.AppendQuoted(append(part, `"text":`...), text), '}')
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
