package parse

import (
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
)

// Format describes how calls are written. Package protocol has the known ones; its comment lists
// the fields and shows how to change them, and its example defines a format.
type Format = format.Format

// Tags are around a call: Open and Close.
type Tags = format.Tags

// Limits bound what a call may contain: Bytes, Depth, Arguments, and the length of its Name. Zero
// fields mean the defaults. Text between tags that would be JSON but for its depth is a string.
type Limits = lexer.Limits

// Options configure how a message is read. The zero Options read the wire format and refuse every
// call that may not be meant.
type Options struct {
	Format *Format // nil means the wire format
	Tags   Tags    // around a call, instead of those of the format, or formats
	Limits Limits

	// Strict makes a call with an issue malformed.
	Strict bool

	// Repair reads the mistakes that models are known to make, if a call can mean only one thing
	// and fits its schema. Each repair is an issue of the call. A call whose opener is misspelled,
	// such as <CALL> or <call name="t">, is read only with AllowAfterMalformed too. Strict
	// switches repairs off.
	Repair bool

	// AllowAfterMalformed accepts calls after a malformed one. A broken call is also what an
	// injection looks like, so don't execute later calls without asking.
	AllowAfterMalformed bool

	// AllowInCode accepts calls in Markdown code, where a model shows how a call is written.
	AllowInCode bool

	// AllowUnclosed accepts a call that is complete but for its closing tag at the end of the
	// message, because a stop string swallowed the tag. Repair accepts such a call too, with an
	// issue, if its body has certainly ended: JSON, a function that has ended, or all arguments
	// that the tool has, unless the tag is named after the tool.
	AllowUnclosed bool

	// Reasoning selects what is read as reasoning, in which no call is read.
	Reasoning Reasoning

	// NewID returns the ID of call n of a message, counted from 1. It is not asked if the format
	// gives the call an ID, unless an earlier call may have the same. The default is call-1,
	// call-2, …, the same in every message, except those that the format gave before.
	NewID func(n int) string
}

// Reasoning selects what is read as reasoning.
type Reasoning = format.Reasoning

// The choices.
const (
	NoReasoning      = format.NoReasoning      // nothing: tags around reasoning are text
	TaggedReasoning  = format.TaggedReasoning  // what is between tags such as <think> and </think>
	StartedReasoning = format.StartedReasoning // also what comes before the first closing tag
)
