package stream

import (
	"strconv"

	"github.com/callwire/callwire/parse"
)

// Type is the type of an [Event].
type Type uint8

// The types, in the order in which they follow each other.
//
//	message   = { text | reasoning | Section | call | malformed }
//	text      = TextStart { TextDelta } TextEnd
//	reasoning = ReasoningStart { ReasoningDelta } ReasoningEnd
//	call      = started InputEnd Call
//	malformed = [ started ] Malformed
//	started   = InputStart { InputDelta }
const (
	TextStart Type = iota
	TextDelta      // Delta is text
	TextEnd
	ReasoningStart
	ReasoningDelta // Delta is reasoning, without the tags around it
	ReasoningEnd
	Section    // a tag around several calls
	InputStart // Name is the tool that is being called
	InputDelta // Delta is a piece of the call's JSON input
	InputEnd
	Call      // Call is complete; act on no earlier event
	Malformed // Err is why a call is not delivered
)

var typeNames = [...]string{
	"text-start", "text-delta", "text-end",
	"reasoning-start", "reasoning-delta", "reasoning-end",
	"section",
	"tool-input-start", "tool-input-delta", "tool-input-end",
	"tool-call", "malformed",
}

// String returns the name of the type in the specification.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return "Type(" + strconv.Itoa(int(t)) + ")"
}

// Event is one step in the life of a message. Fields that its type does not use are zero.
type Event struct {
	Type Type

	// ID is the same in all events of one run of text or reasoning, and in all events of one call.
	// A malformed call has one only if its input had started. IDs of calls are those of the
	// format if it has such, or call-1, call-2, … in each message; see parse.Options.NewID.
	ID string

	Name string // of the tool: InputStart, Call, and Malformed if it is known

	// Delta is a piece of text, reasoning or input. It is valid until the next event. It must
	// not be modified: the call and the chunk that was written share its memory.
	Delta []byte

	Call *parse.Call  // of Call; belongs to the caller
	Err  *parse.Error // of Malformed; belongs to the caller
	Text string       // the source of a malformed call, up to the limit on the bytes of a call

	// Start and End are offsets in the message, in bytes: the span of a delta of text or
	// reasoning, of a tag around reasoning or calls, of a call, and of a malformed call.
	// InputStart has only Start.
	Start, End int
}
