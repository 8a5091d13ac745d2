package parse

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/callwire/callwire/lexer"
)

// Kind is the kind of a [Segment].
type Kind uint8

// The kinds of segments.
const (
	Prose      Kind = iota // text outside calls
	Call                   // a call
	Malformed              // a call that is not delivered, to the end of its damage
	Reasoning              // reasoning: see Options.Reasoning
	Unfinished             // a call of which the end, or that of its damage, is not read: it has Start and, once it is read, Name
)

var kindNames = [...]string{"text", "tool-call", "malformed", "reasoning", "unfinished"}

// String returns the kind's name in the runner protocol.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return "Kind(" + strconv.Itoa(int(k)) + ")"
	}
	return kindNames[k]
}

// Segment is a part of a message. The segments of a message tile it.
type Segment struct {
	Kind       Kind
	Start, End int // offsets in the message, in bytes

	// Text is the source text; of reasoning, what is between its tags. That of a
	// malformed span is kept up to the limit on the bytes of a call; Cut reports that
	// there was more. A Parser does not keep that of a call.
	Text []byte
	Cut  bool

	Name   string  // of the tool; of a malformed call, where it is known
	Input  []byte  // of a call: its arguments, one JSON object without whitespace
	Issues []Issue // of a call, in the order of their offsets

	AfterMalformed bool // a malformed span, or an open quote, came earlier in the message
	Mended         bool // Options.Mend has written this call; Text, Err and Closed are those of the malformed one

	Err    *lexer.Error // of a malformed span: its first fault
	Closed bool         // of a malformed span: it ends with a close tag
}

// Clone returns a copy that shares no memory with s.
func (s Segment) Clone() Segment {
	s.Text = bytes.Clone(s.Text)
	s.Input = bytes.Clone(s.Input)
	s.Issues = slices.Clone(s.Issues)
	if s.Err != nil {
		err := *s.Err
		s.Err = &err
	}
	return s
}
