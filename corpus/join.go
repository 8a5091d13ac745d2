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

	last  string          // type of the last event in its place
	ids   map[string]bool // of all calls
	call  Event           // the tool-input-start of the open call; zero if none is open
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
	j.join(e)
	switch isText := e.Type == TextDelta; {
	case e.Type == TextStart && before == TextEnd:
		return misplaced(SplitText,
			"text-start directly after text-end: adjacent text is one block at any split")
	case isText && len(e.Text) == 0, e.Type == ToolInputDelta && e.Delta == "":
		return misplaced(EmptyDelta, "%s is empty", e.Type)
	case isText && j.Unicode && !utf8.Valid(e.Text):
		return misplaced(CutRune, "text-delta ends within a character")
	case e.Type == ToolInputStart:
		return j.begin(e)
	case !strings.HasPrefix(shapes[e.Type], "id"):
		return nil
	}
	return j.goOn(e)
}

// join adds what an event contains to the events of the whole text.
func (j *Joiner) join(e *Event) {
	open := &Event{}
	if n := len(j.Events); n > 0 {
		open = &j.Events[n-1]
	}
	switch e.Type {
	case TextStart:
		if open.Type != TextEvent {
			j.Events = append(j.Events, Event{Type: TextEvent, Start: open.End, End: open.End})
		}
	case TextDelta:
		open.Text = append(open.Text, e.Text...)
		open.End += len(e.Text)
	case ReasoningStart:
		j.Events = append(j.Events,
			Event{Type: ReasoningEvent, Start: e.Start, End: e.End, Text: Bytes{}})
	case ReasoningDelta, ReasoningEnd:
		open.Text = append(open.Text, e.Text...)
		open.End = max(open.End, e.End)
	case SectionEvent, ToolCallEvent, MalformedEvent:
		j.Events = append(j.Events, *e)
		if e.Type == MalformedEvent {
			j.Events[len(j.Events)-1].ID = "" // it is only that of the stream
		}
	}
}

// begin takes the first event of a call.
func (j *Joiner) begin(e *Event) *StreamError {
	j.call = *e
	j.input.Reset()
	switch {
	case e.ID == "":
		return misplaced(WrongID, "tool-input-start has no id")
	case j.ids[e.ID]:
		return misplaced(WrongID, "the id %q is given to a second call", e.ID)
	case j.ids == nil:
		j.ids = map[string]bool{}
	}
	j.ids[e.ID] = true
	return nil
}

// goOn takes an event that belongs to the open call, or a malformed call that never started.
func (j *Joiner) goOn(e *Event) *StreamError {
	begun := j.call
	isCall := e.Type == ToolCallEvent
	if isCall || e.Type == MalformedEvent {
		j.call = Event{}
	}
	j.input.WriteString(e.Delta)
	switch {
	case e.ID != begun.ID:
		return misplaced(WrongID, "%s has the id %q, and the call that has begun is %q",
			e.Type, e.ID, begun.ID)
	case e.Code == "unknown-tool" && begun.ID != "":
		return misplaced(WrongOrder, "a call of an unknown tool has begun")
	case isCall && e.Name != begun.Name:
		return misplaced(WrongOrder, "tool-call of %q, and %q has begun", e.Name, begun.Name)
	case isCall && j.input.String() != e.Input:
		return misplaced(WrongDeltas, "the deltas of the call are %s, and its input is %s",
			&j.input, e.Input)
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
