package middleware

import (
	"log/slog"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
)

// Options say how requests and responses are rewritten. The zero value is good
// for most applications.
type Options struct {
	// Manual says how tools are explained to the model. Its Delims are also
	// those that responses are read with.
	Manual manual.Options

	// Limits bound one call; fields that are zero have their defaults.
	Limits lexer.Limits

	// Strict turns what a call says and its schema does not into a malformed
	// call, which is not delivered.
	Strict bool

	// AcceptAtEnd takes a call that is complete at the end of a message for a
	// whole one, where a stop sequence has swallowed the close tag.
	AcceptAtEnd bool

	// ContinueAfterMalformed delivers calls that come after a malformed one in
	// the same message. By default they are not delivered, because a broken call
	// is also what an injection looks like, and whoever gets a call from here
	// executes it.
	ContinueAfterMalformed bool

	// KeepUserText leaves what users say as it is. By default tags in it are
	// neutralised, as they always are in results.
	KeepUserText bool

	// ToolChoice says what becomes of a request that requires a call.
	ToolChoice ToolChoice

	// SplitDeltas streams a call in several deltas, its name first and then its
	// arguments in pieces, for clients that know only that form. A call is
	// delivered after its last byte was checked either way.
	SplitDeltas bool

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

	// Constrain says which engine the upstream of chat completions is, if it takes a
	// grammar: then it lets the model write nothing that is no call or not as the
	// tools say, and a call that is required is enforced. The grammar is made once
	// for a set of tools. See package constrain for what it cannot say.
	Constrain Engine

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
)

// ToolChoice says what becomes of a request that demands something: a call, or
// answers of a form.
type ToolChoice uint8

// The ways to meet a demand.
const (
	Instruct ToolChoice = iota // the model is told so, in text
	Native                     // the request is sent as it is
)
