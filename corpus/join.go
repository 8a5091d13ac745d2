package corpus

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind is the kind of mistake that an implementation makes, in a few words.
type Kind string

// The kinds of mistakes in streams.
const (
	WrongOrder  Kind = "the life of a message"
	WrongID     Kind = "ids of calls"
	SplitText   Kind = "a new block of text for each chunk"
	EmptyDelta  Kind = "empty deltas"
	CutRune     Kind = "deltas that end within a character"
	WrongDeltas Kind = "deltas that are not the input"
)

// A StreamError is an event in the wrong place.
type StreamError struct {
	Kind    Kind
	Message string
}

// Error returns the message.
func (e *StreamError) Error() string { return e.Message }

func misplaced(kind Kind, format string, args ...any) *StreamError {
	return &StreamError{kind, fmt.Sprintf(format, args...)}
}

// A Joiner joins the events of a stream to those of the whole text, and checks that each comes in
// the right place. The zero value is ready to use.
type Joiner struct {
	Events []Event // of the whole text, so far

	// Unicode is set if the whole text is UTF-8: then no delta may end inside a character.
	Unicode bool

	ids   map[string]bool // of all calls
	last  string          // type of the last event in its place
	call  Event           // the last tool-input-start
	input strings.Builder // its deltas
}

var (
	// Nothing is open at the beginning and after these types.
	between = []string{"", TextEnd, ReasoningEnd, ToolCallEvent, SectionEvent, MalformedEvent}
	inInput = []string{ToolInputStart, ToolInputDelta}
)

// places has the types after which a type may come.
var places = map[string][]string{
	TextStart:      between,
	TextDelta:      {TextStart, TextDelta},
	TextEnd:        {TextDelta},
	ReasoningStart: between,
	ReasoningDelta: {ReasoningStart, ReasoningDelta},
	ReasoningEnd:   {ReasoningStart, ReasoningDelta},
	SectionEvent:   between,
	ToolInputStart: between,
	ToolInputDelta: inInput,
	ToolInputEnd:   inInput,
	ToolCallEvent:  {ToolInputEnd},
	MalformedEvent: slices.Concat(between, inInput),
}

// Add takes the next event. After an error it goes on with best effort.
func (j *Joiner) Add(e *Event) *StreamError {
	before := j.last
	if !slices.Contains(places[e.Type], before) {
		return misplaced(WrongOrder, "%s after %s", e.Type, cmp.Or(before, "nothing"))
	}
	j.last = e.Type
	switch e.Type {
	case TextStart:
		if before == TextEnd {
			return misplaced(SplitText,
				"text-start directly after text-end: adjacent text is one block at any split")
		}
	case TextDelta:
		return j.textDelta(e)
	case ReasoningStart:
		j.Events = append(j.Events,
			Event{Type: ReasoningEvent, Start: e.Start, End: e.End, Text: Bytes{}})
	case ReasoningDelta, ReasoningEnd:
		open := &j.Events[len(j.Events)-1]
		open.Text = append(open.Text, e.Text...)
		open.End = max(open.End, e.End)
	case SectionEvent:
		j.Events = append(j.Events, *e)
	case ToolInputStart:
		return j.callStart(e)
	case ToolInputDelta, ToolInputEnd, ToolCallEvent, MalformedEvent:
		return j.callGoesOn(e, before)
	}
	return nil
}

// Close reports what has started and never ended.
func (j *Joiner) Close() *StreamError {
	if slices.Contains(between, j.last) {
		return nil
	}
	return misplaced(WrongOrder, "the stream ends after %s", j.last)
}

func (j *Joiner) textDelta(e *Event) *StreamError {
	n := len(j.Events)
	if n == 0 || j.Events[n-1].Type != TextEvent {
		end := 0
		if n > 0 {
			end = j.Events[n-1].End
		}
		j.Events = append(j.Events, Event{Type: TextEvent, Start: end, End: end})
		n++
	}
	open := &j.Events[n-1]
	open.Text = append(open.Text, e.Text...)
	open.End += len(e.Text)
	switch {
	case len(e.Text) == 0:
		return misplaced(EmptyDelta, "text-delta is empty")
	case j.Unicode && !utf8.Valid(e.Text):
		return misplaced(CutRune, "text-delta ends within a character")
	}
	return nil
}

func (j *Joiner) callStart(e *Event) *StreamError {
	j.call = *e
	j.input.Reset()
	switch {
	case e.ID == "":
		return misplaced(WrongID, "tool-input-start has no id")
	case j.ids[e.ID]:
		return misplaced(WrongID, "the id %q is given to a second call", e.ID)
	}
	if j.ids == nil {
		j.ids = map[string]bool{}
	}
	j.ids[e.ID] = true
	return nil
}

// callGoesOn takes an event that belongs to the open call, or a malformed call that never started.
func (j *Joiner) callGoesOn(e *Event, before string) *StreamError {
	id := j.call.ID
	if slices.Contains(between, before) {
		id = ""
	}
	j.input.WriteString(e.Delta)
	switch whole := *e; e.Type {
	case MalformedEvent:
		whole.ID = "" // it is only that of the stream
		j.Events = append(j.Events, whole)
	case ToolCallEvent:
		j.Events = append(j.Events, whole)
	}
	isCall := e.Type == ToolCallEvent
	switch {
	case e.ID != id:
		return misplaced(WrongID, "%s has the id %q, and the call that has begun is %q",
			e.Type, e.ID, id)
	case e.Type == ToolInputDelta && e.Delta == "":
		return misplaced(EmptyDelta, "tool-input-delta is empty")
	case e.Code == "unknown-tool" && id != "":
		return misplaced(WrongOrder, "a call of an unknown tool has begun")
	case isCall && e.Name != j.call.Name:
		return misplaced(WrongOrder, "tool-call of %q, and %q has begun", e.Name, j.call.Name)
	case isCall && j.input.String() != e.Input:
		return misplaced(WrongDeltas, "the deltas of the call are %s, and its input is %s",
			&j.input, e.Input)
	}
	return nil
}
