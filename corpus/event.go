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

// A member is a member of a JSON object.
type member struct {
	name     string
	optional bool // it is omitted if it is empty
}

// membersOf reads a list of names. The members with a ? are optional.
func membersOf(names string) (all []member) {
	for name := range strings.FieldsSeq(names) {
		plain := strings.TrimSuffix(name, "?")
		all = append(all, member{plain, plain != name})
	}
	return all
}

const (
	callMembers      = "id? start end name input issues? afterMalformed?"
	malformedMembers = "start end name? code at closed message?"
)

// wholeEvents lists the members of each type of event of a text that is read whole, besides
// its type, in the order in which they are written.
var wholeEvents = map[string][]member{
	TextEvent:      membersOf("start end text"),
	ReasoningEvent: membersOf("start end text"),
	SectionEvent:   membersOf("start end"),
	ToolCallEvent:  membersOf(callMembers),
	MalformedEvent: membersOf(malformedMembers),
}

// streamEvents does the same for the events of a stream.
var streamEvents = map[string][]member{
	TextStart:      nil,
	TextDelta:      membersOf("text"),
	TextEnd:        nil,
	ReasoningStart: membersOf("start end"),
	ReasoningDelta: membersOf("text"),
	ReasoningEnd:   membersOf("start end"),
	SectionEvent:   membersOf("start end"),
	ToolInputStart: membersOf("id name"),
	ToolInputDelta: membersOf("id delta"),
	ToolInputEnd:   membersOf("id"),
	ToolCallEvent:  membersOf(callMembers),
	MalformedEvent: membersOf("id? " + malformedMembers),
}

// field returns a pointer to the field for a member.
func (e *Event) field(name string) any {
	switch name {
	case "id":
		return &e.ID
	case "start":
		return &e.Start
	case "end":
		return &e.End
	case "text":
		return &e.Text
	case "name":
		return &e.Name
	case "delta":
		return &e.Delta
	case "input":
		return &e.Input
	case "afterMalformed":
		return &e.AfterMalformed
	case "issues":
		return &e.Issues
	case "code":
		return &e.Code
	case "at":
		return &e.At
	case "closed":
		return &e.Closed
	case "message":
		return &e.Message
	}
	return nil
}

// AppendJSON appends the event as in an answer, with every member of its type, even if it is zero.
func (e *Event) AppendJSON(dst []byte) []byte {
	members, streamed := streamEvents[e.Type]
	if !streamed {
		members = wholeEvents[e.Type]
	}
	dst = append(dst, `{"type":"`...)
	dst = append(append(dst, e.Type...), '"')
	for _, m := range members {
		value := e.field(m.name)
		if m.optional && isEmpty(value) {
			continue
		}
		dst = append(append(append(dst, `,"`...), m.name...), `":`...)
		dst = appendValue(dst, value)
	}
	return append(dst, '}')
}

// isEmpty reports whether the field of an optional member is empty.
func isEmpty(value any) bool {
	switch value := value.(type) {
	case *string:
		return *value == ""
	case *bool:
		return !*value
	case *[]Issue:
		return len(*value) == 0
	}
	return false
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
