package corpus

import (
	"encoding/json"
	"reflect"
	"slices"
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

// A shape has the names of an object's members, in the order in which they are written.
type shape []member

type member struct {
	name     string
	required bool // otherwise it is omitted if it is empty
}

// shapeOf reads a list of names. The members with a ? are optional.
func shapeOf(names string) (s shape) {
	for name := range strings.FieldsSeq(names) {
		plain := strings.TrimSuffix(name, "?")
		s = append(s, member{plain, plain == name})
	}
	return s
}

// eventFields are the members of all events besides the type, as [Event.fields] has them.
var eventFields = strings.Fields(`id start end text name delta input issues afterMalformed
	code at closed message`)

// fields returns pointers to the values of an event's members.
func (e *Event) fields() []any {
	return []any{&e.ID, &e.Start, &e.End, &e.Text, &e.Name, &e.Delta, &e.Input, &e.Issues,
		&e.AfterMalformed, &e.Code, &e.At, &e.Closed, &e.Message}
}

const (
	callMembers      = "id? start end name input issues? afterMalformed?"
	malformedMembers = "start end name? code at closed message?"
)

// wholeEvents has the shape of each type of event of a text that is read whole, besides its type.
var wholeEvents = map[string]shape{
	TextEvent:      shapeOf("start end text"),
	ReasoningEvent: shapeOf("start end text"),
	SectionEvent:   shapeOf("start end"),
	ToolCallEvent:  shapeOf(callMembers),
	MalformedEvent: shapeOf(malformedMembers),
}

// streamEvents does the same for the events of a stream.
var streamEvents = map[string]shape{
	TextStart:      {},
	TextDelta:      shapeOf("text"),
	TextEnd:        {},
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
	members, streamed := streamEvents[e.Type]
	if !streamed {
		members = wholeEvents[e.Type]
	}
	dst = append(dst, `{"type":"`...)
	dst = append(append(dst, e.Type...), '"')
	fields := e.fields()
	for _, m := range members {
		value := fields[slices.Index(eventFields, m.name)]
		if !m.required && reflect.ValueOf(value).Elem().IsZero() {
			continue
		}
		dst = append(append(append(dst, `,"`...), m.name...), `":`...)
		dst = appendValue(dst, value)
	}
	return append(dst, '}')
}

func appendValue(dst []byte, value any) []byte {
	switch value := value.(type) {
	case *string:
		return appendString(dst, *value)
	case *int:
		return strconv.AppendInt(dst, int64(*value), 10)
	case *bool:
		return strconv.AppendBool(dst, *value)
	case *Bytes:
		return appendText(dst, *value)
	}
	data, err := json.Marshal(value)
	if err != nil {
		panic("corpus: " + err.Error()) // strings and numbers can always be encoded
	}
	return append(dst, data...)
}
