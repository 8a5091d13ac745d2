package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/callwire/callwire/corpus"
)

// Kind is the kind of a failure. A report groups failures by kind, so that one mistake of
// an implementation that shows in many checks is reported once. Those of streams are in
// package corpus.
type Kind = corpus.Kind

const (
	requestFails  Kind = "requests that fail"
	silent        Kind = "it does not answer"
	crashed       Kind = "it ends or crashes"
	notAnAnswer   Kind = "output that is not an answer"
	outOfOrder    Kind = "answers out of order"
	lineTooLong   Kind = "a line that is too long"
	wrongShape    Kind = "the shape of answers"
	wrongReset    Kind = "reset"
	late          Kind = "events come late"
	early         Kind = "events come early"
	wrongWriting  Kind = "another writing"
	notRefused    Kind = "what should be refused is written"
	wrongRefusal  Kind = "another code of a refusal"
	wrongLines    Kind = "lines differ"
	wrongUnits    Kind = "offsets count characters or UTF-16 units, and should count bytes"
	missingIssues Kind = "issues are missing"
	issueOrder    Kind = "issues are in another order"
	wrongIssues   Kind = "issues differ"
	wrongMark     Kind = "the mark afterMalformed"
	wrongClosed   Kind = "the mark closed"
	wrongOffset   Kind = "the offset of a fault"
	lostDigits    Kind = "numbers lose their digits"
	lostOrder     Kind = "the order of keys is lost"
	wrongTypes    Kind = "values are typed otherwise"
	wrongCount    Kind = "events are missing, or too many"
)

// guesses are mistakes after which events are the same once a part of them is forgotten.
var guesses = []struct {
	kind   Kind
	forget func(*corpus.Event)
}{
	{issueOrder, func(e *corpus.Event) {
		slices.SortFunc(e.Issues, func(a, b corpus.Issue) int {
			return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
		})
	}},
	{wrongIssues, dropIssues},
	{wrongMark, func(e *corpus.Event) { e.AfterMalformed = false }},
	{wrongClosed, func(e *corpus.Event) { e.Closed = false }},
	{wrongOffset, func(e *corpus.Event) { e.At = 0 }},
	{lostOrder, func(e *corpus.Event) { e.Input = recoded(e.Input, withDigits) }},
	{lostDigits, func(e *corpus.Event) { e.Input = recoded(e.Input, withNumbers) }},
	{wrongTypes, func(e *corpus.Event) { e.Input = recoded(e.Input, keysAlone) }},
}

func dropIssues(e *corpus.Event) { e.Issues = nil }

// kindOf guesses which mistake makes got differ from want.
func kindOf(text []byte, want, got []corpus.Event) Kind {
	if len(want) == len(got) {
		for _, count := range []func([]byte) int{utf8.RuneCount, utf16Len} {
			if alike(want, got, func(e *corpus.Event) { moveOffsets(e, text, count) }, nil) {
				return wrongUnits
			}
		}
		if alike(want, got, dropIssues, nil) {
			return missingIssues
		}
		for _, guess := range guesses {
			if alike(want, got, guess.forget, guess.forget) {
				return guess.kind
			}
		}
	}
	for i := range min(len(want), len(got)) {
		w, g := &want[i], &got[i]
		switch {
		case w.Type != g.Type && w.Type == corpus.MalformedEvent:
			return Kind("no " + w.Code)
		case w.Type != g.Type && g.Type == corpus.MalformedEvent:
			return Kind(g.Code + " where nothing is wrong")
		case w.Type != g.Type:
			return Kind(g.Type + " in the place of " + w.Type)
		case w.Code != g.Code:
			return Kind(g.Code + " in the place of " + w.Code)
		case w.End != g.End:
			return Kind("the end of " + strings.TrimSpace(w.Type+" "+w.Code))
		case len(differences(w, g)) > 0:
			return Kind(w.Type + " differs")
		}
	}
	return wrongCount
}

// alike reports whether two lists of events are the same after each was changed. A nil change
// leaves the events as they are.
func alike(want, got []corpus.Event, changeWant, changeGot func(*corpus.Event)) bool {
	return slices.EqualFunc(want, got, func(w, g corpus.Event) bool {
		w.Issues, g.Issues = slices.Clone(w.Issues), slices.Clone(g.Issues)
		changeWant(&w)
		if changeGot != nil {
			changeGot(&g)
		}
		return len(differences(&w, &g)) == 0
	})
}

// moveOffsets gives an event the offsets that another unit counts.
func moveOffsets(e *corpus.Event, text []byte, count func([]byte) int) {
	move := func(offset *int) { *offset = count(text[:min(*offset, len(text))]) }
	move(&e.Start)
	move(&e.End)
	if e.Type == corpus.MalformedEvent {
		move(&e.At)
	}
	for i := range e.Issues {
		move(&e.Issues[i].At)
	}
}

func utf16Len(text []byte) int { return len(utf16.Encode(bytes.Runes(text))) }

// What is left of a JSON object.
const (
	withDigits  = iota // everything but the order of its keys
	withNumbers        // and the digits of its numbers
	keysAlone
)

// recoded returns what is left of a JSON object. Text that isn't one stays as it is.
func recoded(text string, left int) string {
	var object map[string]any
	d := json.NewDecoder(strings.NewReader(text))
	if left == withDigits {
		d.UseNumber()
	}
	if d.Decode(&object) != nil {
		return text
	}
	if left == keysAlone {
		for key := range object {
			object[key] = nil
		}
	}
	data, err := json.Marshal(object)
	if err != nil {
		panic("runner: " + err.Error()) // it was decoded from JSON
	}
	return string(data)
}
