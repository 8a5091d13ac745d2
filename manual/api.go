package manual

import (
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

// API is the name of a family of chat APIs. They differ in the shape of messages, calls, results,
// images and files.
type API string

// The APIs. The zero API is one that the messages don't reveal.
const (
	ChatCompletions API = "openai"
	Responses       API = "responses"
	Anthropic       API = "anthropic"
	AISDK           API = "ai-sdk"    // messages for models
	AISDKUI         API = "ai-sdk-ui" // messages for user interfaces
	Gemini          API = "gemini"
	Ollama          API = "ollama"

	anyAPI API = ""
)

// A shape is what APIs differ in. Its templates are JSON with $ before what differs. The input is
// an object, or text under $inputText; the output is JSON, or text under $outputText.
type shape struct {
	api          API
	call, result string
	failed       string            // a result that is an error, if it differs
	parts        string            // the key of the list of parts, if it isn't content
	areBeside    bool              // calls are beside the content, and results are messages
	areItems     bool              // calls and results are items, beside the messages
	resultRole   string            // of messages with results, if it isn't the tool's
	roles        map[string]string // what roles are called; the key "" is for all others
	joined       []string          // roles whose neighboring messages become one
	system       string            // the key of the system prompt, if it is beside the messages
	messages     string            // and that of the messages

	// The shapes of media that the API takes, where the first that fits counts, and the types of
	// parts that users send, each with a member it must have.
	media []mediaShape
	takes map[string]string
}

// A mediaShape is how an API takes media of some type, such as "image/": as JSON, or not at all if
// that is empty.
type mediaShape struct {
	typ       string
	needsData bool // it isn't for media with a URL
	json      string
}

var shapes = []*shape{
	{api: ChatCompletions, call: chatCall, result: chatResult, areBeside: true,
		takes: map[string]string{
			"image_url": "image_url", "input_audio": "input_audio", "file": "file",
		},
		media: []mediaShape{
			{"image/", false, `{"image_url":{"url":$address},"type":"image_url"}`},
			{"audio/", true,
				`{"input_audio":{"data":$data,"format":$format},"type":"input_audio"}`},
			{"", true, `{"file":{"file_data":$address,"filename":$name},"type":"file"}`},
		},
	},
	{api: Responses, areItems: true,
		call:   `{"type":"function_call","call_id":$id,"name":$name,"arguments":$inputText}`,
		result: `{"type":"function_call_output","call_id":$id,"output":$outputText}`,
		takes:  map[string]string{"input_image": "type", "input_file": "type"},
		media: []mediaShape{
			{"image/", false, `{"image_url":$address,"type":"input_image"}`},
			{"audio/", false, ""},
			{"", true, `{"file_data":$address,"filename":$name,"type":"input_file"}`},
			{"", false, `{"file_url":$url,"type":"input_file"}`},
		},
	},
	{api: Anthropic, system: "system", messages: "messages",
		resultRole: User, joined: []string{User, Assistant},
		roles:  map[string]string{ToolRole: User},
		call:   `{"type":"tool_use","id":$id,"name":$name,"input":$input}`,
		result: `{"type":"tool_result","tool_use_id":$id,"content":$outputText}`,
		failed: `{"type":"tool_result","tool_use_id":$id,"content":$outputText,"is_error":true}`,
		takes:  map[string]string{"image": "source", "document": "source"},
		media: []mediaShape{
			{"image/", true, `{"source":` + base64Source + `,"type":"image"}`},
			{"image/", false, `{"source":{"type":"url","url":$url},"type":"image"}`},
			{"application/pdf", true, `{"source":` + base64Source + `,"type":"document"}`},
			{"audio/", false, ""},
			{"", true, ""}, // no other data
			{"", false, `{"source":{"type":"url","url":$url},"type":"document"}`},
		},
	},
	{api: AISDK, joined: []string{ToolRole},
		call:   `{"type":"tool-call","toolCallId":$id,"toolName":$name,"input":$input}`,
		result: sdkResult + `"output":{"type":"text","value":$outputText}}`,
		failed: sdkResult + `"output":{"type":"error-text","value":$outputText}}`,
		takes:  map[string]string{"image": "image", "file": "data"},
		media: []mediaShape{
			{"image/", false, `{"image":$at,"mediaType":$type,"type":"image"}`},
			{"", false, `{"data":$at,"filename":$name,"mediaType":$type,"type":"file"}`},
		},
	},
	{api: AISDKUI, parts: "parts", resultRole: Assistant, // a result contains its call
		call:   uiPart + `"state":"input-available","input":$input}`,
		result: uiPart + `"state":"output-available","input":$input,"output":$output}`,
		failed: uiPart + `"state":"output-error","input":$input,"errorText":$outputText}`,
		takes:  map[string]string{"file": "url"},
		media: []mediaShape{
			{"", false, `{"filename":$name,"mediaType":$type,"type":"file","url":$address}`},
		},
	},
	{api: Gemini, system: "systemInstruction", messages: "contents",
		parts: "parts", resultRole: User, joined: []string{User, Assistant},
		roles:  map[string]string{Assistant: "model", "": User},
		call:   `{"functionCall":{"id":$id,"name":$name,"args":$input}}`,
		result: `{"functionResponse":{"id":$id,"name":$name,"response":{"output":$output}}}`,
		failed: `{"functionResponse":{"id":$id,"name":$name,"response":{"error":$output}}}`,
		media: []mediaShape{
			{"", true, `{"inlineData":{"mimeType":$exact,"data":$data}}`},
			{"", false, `{"fileData":{"mimeType":$exact,"fileUri":$url}}`},
		},
	},
	{api: Ollama, areBeside: true,
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

// shape returns the shape of the API, or that of chat completions for an unknown one.
func (api API) shape() *shape {
	for _, s := range shapes {
		if s.api == api {
			return s
		}
	}
	return shapes[0]
}

// inputIsText reports whether calls have their arguments as text, which need not be valid JSON.
func (s *shape) inputIsText() bool { return strings.Contains(s.call, "$inputText") }

// isAlone reports whether the API has a message of its own for a part.
func (s *shape) isAlone(p *Part) bool {
	return p.isTool() && s.areItems || p.isResult() && s.areBeside
}

// tool returns a call or a result as JSON. Where a result contains its call, that is the call.
func (api API) tool(p, call *Part) []byte {
	s := api.shape()
	template := s.result
	switch {
	case p.Kind == Call:
		template = s.call
	case (p.Failed || p.Kind == Feedback) && s.failed != "":
		template = s.failed
	}
	if p.ID == "" && api == Gemini {
		template = strings.Replace(template, `"id":$id,`, "", 1)
	}
	input := string(call.inputObject())
	text, output := p.Text, quoted(p.Text)
	if p.Output != nil {
		text, output = string(rawjson.Compact(p.Output)), string(p.Output)
	}
	return []byte(strings.NewReplacer("$id", quoted(p.ID), "$name", quoted(call.Name),
		"$inputText", quoted(input), "$input", input,
		"$outputText", quoted(text), "$output", output).Replace(template))
}

// quoted returns text as a JSON string.
func quoted(text string) string { return string(rawjson.Quote(text)) }
