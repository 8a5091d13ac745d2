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

// Add takes the next event. The error is of one that is not right in its place; Add then goes on
// with best effort.
func (j *Joiner) Add(e *Event) (Kind, error) {
	if !slices.Contains(places[e.Type], j.last) {
		return WrongOrder, fmt.Errorf("%s after %s", e.Type, cmp.Or(j.last, "nothing"))
	}
	kind, err := j.check(e)
	j.join(e)
	j.last = e.Type
	return kind, err
}

// check checks an event that may come after the last one.
func (j *Joiner) check(e *Event) (Kind, error) {
	isText, isStart := e.Type == TextDelta, e.Type == ToolInputStart
	isCall := e.Type == ToolCallEvent
	hasID := strings.HasPrefix(shapes[e.Type], "id")
	switch {
	case e.Type == TextStart && j.last == TextEnd:
		return SplitText, fmt.Errorf(
			"text-start directly after text-end: adjacent text is one block at any split")
	case isText && len(e.Text) == 0, e.Type == ToolInputDelta && e.Delta == "":
		return EmptyDelta, fmt.Errorf("%s is empty", e.Type)
	case isText && j.Unicode && !utf8.Valid(e.Text):
		return CutRune, fmt.Errorf("text-delta ends within a character")
	case isStart && e.ID == "":
		return WrongID, fmt.Errorf("tool-input-start has no id")
	case isStart && j.ids[e.ID]:
		return WrongID, fmt.Errorf("the id %q is given to a second call", e.ID)
	case !isStart && hasID && e.ID != j.call.ID:
		return WrongID, fmt.Errorf("%s has the id %q, and the call that has begun is %q",
			e.Type, e.ID, j.call.ID)
	case e.Code == "unknown-tool" && j.call.ID != "":
		return WrongOrder, fmt.Errorf("a call of an unknown tool has begun")
	case isCall && e.Name != j.call.Name:
		return WrongOrder, fmt.Errorf("tool-call of %q, and %q has begun", e.Name, j.call.Name)
	case isCall && j.input.String() != e.Input:
		return WrongDeltas, fmt.Errorf("the deltas of the call are %s, and its input is %s",
			&j.input, e.Input)
	}
	return "", nil
}

// join adds what an event contains.
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
	case ToolInputStart:
		if j.ids == nil {
			j.ids = map[string]bool{}
		}
		j.ids[e.ID] = true
		j.call = *e
		j.input.Reset()
	case ToolInputDelta:
		j.input.WriteString(e.Delta)
	case SectionEvent, ToolCallEvent, MalformedEvent:
		j.call = Event{}
		j.Events = append(j.Events, *e)
		if e.Type == MalformedEvent {
			j.Events[len(j.Events)-1].ID = "" // it is only that of the stream
		}
	}
}

// Close reports what has started and never ended.
func (j *Joiner) Close() (Kind, error) {
	if slices.Contains(between, j.last) {
		return "", nil
	}
	return WrongOrder, fmt.Errorf("the stream ends after %s", j.last)
}
