package middleware

import (
	"log/slog"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// Options say how requests and responses are rewritten. The zero value is good
// for most applications.
type Options struct {
	// Manual says how tools are explained to the model, and in which format calls are
	// written: responses are read with its Protocol and Delims.
	Manual manual.Options

	// Limits bound one call; fields that are zero have their defaults.
	Limits lexer.Limits

	// Strict makes a call that does not fit its schema malformed; it is not delivered.
	Strict bool

	// AcceptAtEnd accepts a call whose body is complete at the end of a message,
	// because a stop sequence has swallowed the close tag.
	AcceptAtEnd bool

	// NoSalvage reads calls by the rules alone. By default known mistakes of models are
	// repaired if nothing else can be meant: see parse.Options.Salvage.
	NoSalvage bool

	// CallsInCode also reads calls in Markdown code. By default they are text, because
	// a model that explains the format does not mean them; a model whose grammar makes
	// it call does.
	CallsInCode bool

	// InReasoning reads each message as one that begins inside reasoning, up to the first
	// tag that closes reasoning of any kind, such as </think> or [/THINK]: for models
	// whose template opens the region in the prompt. Calls in it are not calls.
	InReasoning bool

	// ContinueAfterMalformed delivers calls that come after a malformed one in
	// the same message. By default they are not delivered, because a broken call is
	// also what an injection looks like, and applications execute the calls they get
	// from here.
	ContinueAfterMalformed bool

	// Strip leaves text out of what the application gets, including reasoning between
	// tags, for agents that only act on calls: either the text before the first call of
	// a message (all of it, in a message without a call) or everything. Malformed calls
	// are still reported. Rescue ignores it.
	Strip stream.Strip

	// KeepUserText leaves user messages as they are. By default tags in it are
	// neutralized, as they always are in results.
	KeepUserText bool

	// ToolChoice says what to do with a request that requires a call.
	ToolChoice ToolChoice

	// SplitDeltas streams each call in several deltas, its name first and then its
	// arguments in pieces, for clients that know only that form.
	SplitDeltas bool

	// LiveAfter is the most bytes of arguments that a call in a stream may have and
	// still be checked to its last byte before it is delivered. Longer ones are
	// delivered as they arrive, if the API has deltas: chat completions, messages and
	// responses. 0 stands for DefaultLiveAfter, -1 for no limit; calls of strict
	// functions, and all under Strict, are checked first. What was delivered is not
	// taken back: a value in it that does not fit is not repaired, and a call that
	// breaks ends in arguments that are not JSON.
	LiveAfter int

	// Retries is how often a message with a malformed call, or without a required one,
	// is sent back to the model with an explanation: 0 stands for once, -1 for never.
	// In a stream the new text follows what was already delivered; after a call was
	// delivered nothing is sent back. A call that stays malformed reaches the
	// application as text.
	Retries int

	// StopSequence adds the beginning of a result to the stop sequences of chat
	// completions, too, if the request has none. It is off because some models there
	// refuse them. A result that a model invents is cut off in any case.
	StopSequence bool

	// ResponseFormat says what to do with a request with tools that asks for JSON.
	ResponseFormat ToolChoice

	// Constrain names the upstream's engine, if it takes a grammar: then the model can
	// only write calls that fit the tools, besides text, and a required call is
	// enforced. The grammar is made once for a set of tools. See package constrain for
	// what it cannot say.
	Constrain Engine

	// Rescue, if set, leaves requests as they are, tools and all, and only takes calls
	// out of the text of responses that a server has left there, in the format of its
	// model: see package protocol, and protocol.Any for several. Calls that the
	// server makes itself pass; what cannot be read stays text, and nothing is sent
	// back.
	Rescue parse.Protocol

	// MaxRequest is how many bytes of a request are read to be rewritten; 0
	// stands for DefaultMaxRequest. Longer ones are sent as they are.
	MaxRequest int64

	// MaxResponse is how many bytes one event of a stream, or a response that is
	// not streamed, may have; 0 stands for DefaultMaxResponse. Longer ones end in
	// an Error. It bounds the memory for one response.
	MaxResponse int64

	// Logger gets what was done with each request at debug level, and what could not be
	// done at warn level. It never gets a header, a URL or text.
	Logger *slog.Logger

	// OnRewrite, if set, sees everything that is rewritten. It is called while the
	// request is sent and while the response is read, by several goroutines at once if
	// requests are concurrent.
	OnRewrite func(Rewrite)
}

// The limits that hold if Options set none.
const (
	DefaultMaxRequest  = 32 << 20
	DefaultMaxResponse = 32 << 20
	DefaultLiveAfter   = 1 << 10
)

// ToolChoice says what to do with a request that demands something: a call, or a form
// of answer.
type ToolChoice uint8

// The ways to meet a demand.
const (
	Instruct ToolChoice = iota // the model is told so, in text
	Native                     // the request is sent as it is
)
