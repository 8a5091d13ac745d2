package corpus

import (
	"bytes"
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

	ids      map[string]bool // of all calls
	open     openBlock       // what has started and not ended
	fresh    bool            // nothing has come since text-start
	textEnds bool            // the last event is text-end
	call     startedCall     // while open is inCall
	end      int             // of the last event
}

// openBlock is what the next event continues or ends.
type openBlock int

const (
	noBlock openBlock = iota
	inText
	inReasoning
	inCall
)

// A startedCall has had its tool-input-start.
type startedCall struct {
	id, name string
	input    strings.Builder
	complete bool // it has had its tool-input-end
}

// Join returns the events of a whole text from those of its stream.
func Join(stream []Event) ([]Event, error) {
	var j Joiner
	for i := range stream {
		if err := j.Add(&stream[i]); err != nil {
			return nil, fmt.Errorf("event %d: %w", i, err)
		}
	}
	if err := j.Close(); err != nil {
		return nil, err
	}
	return j.Events, nil
}

// Add takes the next event. After an error it goes on with best effort.
func (j *Joiner) Add(e *Event) *StreamError {
	afterText := j.textEnds
	j.textEnds = e.Type == TextEnd
	switch e.Type {
	case TextStart:
		return j.textStart(afterText)
	case TextDelta:
		return j.textDelta(e)
	case TextEnd:
		return j.textEnd()
	case ReasoningStart, ReasoningDelta, ReasoningEnd:
		return j.reasoning(e)
	case ToolInputStart:
		return j.callStart(e)
	case ToolInputDelta, ToolInputEnd, ToolCallEvent:
		return j.callGoesOn(e)
	case MalformedEvent:
		return j.malformed(e)
	case SectionEvent:
		return j.section(e)
	}
	return misplaced(WrongOrder, "there is no type %q", e.Type)
}

// Close reports what has started and never ended.
func (j *Joiner) Close() *StreamError {
	switch j.open {
	case inCall:
		return misplaced(WrongOrder, "the call %s has begun and never ends", j.call.id)
	case inReasoning:
		return misplaced(WrongOrder, "a reasoning-end is missing at the end")
	case inText:
		return misplaced(WrongOrder, "a text-end is missing at the end")
	}
	return nil
}

// closed reports an event that needs an end before it.
func (j *Joiner) closed(kind string) *StreamError {
	switch j.open {
	case inText:
		return misplaced(WrongOrder, "%s before the text-end", kind)
	case inCall:
		return misplaced(WrongOrder, "%s within the call %s", kind, j.call.id)
	}
	return nil
}

func (j *Joiner) textStart(afterText bool) *StreamError {
	if err := j.closed(TextStart); err != nil {
		return err
	}
	if afterText {
		return misplaced(SplitText,
			"text-start directly after text-end: adjacent text is one block at any split")
	}
	j.open, j.fresh = inText, true
	return nil
}

func (j *Joiner) textDelta(e *Event) *StreamError {
	if j.open == inCall {
		return j.closed(TextDelta)
	}
	if j.open != inText {
		return misplaced(WrongOrder, "text-delta without text-start")
	}
	if len(e.Text) == 0 {
		return misplaced(EmptyDelta, "text-delta is empty")
	}
	j.fresh = false
	if n := len(j.Events); n > 0 && j.Events[n-1].Type == TextEvent {
		last := &j.Events[n-1]
		last.Text = append(last.Text, e.Text...)
		last.End += len(e.Text)
	} else {
		end := j.end + len(e.Text)
		text := Event{Type: TextEvent, Start: j.end, End: end, Text: bytes.Clone(e.Text)}
		j.Events = append(j.Events, text)
	}
	j.end += len(e.Text)
	if j.Unicode && !utf8.Valid(e.Text) {
		return misplaced(CutRune, "text-delta ends within a character")
	}
	return nil
}

func (j *Joiner) textEnd() *StreamError {
	if j.open == inCall {
		return j.closed(TextEnd)
	}
	if j.open != inText || j.fresh {
		return misplaced(WrongOrder, "text-end without text")
	}
	j.open = noBlock
	return nil
}

func (j *Joiner) reasoning(e *Event) *StreamError {
	if e.Type == ReasoningStart {
		if j.open == inText {
			return j.closed(e.Type)
		}
		start := Event{Type: ReasoningEvent, Start: e.Start, End: e.End, Text: Bytes{}}
		j.Events = append(j.Events, start)
		j.end, j.open = e.End, inReasoning
		return nil
	}
	if j.open != inReasoning {
		return misplaced(WrongOrder, "%s without reasoning-start", e.Type)
	}
	last := &j.Events[len(j.Events)-1]
	last.Text = append(last.Text, e.Text...)
	if e.Type == ReasoningEnd {
		last.End, j.end, j.open = e.End, e.End, noBlock
	}
	return nil
}

func (j *Joiner) callStart(e *Event) *StreamError {
	if err := j.closed(e.Type); err != nil {
		return err
	}
	j.open, j.call = inCall, startedCall{id: e.ID, name: e.Name}
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
	if j.open != inCall {
		return misplaced(WrongOrder, "%s without tool-input-start", e.Type)
	}
	if e.ID != j.call.id {
		return misplaced(WrongID, "%s has the id %q, and the call that has begun is %q",
			e.Type, e.ID, j.call.id)
	}
	switch e.Type {
	case ToolInputDelta:
		if j.call.complete {
			return misplaced(WrongOrder, "tool-input-delta after tool-input-end")
		}
		if e.Delta == "" {
			return misplaced(EmptyDelta, "tool-input-delta is empty")
		}
		j.call.input.WriteString(e.Delta)
	case ToolInputEnd:
		if j.call.complete {
			return misplaced(WrongOrder, "a second tool-input-end")
		}
		j.call.complete = true
	case ToolCallEvent:
		return j.callEnd(e)
	}
	return nil
}

func (j *Joiner) callEnd(e *Event) *StreamError {
	deltas := j.call.input.String()
	switch {
	case !j.call.complete:
		return misplaced(WrongOrder, "tool-call before tool-input-end")
	case e.Name != j.call.name:
		return misplaced(WrongOrder, "tool-call of %q, and %q has begun", e.Name, j.call.name)
	case deltas != e.Input:
		return misplaced(WrongDeltas, "the deltas of the call are %s, and its input is %s",
			deltas, e.Input)
	}
	j.span(e)
	return nil
}

func (j *Joiner) malformed(e *Event) *StreamError {
	started := j.open == inCall
	switch {
	case j.open == inText:
		return j.closed(e.Type)
	case !started && e.ID != "":
		return misplaced(WrongID, "malformed has the id %q of a call that never began", e.ID)
	case started && e.ID != j.call.id:
		return misplaced(WrongID, "malformed has the id %q, and the call that has begun is %q",
			e.ID, j.call.id)
	case started && j.call.complete:
		return misplaced(WrongOrder, "malformed after tool-input-end")
	case started && e.Code == "unknown-tool":
		return misplaced(WrongOrder, "a call of an unknown tool has begun")
	}
	j.span(e)
	return nil
}

func (j *Joiner) section(e *Event) *StreamError {
	if err := j.closed(e.Type); err != nil {
		return err
	}
	j.Events = append(j.Events, *e)
	j.end = e.End
	return nil
}

// span takes the last event of a call. Its ID is the call's; that of a malformed one is only
// that of the stream.
func (j *Joiner) span(e *Event) {
	whole := *e
	if e.Type == MalformedEvent {
		whole.ID = ""
	}
	j.Events = append(j.Events, whole)
	j.open, j.end = noBlock, e.End
}
