// Package middleware lets any client of an OpenAI-compatible, Anthropic, Gemini or
// Ollama endpoint use the wire format with one line. The application declares tools and
// gets native tool calls, as before; the model reads about the tools in text and writes
// calls in its text.
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
// Ollama's /api/chat. The tools, tool_choice and the setting for parallel calls are
// taken out together. The manual follows the system text: in the first message if that
// is a system or developer message, otherwise in a message of its own. If that text has
// cache marks, the manual stands before the last one. Calls and results in the history
// become text, as package manual writes it. What is not understood stays where it is,
// byte for byte and in order. The same request gives the same bytes, so prompt caches
// hold, and cache marks on tools, calls or results move to the text in their place.
//
// Functions are rewritten; hosted and custom tools stay with the upstream, and so do
// their calls and results. With tool_choice none only the history is in the wire
// format: there is no manual, and no call is read. A required or named tool, or a list
// of allowed tools, becomes an instruction after the last message, and is enforced;
// with [Native] the request is sent as it is. One call at a time is an instruction and
// is enforced: what follows the first call is text. If the answer must be JSON, that is
// an instruction too, because a model that can write nothing else can write no call;
// [Options].ResponseFormat leaves it to the upstream. A stop sequence ends an answer
// before a result that the model invents, in APIs whose models all accept one.
//
// Sent as they are, for the upstream to do natively or to refuse: requests without
// functions and without a history of them, with legacy functions, with a tool_choice
// not known here or for a tool that is not there, with Gemini's names in snake_case,
// signed, compressed or over [Options].MaxRequest; requests with a function that has no
// name, the name of another, a name that no call can be written with (one with
// whitespace or a "<", say), or a schema that cannot be read; and requests that have a
// member twice, themselves or in a message, because another reader may take the other
// one. [Options].OnRewrite hears why.
//
// # Responses
//
// Streams of server-sent events, streams of lines, and whole responses are read alike:
// each choice by its own decoder, all blocks of a message by one. Text passes at once;
// an event in which nothing changes is passed on byte for byte. Text is held back only
// while it may be the beginning of a call, and usage only until no fuller one can come.
// A call is delivered after its last byte was checked: as one delta, or as several
// under [Options].SplitDeltas. Only a call with long arguments ([Options].LiveAfter) is
// delivered as it arrives: otherwise a user who waits for a file sees nothing for
// minutes, and some connections break. A call turns finish_reason stop into tool_calls,
// and stop_reason end_turn or stop_sequence into tool_use; length, content filters and
// the like stay, and a call that they cut off is not delivered. Reasoning is passed on
// unread, in a field of its own or between tags such as <think> in the text. If the
// model invents a result, the text is cut off there. [Options].Strip leaves text out,
// and under [Options].InReasoning a message begins inside reasoning. The same rules
// hold for calls that the upstream makes itself. Usage is delivered once. If the
// upstream reports an error in the middle of a stream, what was held back comes first,
// then the error, and nothing after it is read. Whitespace between the calls of an
// Anthropic message does not become a block, because the API refuses such blocks when
// they come back.
//
// Responses with an error status, and of other types, are passed on as they are.
//
// # Malformed calls
//
// Mistakes that models are known to make are repaired if nothing else can be meant,
// unless [Options].NoSalvage is set. Calls in Markdown code are text, unless
// [Options].CallsInCode is set.
//
// A message with a malformed call goes back to the model, once, or as often as
// [Options].Retries says, with what it has written so far and an explanation. What
// comes next continues the text that was delivered, so the application sees one
// message; its usage is the sum of all, and reasoning comes once. This does not happen
// after a call was delivered, so nothing runs twice, nor if there are several choices
// or the message was cut off. The same is done with a message whose only call is in
// Markdown code at its end, or that is nothing but a call without its tags, because the
// model may be waiting for it; and with one that lacks a call that the request
// requires: if it still does not come, the response ends in an [Error], which a stream
// also reports in the words of its API. Arguments that do not fit are malformed if the
// function is strict.
//
// A call that stays malformed reaches the application as text: its source and, on lines
// of their own, a tool-error that says what is wrong and how to write it right. If its
// beginning was delivered, its arguments end in bytes that make them invalid JSON for
// every reader, and the application tells the model so, as with a native call.
//
// # Lazy tools
//
// A function with "lazy": true (or "defer_loading"), or one that the Options name, is
// announced without its parameters, and a tool is added that the model calls to ask for
// them or to search. Its calls are answered here, as malformed ones are, at most eight
// times per request; the application never sees them. If a call was delivered before it
// in the same message, the model is told to write it alone. See [manual.Lazy].
//
// # Other formats
//
// If [Options].Manual.Protocol names the format that a model was trained on, the model
// sees tools, calls and results in that format, and its calls are read in it. If a
// server calls tools natively but leaves some of the model's calls in the text,
// [Options].Rescue leaves requests as they are and makes native calls of those; all
// other text stays as it is.
//
// # OpenAI's Responses API
//
// In …/responses a message item with calls becomes several items. Function calls become
// text in the next request; all others stay as they are. With previous_response_id the
// history is on the server, as the model wrote it: only new items are rewritten, and
// results among them have no name, because their calls are not in the request. What a
// response repeats of its request is what the application asked. Requests for a
// background response or with a stored prompt are sent as they are. A message that goes
// on after a correction has the id of the response that it began with in its first
// events, and in the last one that of the response that the server has kept.
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
// Everything happens within Read of the response's body: there is no goroutine, and
// nothing is requested from the upstream before the reader wants more. Canceling the
// request or closing the body ends the upstream request, a retry included. Memory is
// bounded by [Options].MaxResponse, for one event, and by the limit on a call, for each
// choice; 10,000 slow streams take 16 KB each (go test -run - -bench Memory). An
// [Error] says which limit was passed, or what is not JSON; what was held back comes
// before it.
//
// # Security
//
// Applications execute the calls they get from here, mostly without asking. So, unlike
// in package stream, no call is delivered after a malformed one in the same message: a
// broken call is also what an injection looks like. [Options].ContinueAfterMalformed
// switches it off. On the way up, tags in results are always neutralized, and so are
// those in user messages, documents included, unless [Options].KeepUserText is set.
// System and assistant messages are not. A stream with an event that is not JSON ends
// there, because a call around the hole would not be what the model wrote.
//
// No framing keeps a model from writing a call because a text told it to. Tags
// that an attacker cannot know ([Options].Manual.Tags, of [manual.RandomTags])
// make it harder; they must be the same in all requests of a conversation. What the
// schema says about values beyond their types is for the application to check.
//
// The logger and the hook are told no header, so no key; the hook sees bodies.
//
// [manual.Lazy]: https://pkg.go.dev/github.com/callwire/callwire/manual#Lazy
// [manual.RandomTags]: https://pkg.go.dev/github.com/callwire/callwire/manual#RandomTags
package middleware
