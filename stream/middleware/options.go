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
	// written: its Protocol and its Delims are also those that responses are read with.
	Manual manual.Options

	// Limits bound one call; fields that are zero have their defaults.
	Limits lexer.Limits

	// Strict turns what a call says and its schema does not into a malformed
	// call, which is not delivered.
	Strict bool

	// AcceptAtEnd takes a call that is complete at the end of a message for a
	// whole one, where a stop sequence has swallowed the close tag.
	AcceptAtEnd bool

	// NoSalvage reads calls by the rules alone. By default the drift of models is read
	// where nothing else can be meant: see parse.Options.Salvage.
	NoSalvage bool

	// CallsInCode reads calls in Markdown code, too. By default they are text: a model
	// that explains the format does not mean them; one that a grammar makes call does.
	CallsInCode bool

	// InReasoning reads each message as one that begins inside reasoning, up to the first
	// tag that closes reasoning of any kind, such as </think> or [/THINK]: for models
	// whose template opens the region in the prompt. Calls in it are not calls.
	InReasoning bool

	// ContinueAfterMalformed delivers calls that come after a malformed one in
	// the same message. By default they are not delivered, because a broken call
	// is also what an injection looks like, and whoever gets a call from here
	// executes it.
	ContinueAfterMalformed bool

	// Strip leaves text out of what the application gets, reasoning between tags in it
	// included, for agents that only act on calls: what stands before the first call of
	// a message, which is all of a message without one, or everything. What is malformed
	// is told all the same. Rescue does not look at it.
	Strip stream.Strip

	// KeepUserText leaves what users say as it is. By default tags in it are
	// neutralized, as they always are in results.
	KeepUserText bool

	// ToolChoice says what becomes of a request that requires a call.
	ToolChoice ToolChoice

	// SplitDeltas streams each call in several deltas, its name first and then its
	// arguments in pieces, for clients that know only that form.
	SplitDeltas bool

	// LiveAfter is how many bytes the arguments of a call in a stream may have and be
	// delivered only after its last byte was checked. Longer ones are delivered as
	// they arrive, where the API has pieces: to chat completions, messages and
	// responses. 0 stands for DefaultLiveAfter, -1 for any number; calls of strict
	// functions, and all under Strict, are checked first. What was delivered is not
	// taken back: a value in it that does not fit is not repaired, and a call that
	// breaks ends in arguments that are not JSON.
	LiveAfter int

	// Retries is how often a message with a malformed call, or without a call that
	// is required, is sent back to the model with an explanation: 0 stands for
	// once, -1 for never. In a stream what comes then follows the text that was
	// delivered already; after a call was delivered nothing is sent back. What is
	// malformed in the end reaches the application as text.
	Retries int

	// StopSequence adds the beginning of a result to the stop sequences of chat
	// completions, too, where the request has none: some models there refuse them.
	// A result that a model invents is cut off in any case.
	StopSequence bool

	// ResponseFormat says what becomes of a request with tools that asks for JSON.
	ResponseFormat ToolChoice

	// Constrain says which engine the upstream is, if it takes a grammar: then it lets
	// the model write nothing that is no call or not as the tools say, and a call that
	// is required is enforced. The grammar is made once for a set of tools. See package
	// constrain for what it cannot say.
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

	// Logger is told at debug level what was done with each request, and at warn
	// level what could not be done. It is told no header, no URL and no text.
	Logger *slog.Logger

	// OnRewrite, if set, sees everything that is rewritten. It is called while
	// the request is sent and while the response is read, by several goroutines
	// at once where requests are.
	OnRewrite func(Rewrite)
}

// The limits that hold where Options set none.
const (
	DefaultMaxRequest  = 32 << 20
	DefaultMaxResponse = 32 << 20
	DefaultLiveAfter   = 1 << 10
)

// ToolChoice says what becomes of a request that demands something: a call, or
// answers of a form.
type ToolChoice uint8

// The ways to meet a demand.
const (
	Instruct ToolChoice = iota // the model is told so, in text
	Native                     // the request is sent as it is
)
