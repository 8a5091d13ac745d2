package middleware

import (
	"cmp"
	"math"
	"net/http"

	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
)

// Options configure a [Transport]. The zero value suits most applications.
type Options struct {
	// Manual configures how tools are explained to the model, and the format of calls:
	// responses are read with its Format and Tags.
	Manual manual.Options

	// How calls are read. Format and Tags are always those of Manual, NewID isn't called, and
	// reasoning between tags is read as such unless Reasoning is StartedReasoning. A message with
	// a call that is refused, or could be repaired but isn't, goes back to the model.
	parse.Options

	// ShowMalformed delivers malformed calls as text: their source and, on lines of
	// their own, what is wrong with them. By default a short note replaces them.
	ShowMalformed bool

	// StripLeading leaves out the text before the first call of a message, and StripAll
	// all text, including reasoning between tags, for agents that only act on calls. A
	// message without a call is then empty. Rescue ignores both.
	StripLeading, StripAll bool

	// KeepToolChoice sends requests that require a call unchanged, and KeepFormat those that have
	// tools and ask for JSON. By default an instruction in text asks for the call or the JSON.
	KeepToolChoice, KeepFormat bool

	// LiveAfter is the size, in bytes of arguments, above which a streamed call is forwarded as it
	// arrives instead of being checked first. Zero means 1 KB; -1 checks every call first.
	// Forwarded bytes cannot be taken back: if the call breaks, its arguments end in invalid JSON,
	// so no client runs it.
	LiveAfter int

	// Retries is how often a message with a malformed call, or without a required one,
	// is sent back to the model with an explanation. Zero means once, -1 never. It
	// isn't sent back once a call was delivered.
	Retries int

	// StopSequence adds the beginning of a result to the stop sequences of chat completions if the
	// request has none; other APIs always get it. Some models refuse stop sequences there.
	StopSequence bool

	// Constrain names the engine of the upstream if that takes a grammar: "llama.cpp", "localai",
	// "vllm", "vllm-tag", "sglang", "sglang-tag", "fireworks" or "openai-custom-tool". The model
	// can then write only calls that fit the tools, besides text, and a required call is always
	// made. Requests to an unknown engine fail.
	Constrain string

	// Rescue, if set, leaves requests unchanged, including their tools. It only converts
	// calls that a server has left in the text of responses, in the format of its model.
	// Unreadable calls stay text, without the tags that some formats have around all calls, and
	// messages are never sent back.
	Rescue *parse.Format

	// MaxRequest is how many bytes of a request are read to be rewritten. Longer ones
	// are sent unchanged. Zero means 32 MB.
	MaxRequest int64

	// MaxResponse is how many bytes one event of a stream, or a complete response, may have, and
	// how many of a stream are kept: text that must become JSON, and what the last event of the
	// Responses API repeats. Longer ones end in an Error. Zero means 32 MB.
	MaxResponse int64

	// OnRewrite, if set, sees everything that is rewritten. It is called while the
	// request is sent and while the response is read, concurrently if requests are.
	OnRewrite func(*http.Request, Rewrite)
}

// withDefaults returns the options with the values that zero means. One more byte than a limit is
// read, to see whether there are more.
func (o Options) withDefaults() Options {
	const most = 32 << 20
	for _, limit := range []*int64{&o.MaxRequest, &o.MaxResponse} {
		if *limit <= 0 {
			*limit = most
		}
		*limit = min(*limit, math.MaxInt64-1)
	}
	o.Retries = cmp.Or(o.Retries, 1)
	o.LiveAfter = cmp.Or(o.LiveAfter, defaultLiveAfter)
	return o
}

const defaultLiveAfter = 1 << 10
