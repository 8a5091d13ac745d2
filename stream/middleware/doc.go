// Package middleware lets any client of an OpenAI-compatible, Anthropic, Gemini or
// Ollama endpoint use the wire format by one line. The application declares tools and
// gets native tool calls, as ever; the model is told of the tools in text and
// writes calls in its text.
//
//	client := &http.Client{Transport: &middleware.Transport{}}
//	client := openai.NewClient(option.WithMiddleware(middleware.Middleware(middleware.Options{})))
//	client := anthropic.NewClient(option.WithMiddleware(middleware.Middleware(middleware.Options{})))
//
// # Requests
//
// Rewritten are POST requests that declare tools or hold calls or results, to OpenAI's
// …/chat/completions and …/responses, to Anthropic's …/messages (and its count_tokens,
// Bedrock's /invoke before it is signed, Vertex's :rawPredict and :streamRawPredict),
// to Gemini's :generateContent and, with alt=sse, :streamGenerateContent, and to
// Ollama's /api/chat. The tools, the choice of one and what is said of parallel calls
// are taken out together; the manual stands after the system text: in the first message,
// if that is of the system or the developer, and in a message of its own only where
// there is none. Where that text has marks of a cache, it stands before the last one. Calls and results of the history are text, as
// package manual writes it. What is not understood stays where it is, byte for byte
// and in its order. The same request gives the same bytes, so caches of prompts hold,
// and marks of a cache that were on tools, calls or results are on the text in their
// place.
//
// Functions are rewritten; hosted and custom tools stay the upstream's, with their
// calls and results. tool_choice none leaves the history alone in the wire format: no
// manual, and nothing is read. A required or named tool, or the tools that are
// allowed, are an instruction after the last message, which is kept to, or with
// [Native] the request is sent as it is. One call at a time is an instruction, and is
// kept to: what comes after the first call is text. Where the answer is to be JSON,
// that is an instruction, too, because a model that can write nothing else can write
// no call; [Options].ResponseFormat leaves it to the upstream. A stop sequence ends an
// answer before a result that the model invents, in the APIs of which all models take
// one.
//
// Sent as they are, for the upstream to do natively or to refuse: requests without
// functions and without a history of them, with legacy functions, with a tool_choice
// not known here or for a tool that is not there, with Gemini's names in snake_case,
// signed, compressed or over [Options].MaxRequest; and, with all of their tools, requests of which one function
// has no name, the name of another, a name that no call can be written with (one
// with white space or a "<", say), or a schema that cannot be read; and those in which
// the request or a message has a member twice, because another reader may take the
// other one.
// [Options].OnRewrite hears why.
//
// # Responses
//
// Streams of server-sent events or of lines and whole responses are read alike, each
// choice by a decoder of its own, the blocks of a message that consists of blocks by
// one. Text passes at once; an event in which nothing changes is passed on byte for
// byte. Text is held back only while it may be the beginning of a call, and usage until
// it is known that no fuller one comes. A call is delivered after its last byte was
// checked: as one delta, or under [Options].SplitDeltas in several. Only one whose
// arguments are long, by [Options].LiveAfter, is delivered as it arrives, because
// whoever waits for a file sees nothing for minutes otherwise, and some connections
// break. It sets finish_reason stop to tool_calls, and stop_reason end_turn or stop_sequence to
// tool_use; length, content filters and the like stay, and a call that they cut off
// is not delivered. Reasoning is passed on unread, in a field of its own or between
// tags such as <think> in the text. Where the model invents a result, the text is cut
// off. [Options].Strip leaves text out, and under [Options].InReasoning a message begins
// inside reasoning. Calls that the upstream makes itself are held to what holds for those in the
// text. Usage is delivered once. Where the upstream reports an error in the middle of
// a stream, what was held back comes first, then the error, and nothing after it is
// read. White space alone between the calls of an Anthropic message is no block,
// because the API refuses such blocks when they come back.
//
// Responses with an error status, and of other types, are passed on as they are.
//
// # Malformed calls
//
// The drift that models are known for is read where nothing else can be meant, unless
// [Options].NoSalvage is set, and calls in Markdown code are text, unless
// [Options].CallsInCode is.
//
// A message with a malformed call goes back to the model, once, or as
// [Options].Retries says: with what it has written so far and an explanation. What
// comes then goes on after the text that was delivered, so that the application sees
// one message; its usage is that of all of them, and reasoning comes once. That is
// not done after a call was delivered, so that nothing happens twice; nor where there
// are several choices or the message was cut off. The same is done with a message
// that ends with a call in Markdown code and has no other, or is nothing else than a call
// without its tags, because the model may wait for it; and with one that lacks the call that the request requires: if it does not come
// then, the response ends in an [Error], which a stream also says in the words of its API.
// Arguments that do not fit are malformed where a function says strict.
//
// What is malformed in the end reaches the application as text: its source, and in
// lines of their own a tool-error that says what is wrong and how to write it right.
// Where its beginning was delivered, its arguments end in what makes them no JSON
// for any reader, and the application tells the model so, as of a native call.
//
// # Lazy tools
//
// A function with "lazy": true (or "defer_loading"), or one that the Options name, is
// announced without its parameters, and a tool by which the model asks for them, or
// searches, is added. Its calls are answered here, as malformed ones are, at most eight
// times for a request; the application never sees them. Where a call was delivered
// before in the same message, the model is told to write it alone. See [manual.Lazy].
//
// # Other formats
//
// Models that were trained on another format of calls are told of tools, see calls
// and results, and are read in that one, where [Options].Manual.Protocol names it.
// Where a server calls tools natively, but leaves some calls of its model in the
// text, [Options].Rescue leaves requests as they are, and makes native calls of
// those; all other text stays as it is.
//
// # Responses of OpenAI's
//
// In …/responses an item of a message that has calls becomes several items. Those of
// functions become text in the next request, all others stay as they are. With
// previous_response_id the history is at the server, as the model wrote it: only new
// items are rewritten, and the results among them have no name, because their calls
// are not in the request. What a response repeats of its request is what the
// application has asked. Requests for a response in the background, and with a stored
// prompt, are sent as they are. A message that goes on after a correction has the id
// of the response that it began with in its first events, and in the last one that of
// the response that the server has kept.
//
// # Ids
//
// The id of a call is derived from the request, the id of the response, the choice
// and the number of the call: the same exchange gives the same ids, different steps
// different ones. Nothing is remembered: the request that brings the result of a
// call holds the call as well, and its name is found there by its id.
//
// # Reading
//
// Everything happens within Read of the response's body: there is no goroutine,
// and nothing is asked of the upstream before the reader wants more. Cancelling the
// request or closing the body ends the upstream's, a retry included. Memory is
// bounded by [Options].MaxResponse, for one event, and by the limit on a call, for
// each choice; 10,000 slow streams take 16 KB each (go test -run - -bench Memory). An
// [Error] says which limit was passed, or what is not JSON; what was held back comes
// before it.
//
// # Security
//
// Whoever gets a call from here executes it, mostly without asking. So, unlike in
// package stream, after a malformed call nothing is delivered in that message: a
// broken call is also what an injection looks like. [Options].ContinueAfterMalformed
// switches it off. On the way up, tags in results are neutralized always, and those
// in what users say, documents included, unless [Options].KeepUserText is set; what
// the system and the assistant say is not. A stream with an event that is not JSON
// ends there, because a call around the hole would not be what the model wrote.
//
// No framing keeps a model from writing a call because a text told it to. Tags
// that an attacker cannot know ([Options].Manual.Delims, of [manual.RandomDelims])
// make it harder; they must be the same in all requests of a conversation. What
// the schema says of values beyond their types is for the application to check.
//
// The logger and the hook are told no header, so no key; the hook sees bodies.
//
// [manual.Lazy]: https://pkg.go.dev/github.com/callwire/callwire/manual#Lazy
// [manual.RandomDelims]: https://pkg.go.dev/github.com/callwire/callwire/manual#RandomDelims
package middleware
