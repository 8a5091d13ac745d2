package stream

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/callwire/callwire/lexer"
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
)

var typeNames = [...]string{
	"text-start", "text-delta", "text-end",
	"tool-input-start", "tool-input-delta", "tool-input-end",
	"tool-call", "malformed",
}

// String returns the type's name in the specification.
func (t Type) String() string {
	if int(t) >= len(typeNames) {
		return "Type(" + strconv.Itoa(int(t)) + ")"
	}
	return typeNames[t]
}

// Event is one step in the life of a message. Fields that its type does not
// mention are zero.
//
// Rule: stream.prompt.
type Event struct {
	Type Type

	// ID is the same on all events of one run of text, and on all of one call.
	// A malformed span has an id only if its call had begun.
	ID string

	// Delta is a piece of text (TextDelta), or of the call's JSON input
	// (ToolInputDelta). It ends inside no rune and inside no escape, unless
	// the text itself is not valid UTF-8.
	Delta []byte

	// Name is the tool's: of ToolInputStart, ToolCall, and of Malformed where
	// it is known.
	Name string

	// Start and End are the span in the message, in bytes: of TextDelta, of
	// ToolCall and of Malformed. ToolInputStart has Start alone.
	Start, End int

	*Outcome // of ToolCall and Malformed
}

// Outcome is what a complete call or malformed span has come to.
type Outcome struct {
	Input          []byte        // ToolCall: the arguments, one JSON object without whitespace
	Issues         []parse.Issue // ToolCall: what does not fit the schema
	AfterMalformed bool          // a malformed span came earlier in the message
	Mended         bool          // ToolCall: written by Options.Mend

	Err    *lexer.Error // Malformed: the first fault
	Raw    []byte       // Malformed: its source text, up to the limit on the bytes of a call
	Cut    bool         // Malformed: Raw is not all
	Closed bool         // Malformed: it ends with a close tag
}

// Clone returns a copy that shares no memory with e or its chunk.
func (e Event) Clone() Event {
	e.Delta = bytes.Clone(e.Delta)
	if e.Outcome != nil {
		o := *e.Outcome
		o.Input = bytes.Clone(o.Input)
		o.Issues = slices.Clone(o.Issues)
		o.Raw = bytes.Clone(o.Raw)
		if o.Err != nil {
			err := *o.Err
			o.Err = &err
		}
		e.Outcome = &o
	}
	return e
}
