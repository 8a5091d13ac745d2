package engine

import (
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// Kind is the kind of an [Event].
type Kind uint8

// The kinds, in the order in which they follow each other. Stream.Type has the same
// values in the same order.
//
//	message   = { text | reasoning | Section | call | malformed }
//	text      = TextStart { Text } TextEnd
//	reasoning = ReasoningStart { Reasoning } ReasoningEnd
//	call      = started InputEnd Call
//	malformed = [ started ] Malformed
//	started   = InputStart { InputDelta }
const (
	TextStart Kind = iota
	Text
	TextEnd
	ReasoningStart
	Reasoning
	ReasoningEnd
	Section
	InputStart
	InputDelta
	InputEnd
	Call
	Malformed
)

// Event is one step in the life of a message. Fields that its kind does not mention are zero.
// Bytes and Problem are valid until the next Feed.
type Event struct {
	Kind           Kind
	AfterMalformed bool // Call: a malformed span came before it

	// ID is the same in all events of one run of text, of one region of reasoning, and of one
	// call. A malformed span has one only if its call had started.
	ID   string
	Name string // of the tool: InputStart, Call, and Malformed if it is known

	// Bytes is a piece of text or reasoning, a tag around reasoning or calls, a piece of the
	// input, the whole input (Call), or the text of a malformed span up to the limit on a call.
	Bytes      []byte
	Start, End int // the span in the message, except of the events of text and calls in progress

	Problem *Problem // Malformed, and Call if it has issues
}

// Problem is what is wrong with a call.
type Problem struct {
	Issues []Issue // of a delivered call, in the order of their offsets

	Code   lexer.Code // of a malformed span: the first fault
	At     int        // and its offset
	Closed bool       // the span ends with a closing tag

	Path   string         // of the value that is at fault, if it is known
	Format *format.Format // of the malformed call
}

// Fault returns what is wrong with a malformed call.
func (e *Event) Fault() *lexer.Error {
	p := e.Problem
	f := &lexer.Error{Code: p.Code, Offset: p.At, Path: p.Path, Tool: e.Name, Closed: p.Closed}
	f.Expected, f.Fix = p.Format.Hint(string(p.Code))
	if n := p.At - e.Start; n >= 0 && n < len(e.Bytes) {
		f.Found = lexeme.Excerpt(e.Bytes[n:])
	}
	return f
}

// Issue is something in a delivered call that does not fit the schema, or that was repaired.
type Issue struct {
	Code lexer.Code
	Path string // of the value or property: a, a.b, rows[0].k; if repaired, the repair
	At   int    // offset in the message
	Type *sig.Type
}
