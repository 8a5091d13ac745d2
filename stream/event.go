package stream

import (
	"bytes"
	"strconv"

	"github.com/callwire/callwire/parse"
)

// Type is the type of an [Event].
type Type uint8

// The types, in the order in which they can follow each other.
const (
	TextStart Type = iota
	TextDelta
	TextEnd
	ToolInputStart
	ToolInputDelta
	ToolInputEnd
	ToolCall
	Malformed
	ReasoningStart // see parse.Options.Reasoning
	ReasoningDelta
	ReasoningEnd
)

var typeNames = [...]string{
	"text-start", "text-delta", "text-end",
	"tool-input-start", "tool-input-delta", "tool-input-end",
	"tool-call", "malformed",
	"reasoning-start", "reasoning-delta", "reasoning-end",
}

// String returns the type's name in the specification.
func (t Type) String() string {
	if int(t) >= len(typeNames) {
		return "Type(" + strconv.Itoa(int(t)) + ")"
	}
	return typeNames[t]
}

// Rule: stream.prompt.

// Event is one step in the life of a message. Fields that its type does not
// mention are zero.
type Event struct {
	Type Type

	// ID is the same on all events of one run of text or reasoning, and on all of one
	// call. A malformed span has an id only if its call had begun.
	ID string

	// Delta is a piece of text (TextDelta), of reasoning without its tags
	// (ReasoningDelta), or of the call's JSON input (ToolInputDelta). It never ends
	// inside a rune or an escape, unless the text itself is not valid UTF-8.
	Delta []byte

	// Name is the tool's: of ToolInputStart, ToolCall, and Malformed if it is known.
	Name string

	// Start and End are the span in the message, in bytes: of TextDelta, of
	// ReasoningDelta, of ToolCall and of Malformed, and of the tags of
	// ReasoningStart and ReasoningEnd. ToolInputStart has Start alone.
	Start, End int

	// Segment is what the reader has made of the call or the malformed span: of
	// ToolCall and Malformed.
	*parse.Segment
}

// Clone returns a copy that shares no memory with e or its chunk.
func (e Event) Clone() Event {
	e.Delta = bytes.Clone(e.Delta)
	if e.Segment != nil {
		s := e.Segment.Clone()
		e.Segment = &s
	}
	return e
}
