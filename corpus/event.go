package corpus

import (
	"bytes"
	"maps"
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
	Closed  bool   `json:"closed,omitempty"`  // of malformed: the span ends with its closing tag
	Message string `json:"message,omitempty"` // of malformed, for people
}

// An Issue is a part of a delivered call that does not fit its schema.
type Issue struct {
	Code string `json:"code"`
	Path string `json:"path"`
	At   int    `json:"at"`
}

// shapes has the members of each type of event, besides the type. Those with a ? are left out if
// they are empty.
var shapes = map[string]string{
	TextEvent:      "start end text",
	ReasoningEvent: "start end text",
	SectionEvent:   "start end",
	ToolCallEvent:  "id? start end name input issues? afterMalformed?",
	MalformedEvent: "id? start end name? code at closed message?",
	TextStart:      "",
	TextDelta:      "text",
	TextEnd:        "",
	ReasoningStart: "start end",
	ReasoningDelta: "text",
	ReasoningEnd:   "start end",
	ToolInputStart: "id name",
	ToolInputDelta: "id delta",
	ToolInputEnd:   "id",
}

// wholeTypes are the types of the events of a text that is read whole, and streamTypes those of a
// stream.
var (
	wholeTypes  = []string{MalformedEvent, ReasoningEvent, SectionEvent, TextEvent, ToolCallEvent}
	streamTypes = slices.Sorted(maps.Keys(places))
)

// eventFields are the members of all events besides the type, as [Event.fields] has them.
var eventFields = strings.Fields(`id start end text name delta input issues afterMalformed
	code at closed message`)

// fields returns pointers to the values of an event's members.
func (e *Event) fields() []any {
	return []any{&e.ID, &e.Start, &e.End, &e.Text, &e.Name, &e.Delta, &e.Input, &e.Issues,
		&e.AfterMalformed, &e.Code, &e.At, &e.Closed, &e.Message}
}

// AppendJSON appends the event as in an answer, with every member of its type, even if it is zero.
func (e *Event) AppendJSON(dst []byte) []byte {
	dst = appendString(append(dst, `{"type":`...), e.Type)
	fields := e.fields()
	for name := range strings.FieldsSeq(shapes[e.Type]) {
		name, isOptional := strings.CutSuffix(name, "?")
		value := fields[slices.Index(eventFields, name)]
		if !isOptional || !reflect.ValueOf(value).Elem().IsZero() {
			dst = append(append(append(dst, `,"`...), name...), `":`...)
			dst = appendValue(dst, value)
		}
	}
	return append(dst, '}')
}

// appendValue appends the value of a member, to which a pointer points.
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
	case *[]Event:
		dst = append(dst, '[')
		for i := range *value {
			dst = append((*value)[i].AppendJSON(dst), ',')
		}
		return append(bytes.TrimSuffix(dst, []byte{','}), ']')
	}
	return appendJSON(dst, value)
}
