// Package middleware lets a client of an OpenAI-compatible, Anthropic, Gemini or Ollama endpoint
// use the wire format with one line. The application declares tools and gets native tool calls, as
// before; the model reads about the tools in text and writes calls in its text.
//
//	client := &http.Client{Transport: &middleware.Transport{}}
//	client := openai.NewClient(option.WithMiddleware(middleware.Middleware(middleware.Options{})))
//	rewrite := middleware.Middleware(middleware.Options{})
//	client := anthropic.NewClient(option.WithMiddleware(rewrite))
//
// # Requests
//
// A [Transport] rewrites POST requests that declare tools or contain calls or results, to
//
//   - …/chat/completions and …/responses (OpenAI),
//   - …/messages and its count_tokens, /invoke (Bedrock, before it is signed),
//     :rawPredict and :streamRawPredict (Vertex), all Anthropic,
//   - :generateContent and, with alt=sse, :streamGenerateContent (Gemini),
//   - /api/chat (Ollama).
//
// Function tools, tool_choice and the setting for parallel calls are removed. A manual
// of the tools follows the system text, before its last cache mark. Calls and results in
// the history become text, as package manual writes them. Everything else keeps its bytes
// and its order, and the same request always gives the same bytes, so prompt caches hold.
//
// Hosted and custom tools stay with the upstream, and so do their calls and results. A
// required or named tool, a list of allowed tools, no tool and one call at a time become
// instructions, and are enforced. If the request asks for several choices, none is sent back, and
// one that lacks a required call is only reported. A request for JSON becomes an instruction too:
// the answer is held back until it is complete, and a code fence around it is removed. If it
// doesn't fit, the request is sent again with the native setting; beside a call, it is left out
// and reported, since clients read all text as JSON.
//
// Some requests are sent unchanged; [Options].OnRewrite reports the reason:
//
//   - without functions and without a history of them, or with legacy functions,
//   - with an unknown tool_choice, or one for a tool that isn't declared,
//   - with tools that the upstream finds or calls itself (tool_search, allowed_callers),
//   - with tools of the same name, of no name, of a name that no call can have, with an
//     invalid schema, or with more than 4 MB of tools,
//   - signed, compressed or over [Options].MaxRequest,
//   - with a member that appears twice, or with Gemini's names in snake_case,
//   - for a background response or with a stored prompt (OpenAI).
//
// Anthropic's threads are declined, because a request that continues one contains no
// tools: clients then send the whole conversation.
//
// # Responses
//
// Streams and complete responses are read alike: each choice, and all text blocks of a message, as
// one text. A call may begin in one block of text and end in the next, which then become one
// block; a block of another kind breaks it. Code and reasoning go on after that. Text passes at
// once, and an unchanged event keeps its bytes. Text is held back only while it may be the
// beginning of a call. A call arrives as native servers send it, its name first and then its
// arguments, after its last byte was checked; only a call with long arguments
// ([Options].LiveAfter) is forwarded as it arrives. The finish reason reports the calls. It waits
// for the next event, because servers may send one with every chunk. A message that was cut off
// keeps its reason, and a call that was cut off is not delivered. A message ends where the model
// invents a result.
//
// Citations stay with their text. Those of the Responses API mark a range of it, which is adjusted;
// the ranges of other APIs stay those of the text with the calls. A citation is left out and
// reported if its text is not delivered, if a stream sends it after a call that follows its text,
// or if a note replaces a malformed call before it in the same block.
//
// A response keeps its id and its line ends, and reports usage when the upstream does. A rewritten
// event keeps its name, but not the id, retry time and comments of a server-sent event, since no
// client resumes a message. Reasoning passes unread, in a field of its own or between tags such as
// <think>. After an error in a stream, only further errors pass. Responses with an error status,
// and of other types, pass unchanged.
//
// The id of a call is derived from the request, the response, the choice and the number
// of the call, so nothing has to be remembered: the request that brings the result of a
// call contains the call as well. There is one exception: a stream of the Responses API that
// continues after a correction keeps the id of its first response, but the upstream stores
// the message under the id of the last. A Transport remembers the last few thousand of these,
// and replaces a previous_response_id; elsewhere, also after a restart, the conversation goes
// on from the message that was sent back. With store:false, clients send the history.
//
// # Malformed calls
//
// A message with a malformed call goes back to the model with an explanation, once or as often as
// [Options].Retries allows. So does one that ends with a call in Markdown code, consists of a call
// without its tags, or lacks a call that the request requires. Its request ends first, because
// some servers answer one at a time. The answer continues the text that was delivered, so the
// application sees one message, whose usage is the sum. This never happens after a call was
// delivered, so nothing runs twice. A required call that still doesn't come is an [Error], as an
// event of a stream or as a response with status 422, which clients don't try again. If the
// upstream refused to be asked again, for example with 429, the error names the status, or that
// response comes.
//
// A short note replaces a call that stays malformed. A call that was cut off is left out.
// [Options].ShowMalformed delivers the source and the fault of both instead. If the beginning of
// the call was delivered, its arguments end in bytes that make them invalid JSON.
//
// # Tools on demand
//
// A function with "lazy": true or "defer_loading", or one that the options name, is
// announced without its parameters. The model requests them by a call that the
// middleware answers, at most eight times per request. See [manual.Lazy].
//
// # Other formats
//
// If [Options].Manual.Format names the format that a model was trained on, the model
// sees tools, calls and results in it, and its calls are read in it. [Options].Rescue is
// for servers that call tools natively but leave some calls in the text: it leaves
// requests unchanged and turns those calls into native ones.
//
// # Resources
//
// A stream is read only within Read of the response's body, by the goroutine that calls
// it. Canceling the request or closing the body ends the upstream request, corrections
// included. Memory is bounded by [Options].MaxRequest and [Options].MaxResponse, and by
// the limit on a call for each choice.
//
// # Security
//
// Applications run the calls that they get, mostly without asking. So no call is delivered
// after a malformed one in the same message, from reasoning, or from Markdown code, except for
// a fence that begins the message: it wraps the message and isn't code. Tags in results, and in
// user messages, are neutralized on the way up. A stream with an event that isn't JSON ends there.
//
// A model may still follow instructions in a text and write a call. Tags that an attacker
// cannot know ([Options].Manual.Tags) make that harder; they must be the same in all
// requests of a conversation. The reports to the hook contain bodies but no headers.
//
// [manual.Lazy]: https://pkg.go.dev/github.com/callwire/callwire/manual#Lazy
package middleware
