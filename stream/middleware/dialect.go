package middleware

import (
	"net/http"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
)

// dialect describes an API as data: how to recognize its requests, and where
// everything is in them. The code that reads and writes by it is the same for all APIs; each
// family has a codec that reads responses. A new API is one more entry of dialects.
type dialect struct {
	name     string
	api      manual.API // the shape of its messages
	ends     []string   // of the paths of its requests
	idPrefix string     // of the ids of calls

	messages string            // key of the conversation
	textual  bool              // whether that may be a string
	content  string            // key of a message's content
	roles    map[string]string // role names that differ from the usual ones
	element  map[string]string // types of text elements, by role; "" is for all others
	system   string            // key of the system text; "" if it is a message
	parts    bool              // contents are lists of parts, which differ in their keys

	function     string // key of the declaration in a tool; "": the tool is one
	functionType string // type of tools that are functions; tools may leave it out
	schema       string // key that a function has, "" for none in particular
	choice       choice
	serial       []string      // path of the member that asks for one call at a time
	serialIs     string        // its value
	formats      []formatPlace // where a request asks for an answer format
	refused      []refusal
	stop         []string // path of the stop sequences, nil if none are added
	stops        int      // how many there may be
	stopRare     bool     // not all models take one
	several      []string // path of the number of choices, nil if there is always one
	stream       func(*http.Request, object) (streams, readable bool)

	form   func(*exchange) form // of its responses; nil if they contain no message
	lines  bool                 // each line of a stream is an event
	pieces bool                 // arguments of a call may come in pieces
	fault  func(*Error) []byte  // an error as JSON
}

// choice describes a tool_choice.
type choice struct {
	at    []string
	word  string          // key of the word, if the choice is an object
	words map[string]mode // the meanings of the words
	name  []string        // path of the name of a tool
}

// A formatPlace is a place where a request may ask for answers in JSON.
type formatPlace struct {
	at     []string
	kind   []string // path of its kind from there; nil: the value itself
	plain  string   // the kind that asks for text
	schema []string // path of the schema from there
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
	messages: "messages", content: "content", element: map[string]string{"": "text"},
	function: "function", functionType: "function",
	choice: choice{
		at: []string{"tool_choice"}, word: "type", words: openAIWords,
		name: []string{"function", "name"},
	},
	serial: []string{"parallel_tool_calls"}, serialIs: "false",
	formats: []formatPlace{{
		at: []string{"response_format"}, kind: []string{"type"}, plain: "text",
		schema: []string{"json_schema", "schema"},
	}},
	refused: []refusal{
		{key: "functions", reason: "legacy functions"},
		{key: "function_call", reason: "legacy functions"},
	},
	stop: []string{"stop"}, stops: 4, stopRare: true,
	several: []string{"n"}, stream: streamMember,
	form:   func(x *exchange) form { return newChunkForm(x, &chatChunks) },
	pieces: true, fault: openAIFault,
}

var responsesAPI = &dialect{
	name: "responses", api: manual.Responses, ends: []string{"/responses"}, idPrefix: "call_",
	messages: "input", textual: true, content: "content", system: "instructions",
	element:      map[string]string{"": "input_text", "assistant": "output_text"},
	functionType: "function",
	choice: choice{
		at: []string{"tool_choice"}, word: "type", words: openAIWords, name: []string{"name"},
	},
	serial: []string{"parallel_tool_calls"}, serialIs: "false",
	formats: []formatPlace{{
		at: []string{"text", "format"}, kind: []string{"type"}, plain: "text",
		schema: []string{"schema"},
	}},
	refused: []refusal{
		{key: "background", only: "true",
			reason: "a response in the background is fetched elsewhere"},
		{key: "prompt", reason: "a stored prompt"},
	},
	stream: streamMember,
	form:   newResponsesForm, pieces: true, fault: openAIFault,
}

var messagesAPI = &dialect{
	name: "messages", api: manual.Anthropic, ends: []string{"/messages"}, idPrefix: "toolu_",
	messages: "messages", content: "content", system: "system",
	element:      map[string]string{"": "text"},
	functionType: "custom", schema: "input_schema",
	choice: choice{
		at: []string{"tool_choice"}, word: "type", name: []string{"name"},
		words: map[string]mode{"auto": auto, "none": none, "any": required, "tool": named},
	},
	serial: []string{"tool_choice", "disable_parallel_tool_use"}, serialIs: "true",
	formats: []formatPlace{
		{at: []string{"output_format"}, kind: []string{"type"}, schema: []string{"schema"}},
		{
			at: []string{"output_config", "format"}, kind: []string{"type"},
			schema: []string{"schema"},
		},
	},
	stop: []string{"stop_sequences"}, stops: 4096, stream: streamMember,
	form: newMessagesForm, pieces: true,
	fault: func(err *Error) []byte {
		e := members("type", "api_error", "message", err.Error())
		return members("type", "error", "error", e.Append(nil)).Append(nil)
	},
}

// countAPI counts the tokens of what is really sent.
var countAPI = messagesAPI.as(func(d *dialect) {
	d.name, d.ends = "messages/count_tokens", []string{"/messages/count_tokens"}
	d.stop, d.form = nil, nil
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
	roles: map[string]string{"assistant": "model"}, element: map[string]string{"": ""},
	function: "functionDeclarations",
	choice: choice{
		at: []string{"toolConfig", "functionCallingConfig"}, word: "mode",
		words: map[string]mode{
			"AUTO": auto, "VALIDATED": auto, "MODE_UNSPECIFIED": auto,
			"NONE": none, "ANY": required,
		},
	},
	formats: []formatPlace{
		{at: []string{"generationConfig", "responseMimeType"}, plain: "text/plain"},
		{at: []string{"generationConfig", "responseSchema"}, schema: []string{}},
		{at: []string{"generationConfig", "responseJsonSchema"}, schema: []string{}},
	},
	refused: []refusal{
		{key: "system_instruction", reason: snakeCase},
		{key: "generation_config", reason: snakeCase},
		{key: "tool_config", reason: snakeCase},
	},
	stop: []string{"generationConfig", "stopSequences"}, stops: 5,
	several: []string{"generationConfig", "candidateCount"},
	stream: func(req *http.Request, _ object) (streams, readable bool) {
		streams = strings.HasSuffix(req.URL.Path, ":streamGenerateContent")
		// Without alt=sse a stream is one growing JSON array.
		return streams, !streams || req.URL.Query().Get("alt") == "sse"
	},
	form: func(x *exchange) form { return newChunkForm(x, &geminiChunks) },
	fault: func(err *Error) []byte {
		e := members("code", number(http.StatusUnprocessableEntity), "message", err.Error(),
			"status", "FAILED_PRECONDITION")
		return members("error", e.Append(nil)).Append(nil)
	},
}

var ollamaAPI = &dialect{
	name: "ollama chat", api: manual.Ollama, ends: []string{"/api/chat"}, idPrefix: "call_",
	messages: "messages", content: "content", element: map[string]string{"": "text"},
	function: "function", functionType: "function",
	formats: []formatPlace{{at: []string{"format"}, schema: []string{}}},
	stream: func(_ *http.Request, body object) (streams, readable bool) {
		return string(body.Get("stream")) != "false", true
	},
	form:  func(x *exchange) form { return newChunkForm(x, &ollamaChunks) },
	lines: true,
	fault: func(err *Error) []byte { return members("error", err.Error()).Append(nil) },
}

// openAIFault returns an error in OpenAI's form.
func openAIFault(err *Error) []byte {
	e := members(
		"message", err.Error(), "type", "callwire",
		"param", []byte("null"), "code", err.Code,
	)
	return members("error", e.Append(nil)).Append(nil)
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

// role returns what the API calls a role.
func (d *dialect) role(role string) string {
	if name, ok := d.roles[role]; ok {
		return name
	}
	return role
}

// message returns a message with a text.
func (d *dialect) message(role, text string) []byte {
	content := rawjson.Quote(text)
	if d.parts {
		content = rawjson.AppendArray(nil, [][]byte{d.text(role, text)})
	}
	return members("role", rawjson.Quote(d.role(role)), d.content, content).Append(nil)
}

// text returns an element of text of a message.
func (d *dialect) text(role, text string) []byte {
	kind, ok := d.element[role]
	if !ok {
		kind = d.element[""]
	}
	if kind == "" {
		return members("text", text).Append(nil)
	}
	return members("type", kind, "text", text).Append(nil)
}

// conversation returns the messages of a request; a conversation that is a text is one
// message of the user.
func (d *dialect) conversation(body object) [][]byte {
	if value := body.Get(d.messages); rawjson.IsString(value) && d.textual {
		return [][]byte{members("role", "user", d.content, value).Append(nil)}
	}
	if d == responsesAPI {
		return withoutMadeUp(body.Array(d.messages))
	}
	return body.Array(d.messages)
}
