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

// guesses are mistakes after which events differ in one member alone, and perhaps only so far that
// alike is true.
var guesses = []struct {
	kind   Kind
	member string
	alike  func(want, got *corpus.Event) bool
}{
	{missingIssues, "issues", func(_, got *corpus.Event) bool { return len(got.Issues) == 0 }},
	{issueOrder, "issues", func(want, got *corpus.Event) bool {
		return slices.Equal(sorted(want.Issues), sorted(got.Issues))
	}},
	{wrongIssues, "issues", nil},
	{wrongMark, "afterMalformed", nil},
	{wrongClosed, "closed", nil},
	{wrongOffset, "at", nil},
	{lostOrder, "input", func(want, got *corpus.Event) bool {
		return reflect.DeepEqual(decoded(want.Input, true), decoded(got.Input, true))
	}},
	{lostDigits, "input", func(want, got *corpus.Event) bool {
		return reflect.DeepEqual(decoded(want.Input, false), decoded(got.Input, false))
	}},
	{wrongTypes, "input", func(want, got *corpus.Event) bool {
		return slices.Equal(keysOf(want.Input), keysOf(got.Input))
	}},
}

// kindOf guesses which mistake makes got differ from want.
func kindOf(text []byte, want, got []corpus.Event) Kind {
	if len(want) == len(got) {
		for _, count := range []func([]byte) int{utf8.RuneCount, utf16Len} {
			if countsOtherwise(text, want, got, count) {
				return wrongUnits
			}
		}
		for _, guess := range guesses {
			fits := func(w, g corpus.Event) bool {
				return !slices.ContainsFunc(differences(&w, &g), func(member string) bool {
					return member != guess.member || guess.alike != nil && !guess.alike(&w, &g)
				})
			}
			if slices.EqualFunc(want, got, fits) {
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

// countsOtherwise reports whether got is want with offsets that another unit counts.
func countsOtherwise(text []byte, want, got []corpus.Event, count func([]byte) int) bool {
	return slices.EqualFunc(want, got, func(w, g corpus.Event) bool {
		w.Issues = slices.Clone(w.Issues)
		moveOffsets(&w, text, count)
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

func sorted(issues []corpus.Issue) []corpus.Issue {
	return slices.SortedFunc(slices.Values(issues), func(a, b corpus.Issue) int {
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
