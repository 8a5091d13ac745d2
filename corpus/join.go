package corpus

import (
	"fmt"
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
	last  string          // type of the last event
	open  string          // the type that started what has not ended, or ""
	call  Event           // the tool-input-start, while a call is open
	input strings.Builder // its deltas
	ready bool            // it has had its tool-input-end
	end   int             // of the last event
}

// places has the type of the event that must be open for an event to come. A malformed call may
// also end a call that has started.
var places = map[string]string{
	TextStart: "", TextDelta: TextStart, TextEnd: TextStart,
	ReasoningStart: "", ReasoningDelta: ReasoningStart, ReasoningEnd: ReasoningStart,
	ToolInputStart: "", ToolInputDelta: ToolInputStart, ToolInputEnd: ToolInputStart,
	ToolCallEvent: ToolInputStart, SectionEvent: "", MalformedEvent: "",
}

// Add takes the next event. After an error it goes on with best effort.
func (j *Joiner) Add(e *Event) *StreamError {
	before := j.last
	j.last = e.Type
	place, known := places[e.Type]
	switch {
	case !known:
		return misplaced(WrongOrder, "there is no type %q", e.Type)
	case place == j.open, e.Type == MalformedEvent && j.open == ToolInputStart:
	case j.open == "":
		return misplaced(WrongOrder, "%s without %s", e.Type, place)
	case j.open == ToolInputStart:
		return misplaced(WrongOrder, "%s within the call %s", e.Type, j.call.ID)
	default:
		return misplaced(WrongOrder, "%s before the %s", e.Type, endOf(j.open))
	}
	switch e.Type {
	case TextStart:
		j.open = TextStart
		if before == TextEnd {
			return misplaced(SplitText,
				"text-start directly after text-end: adjacent text is one block at any split")
		}
	case TextDelta:
		return j.textDelta(e)
	case TextEnd:
		j.open = ""
		if before == TextStart {
			return misplaced(WrongOrder, "text-end without text")
		}
	case ReasoningStart:
		j.add(Event{Type: ReasoningEvent, Start: e.Start, End: e.End, Text: Bytes{}})
		j.open = ReasoningStart
	case ReasoningDelta, ReasoningEnd:
		last := &j.Events[len(j.Events)-1]
		last.Text = append(last.Text, e.Text...)
		if e.Type == ReasoningEnd {
			last.End, j.end, j.open = e.End, e.End, ""
		}
	case ToolInputStart:
		return j.callStart(e)
	case MalformedEvent:
		return j.malformed(e)
	case SectionEvent:
		j.add(*e)
	default:
		return j.callGoesOn(e)
	}
	return nil
}

// Close reports what has started and never ended.
func (j *Joiner) Close() *StreamError {
	switch j.open {
	case "":
		return nil
	case ToolInputStart:
		return misplaced(WrongOrder, "the call %s has begun and never ends", j.call.ID)
	}
	return misplaced(WrongOrder, "a %s is missing at the end", endOf(j.open))
}

// endOf returns the type that ends what start started.
func endOf(start string) string { return strings.Replace(start, "start", "end", 1) }

// add adds an event, after which nothing is open.
func (j *Joiner) add(e Event) {
	j.Events = append(j.Events, e)
	j.open, j.end = "", e.End
}

func (j *Joiner) textDelta(e *Event) *StreamError {
	if len(e.Text) == 0 {
		return misplaced(EmptyDelta, "text-delta is empty")
	}
	if n := len(j.Events); n == 0 || j.Events[n-1].Type != TextEvent {
		j.add(Event{Type: TextEvent, Start: j.end, End: j.end})
		j.open = TextStart
	}
	last := &j.Events[len(j.Events)-1]
	last.Text = append(last.Text, e.Text...)
	last.End += len(e.Text)
	j.end = last.End
	if j.Unicode && !utf8.Valid(e.Text) {
		return misplaced(CutRune, "text-delta ends within a character")
	}
	return nil
}

func (j *Joiner) callStart(e *Event) *StreamError {
	j.open, j.call, j.ready = ToolInputStart, *e, false
	j.input.Reset()
	switch {
	case e.ID == "":
		return misplaced(WrongID, "tool-input-start has no id")
	case e.Name == "":
		return misplaced(WrongOrder, "tool-input-start has no name")
	case j.ids[e.ID]:
		return misplaced(WrongID, "the id %q is given to a second call", e.ID)
	}
	if j.ids == nil {
		j.ids = map[string]bool{}
	}
	j.ids[e.ID] = true
	return nil
}

func (j *Joiner) callGoesOn(e *Event) *StreamError {
	switch {
	case e.ID != j.call.ID:
		return misplaced(WrongID, "%s has the id %q, and the call that has begun is %q",
			e.Type, e.ID, j.call.ID)
	case j.ready && e.Type != ToolCallEvent:
		return misplaced(WrongOrder, "%s after tool-input-end", e.Type)
	case e.Type == ToolInputDelta && e.Delta == "":
		return misplaced(EmptyDelta, "tool-input-delta is empty")
	case e.Type == ToolInputDelta:
		j.input.WriteString(e.Delta)
	case e.Type == ToolInputEnd:
		j.ready = true
	case !j.ready:
		return misplaced(WrongOrder, "tool-call before tool-input-end")
	case e.Name != j.call.Name:
		return misplaced(WrongOrder, "tool-call of %q, and %q has begun", e.Name, j.call.Name)
	case j.input.String() != e.Input:
		return misplaced(WrongDeltas, "the deltas of the call are %s, and its input is %s",
			&j.input, e.Input)
	default:
		j.add(*e)
	}
	return nil
}

func (j *Joiner) malformed(e *Event) *StreamError {
	started := j.open == ToolInputStart
	switch {
	case !started && e.ID != "":
		return misplaced(WrongID, "malformed has the id %q of a call that never began", e.ID)
	case started && e.ID != j.call.ID:
		return misplaced(WrongID, "malformed has the id %q, and the call that has begun is %q",
			e.ID, j.call.ID)
	case started && j.ready:
		return misplaced(WrongOrder, "malformed after tool-input-end")
	case started && e.Code == "unknown-tool":
		return misplaced(WrongOrder, "a call of an unknown tool has begun")
	}
	whole := *e
	whole.ID = "" // it is only that of the stream
	j.add(whole)
	return nil
}
