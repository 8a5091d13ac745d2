package corpus

import (
	"encoding/json"
	"strconv"
	"strings"
)

// The types of the events of a text that is read whole. [SectionEvent], [ToolCallEvent] and
// [MalformedEvent] occur in streams, too.
const (
	TextEvent      = "text"
	SectionEvent   = "section" // a tag around several calls
	ToolCallEvent  = "tool-call"
	MalformedEvent = "malformed"
	ReasoningEvent = "reasoning"
)

// The other types of the events of a stream.
const (
	TextStart      = "text-start"
	TextDelta      = "text-delta"
	TextEnd        = "text-end"
	ReasoningStart = "reasoning-start"
	ReasoningDelta = "reasoning-delta"
	ReasoningEnd   = "reasoning-end"
	ToolInputStart = "tool-input-start"
	ToolInputDelta = "tool-input-delta"
	ToolInputEnd   = "tool-input-end"
)

// An Event is one part of a text, or one event of its stream. The events of a text that
// is read whole follow each other without a gap from the first byte to the last.
type Event struct {
	Type  string `json:"type"`
	ID    string `json:"id,omitempty"` // of a call in a stream, or in a format with IDs
	Start int    `json:"start"`
	End   int    `json:"end"`

	Text Bytes `json:"text,omitempty"` // of text: its bytes; of reasoning: those between its tags

	Name           string  `json:"name,omitempty"`           // of a call: the tool
	Delta          string  `json:"delta,omitempty"`          // of tool-input-delta: its text
	Input          string  `json:"input,omitempty"`          // of a call: its compact JSON
	AfterMalformed bool    `json:"afterMalformed,omitempty"` // of a call after a malformed one
	Issues         []Issue `json:"issues,omitempty"`         // of a call: how it breaks its schema

	Code    string `json:"code,omitempty"`    // of malformed: what is wrong
	At      int    `json:"at,omitempty"`      // of malformed: the byte where it is wrong
	Closed  bool   `json:"closed,omitempty"`  // of malformed: the span ends with its close tag
	Message string `json:"message,omitempty"` // of malformed, for people
}

// An Issue is a part of a delivered call that does not fit its schema.
type Issue struct {
	Code string `json:"code"`
	Path string `json:"path"`
	At   int    `json:"at"`
}

// shape lists the members of a type of event besides its type, in the order in which
// they are written. A member with ? is omitted if it is empty.
type shape []member

type member struct {
	name     string
	optional bool
}

func shapeOf(members string) (s shape) {
	for name := range strings.FieldsSeq(members) {
		plain := strings.TrimSuffix(name, "?")
		s = append(s, member{plain, plain != name})
	}
	return s
}

const (
	callMembers      = "id? start end name input issues? afterMalformed?"
	malformedMembers = "start end name? code at closed message?"
)

// wholeShapes are the events of a text that is read whole.
var wholeShapes = map[string]shape{
	TextEvent:      shapeOf("start end text"),
	ReasoningEvent: shapeOf("start end text"),
	SectionEvent:   shapeOf("start end"),
	ToolCallEvent:  shapeOf(callMembers),
	MalformedEvent: shapeOf(malformedMembers),
}

// streamShapes are the events of a stream.
var streamShapes = map[string]shape{
	TextStart:      nil,
	TextDelta:      shapeOf("text"),
	TextEnd:        nil,
	ReasoningStart: shapeOf("start end"),
	ReasoningDelta: shapeOf("text"),
	ReasoningEnd:   shapeOf("start end"),
	SectionEvent:   shapeOf("start end"),
	ToolInputStart: shapeOf("id name"),
	ToolInputDelta: shapeOf("id delta"),
	ToolInputEnd:   shapeOf("id"),
	ToolCallEvent:  shapeOf(callMembers),
	MalformedEvent: shapeOf("id? " + malformedMembers),
}

// AppendJSON appends the event as in an answer, with every member of its type, even if it is zero.
func (e *Event) AppendJSON(dst []byte) []byte {
	members, streamed := streamShapes[e.Type]
	if !streamed {
		members = wholeShapes[e.Type]
	}
	dst = append(dst, `{"type":"`...)
	dst = append(append(dst, e.Type...), '"')
	for _, m := range members {
		if m.optional && e.empty(m.name) {
			continue
		}
		dst = append(append(append(dst, `,"`...), m.name...), `":`...)
		dst = e.appendMember(dst, m.name)
	}
	return append(dst, '}')
}

// word, number and flag return where the event keeps a member of that kind, or nil.

func (e *Event) word(name string) *string {
	switch name {
	case "id":
		return &e.ID
	case "name":
		return &e.Name
	case "delta":
		return &e.Delta
	case "input":
		return &e.Input
	case "code":
		return &e.Code
	case "message":
		return &e.Message
	}
	return nil
}

func (e *Event) number(name string) *int {
	switch name {
	case "start":
		return &e.Start
	case "end":
		return &e.End
	case "at":
		return &e.At
	}
	return nil
}

func (e *Event) flag(name string) *bool {
	switch name {
	case "afterMalformed":
		return &e.AfterMalformed
	case "closed":
		return &e.Closed
	}
	return nil
}

// empty reports whether an optional member is empty.
func (e *Event) empty(name string) bool {
	if s := e.word(name); s != nil {
		return *s == ""
	}
	if b := e.flag(name); b != nil {
		return !*b
	}
	return len(e.Issues) == 0
}

// appendMember appends the value of a member.
func (e *Event) appendMember(dst []byte, name string) []byte {
	if s := e.word(name); s != nil {
		return appendString(dst, *s)
	}
	if n := e.number(name); n != nil {
		return strconv.AppendInt(dst, int64(*n), 10)
	}
	if b := e.flag(name); b != nil {
		return strconv.AppendBool(dst, *b)
	}
	if name == "text" {
		return appendText(dst, e.Text)
	}
	issues, err := json.Marshal(e.Issues)
	if err != nil {
		panic("corpus: " + err.Error()) // strings and numbers can always be encoded
	}
	return append(dst, issues...)
}
