package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
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

// guesses are changes that make the wanted and the actual event alike if an
// implementation makes one kind of mistake.
var guesses = []struct {
	kind   Kind
	change func(want, got *corpus.Event, text []byte)
}{
	{wrongUnits, func(want, _ *corpus.Event, text []byte) {
		moveOffsets(want, text,
			utf8.RuneCount)
	}},
	{wrongUnits, func(want, _ *corpus.Event, text []byte) { moveOffsets(want, text, utf16Len) }},
	{missingIssues, func(want, got *corpus.Event, _ []byte) {
		if len(got.Issues) == 0 {
			want.Issues = nil
		}
	}},
	{issueOrder, func(want, got *corpus.Event, _ []byte) { sortIssues(want); sortIssues(got) }},
	{wrongIssues, func(want, got *corpus.Event, _ []byte) { want.Issues = got.Issues }},
	{wrongMark, func(want, got *corpus.Event,
		_ []byte) {
		want.AfterMalformed = got.AfterMalformed
	}},
	{wrongClosed, func(want, got *corpus.Event, _ []byte) { want.Closed = got.Closed }},
	{wrongOffset, func(want, got *corpus.Event, _ []byte) { want.At = got.At }},
	{lostOrder, func(want, got *corpus.Event, _ []byte) {
		if reflect.DeepEqual(decoded(want.Input, true), decoded(got.Input, true)) {
			want.Input = got.Input
		}
	}},
	{lostDigits, func(want, got *corpus.Event, _ []byte) {
		if reflect.DeepEqual(decoded(want.Input, false), decoded(got.Input, false)) {
			want.Input = got.Input
		}
	}},
	{wrongTypes, func(want, got *corpus.Event, _ []byte) {
		if slices.Equal(keysOf(want.Input), keysOf(got.Input)) {
			want.Input = got.Input
		}
	}},
}

// kindOf guesses which mistake makes got differ from want.
func kindOf(text []byte, want, got []corpus.Event) Kind {
	if len(want) == len(got) {
		for _, guess := range guesses {
			if alike(text, want, got, guess.change) {
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

// alike reports whether the events are alike once each pair has been changed.
func alike(text []byte, want, got []corpus.Event, change func(want, got *corpus.Event,
	text []byte)) bool {
	for i := range want {
		w, g := want[i], got[i]
		w.Issues, g.Issues = slices.Clone(w.Issues), slices.Clone(g.Issues)
		change(&w, &g, text)
		if len(differences(&w, &g)) > 0 {
			return false
		}
	}
	return true
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

func sortIssues(e *corpus.Event) {
	slices.SortFunc(e.Issues, func(a, b corpus.Issue) int {
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
}

// decoded returns the value of a JSON text, with the digits of its numbers if exact is set. Text
// that isn't JSON is its own value.
func decoded(text string, exact bool) (value any) {
	d := json.NewDecoder(strings.NewReader(text))
	if exact {
		d.UseNumber()
	}
	if d.Decode(&value) != nil {
		return text
	}
	return value
}

// keysOf returns the names of an object's members, sorted.
func keysOf(text string) []string {
	object, _ := decoded(text, false).(map[string]any)
	return slices.Sorted(maps.Keys(object))
}
