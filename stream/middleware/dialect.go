package middleware

import (
	"net/http"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
)

// dialect describes an API as data: how to recognize its requests, and where
// everything is in them. A place is a path of keys, "" if the API has none. The code that
// reads and writes by it is the same for all APIs; a form reads the responses.
type dialect struct {
	name     string
	api      manual.API // the shape of its messages
	ends     []string   // of the paths of its requests
	idPrefix string     // of the ids of calls

	messages string // key of the conversation
	textual  bool   // whether that may be a string
	content  string // key of a message's content
	system   string // key of the system text; "" if it is a message
	parts    bool   // contents are lists of parts, which differ in their keys

	function     string // key of the declaration in a tool; "": the tool is one
	functionType string // type of tools that are functions; tools may leave it out
	schema       string // key that a function has, "" for none in particular
	choice       choice
	serial       string // place of the member that asks for one call at a time
	serialIs     string // its value
	formats      []formatPlace
	refused      []refusal
	stop         string // place of the stop sequences, "" if none are added
	stops        int    // how many there may be
	stopRare     bool   // not all models take one
	several      string // place of the number of choices, "" if there is always one
	stream       func(*http.Request, object) (streams, readable bool)

	form   func(*exchange) form // of its responses; nil if they contain no message
	lines  bool                 // each line of a stream is an event
	named  bool                 // the events of a stream are named by their type
	pieces bool                 // arguments of a call may come in pieces
	fault  func(*Error) object  // an error
}

// choice describes a tool_choice.
type choice struct {
	at    string
	word  string          // key of the word, if the choice is an object
	words map[string]mode // the meanings of the words
	name  string          // place of the name of a tool
}

// A formatPlace is a place where a request may ask for answers in JSON, by the name of a
// kind or an object with one.
type formatPlace struct {
	at     string
	plain  string // the kind that asks for text
	schema string // place of the schema in the object; "": it is the schema
}

// refusal is a member that prevents a request from being rewritten.
type refusal struct {
	key, reason string
	only        string // the value, "" for all but null
}

// dialects are the APIs that are rewritten.
var dialects = []*dialect{
	chatAPI, responsesAPI, messagesAPI, countAPI, bedrockAPI, vertexAPI, geminiAPI, ollamaAPI,
}

var openAIWords = map[string]mode{
	"auto": auto, "none": none, "required": required,
	"function": named, "allowed_tools": allowed,
}

var chatAPI = &dialect{
	name: "chat completions", api: manual.ChatCompletions, ends: []string{"/chat/completions"},
	idPrefix: "call_",
	messages: "messages", content: "content",
	function: "function", functionType: "function",
	choice: choice{
		at: "tool_choice", word: "type", words: openAIWords, name: "function.name",
	},
	serial: "parallel_tool_calls", serialIs: "false",
	formats: []formatPlace{
		{at: "response_format", plain: "text", schema: "json_schema.schema"},
	},
	refused: []refusal{
		{key: "functions", reason: "legacy functions"},
		{key: "function_call", reason: "legacy functions"},
	},
	stop: "stop", stops: 4, stopRare: true,
	several: "n", stream: streamMember,
	form:   func(x *exchange) form { return newChunkForm(x, &chatChunks) },
	pieces: true, fault: openAIFault,
}

var responsesAPI = &dialect{
	name: "responses", api: manual.Responses, ends: []string{"/responses"}, idPrefix: "call_",
	messages: "input", textual: true, content: "content", system: "instructions",
	functionType: "function",
	choice:       choice{at: "tool_choice", word: "type", words: openAIWords, name: "name"},
	serial:       "parallel_tool_calls", serialIs: "false",
	formats: []formatPlace{{at: "text.format", plain: "text", schema: "schema"}},
	refused: []refusal{
		{key: "background", only: "true",
			reason: "a response in the background is fetched elsewhere"},
		{key: "prompt", reason: "a stored prompt"},
	},
	stream: streamMember, form: newResponsesForm, named: true, pieces: true, fault: openAIFault,
}

var messagesAPI = &dialect{
	name: "messages", api: manual.Anthropic, ends: []string{"/messages"}, idPrefix: "toolu_",
	messages: "messages", content: "content", system: "system",
	functionType: "custom", schema: "input_schema",
	choice: choice{
		at: "tool_choice", word: "type", name: "name",
		words: map[string]mode{"auto": auto, "none": none, "any": required, "tool": named},
	},
	serial: "tool_choice.disable_parallel_tool_use", serialIs: "true",
	formats: []formatPlace{
		{at: "output_format", schema: "schema"},
		{at: "output_config.format", schema: "schema"},
	},
	stop: "stop_sequences", stops: 4096, stream: streamMember,
	form: newMessagesForm, named: true, pieces: true,
	fault: func(err *Error) object {
		e := members("type", "api_error", "message", err.Error())
		return members("type", "error", "error", e)
	},
}

// countAPI counts the tokens of what is really sent.
var countAPI = messagesAPI.as(func(d *dialect) {
	d.name, d.ends = "messages/count_tokens", []string{"/messages/count_tokens"}
	d.stop, d.form = "", nil
})

// bedrockAPI is Anthropic on Bedrock, for requests that are not signed yet.
var bedrockAPI = messagesAPI.as(func(d *dialect) {
	d.name, d.ends = "messages at Bedrock", []string{"/invoke", "/invoke-with-response-stream"}
	d.stream = func(req *http.Request, _ object) (streams, readable bool) {
		// The other path returns Bedrock's own kind of event stream.
		return false, strings.HasSuffix(req.URL.Path, "/invoke")
	}
})

// vertexAPI is Anthropic on Vertex.
var vertexAPI = messagesAPI.as(func(d *dialect) {
	d.name, d.ends = "messages at Vertex", []string{":rawPredict", ":streamRawPredict"}
})

// snakeCase is the reason for leaving requests in snake_case unchanged. The API takes
// names in two spellings, but one request must not mix them.
const snakeCase = "names in snake_case"

var geminiAPI = &dialect{
	name: "generateContent", api: manual.Gemini,
	ends:     []string{":generateContent", ":streamGenerateContent"},
	idPrefix: "call_",
	messages: "contents", content: "parts", system: "systemInstruction", parts: true,
	function: "functionDeclarations",
	choice: choice{
		at: "toolConfig.functionCallingConfig", word: "mode",
		words: map[string]mode{
			"AUTO": auto, "VALIDATED": auto, "MODE_UNSPECIFIED": auto,
			"NONE": none, "ANY": required,
		},
	},
	formats: []formatPlace{
		{at: "generationConfig.responseMimeType", plain: "text/plain"},
		{at: "generationConfig.responseSchema"},
		{at: "generationConfig.responseJsonSchema"},
	},
	refused: []refusal{
		{key: "system_instruction", reason: snakeCase},
		{key: "generation_config", reason: snakeCase},
		{key: "tool_config", reason: snakeCase},
	},
	stop: "generationConfig.stopSequences", stops: 5,
	several: "generationConfig.candidateCount",
	stream: func(req *http.Request, _ object) (streams, readable bool) {
		streams = strings.HasSuffix(req.URL.Path, ":streamGenerateContent")
		// Without alt=sse a stream is one growing JSON array.
		return streams, !streams || req.URL.Query().Get("alt") == "sse"
	},
	form: func(x *exchange) form { return newChunkForm(x, &geminiChunks) },
	fault: func(err *Error) object {
		return members("error", members("code", http.StatusUnprocessableEntity,
			"message", err.Error(), "status", "FAILED_PRECONDITION"))
	},
}

var ollamaAPI = &dialect{
	name: "ollama chat", api: manual.Ollama, ends: []string{"/api/chat"}, idPrefix: "call_",
	messages: "messages", content: "content",
	function: "function", functionType: "function",
	formats: []formatPlace{{at: "format"}},
	stream: func(_ *http.Request, body object) (streams, readable bool) {
		return string(body.Get("stream")) != "false", true
	},
	form:  func(x *exchange) form { return newChunkForm(x, &ollamaChunks) },
	lines: true,
	fault: func(err *Error) object { return members("error", err.Error()) },
}

func openAIFault(err *Error) object {
	return members("error", members("message", err.Error(), "type", "callwire",
		"param", nil, "code", err.Code))
}

// as returns a dialect that differs in what change sets.
func (d dialect) as(change func(*dialect)) *dialect {
	change(&d)
	return &d
}

func streamMember(_ *http.Request, body object) (streams, readable bool) {
	return string(body.Get("stream")) == "true", true
}

// dialectOf returns the API of a request, nil if this package does not handle it.
func dialectOf(req *http.Request) *dialect {
	hasBody := req.Body != nil && req.Body != http.NoBody
	if req.Method != http.MethodPost || req.URL == nil || !hasBody {
		return nil
	}
	path := strings.TrimRight(req.URL.Path, "/")
	for _, d := range dialects {
		for _, end := range d.ends {
			if strings.HasSuffix(path, end) {
				return d
			}
		}
	}
	return nil
}

func (d *dialect) message(role, text string) []byte {
	raw, _ := d.newMessage(role, manual.Part{Kind: manual.Text, Text: text}).MarshalJSON()
	return raw
}

// newMessage returns a message in the shape of the API.
func (d *dialect) newMessage(role string, parts ...manual.Part) manual.Message {
	m, _ := d.api.ParseMessage(members("role", manual.User, d.content, emptyList).Append(nil))
	m.Role, m.Parts = role, parts
	return m
}

// conversation returns the messages of a request; a conversation that is a text is one
// message of the user.
func (d *dialect) conversation(body object) [][]byte {
	if value := body.Get(d.messages); rawjson.IsString(value) && d.textual {
		return [][]byte{members("role", manual.User, d.content, value).Append(nil)}
	}
	if d == responsesAPI {
		return withoutMadeUp(body.Array(d.messages))
	}
	return body.Array(d.messages)
}
