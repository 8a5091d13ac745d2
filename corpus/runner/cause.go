package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/callwire/callwire/corpus"
)

// This file guesses why a check fails, so that one fault of an implementation
// that shows in many checks is told once. A cause is a few words; checks with the
// same words are one group of a report.

// otherUnits is one cause, for most texts do not tell these two apart.
const otherUnits = "offsets count characters or UTF-16 units, and should count bytes"

// eventCause guesses why got is not want.
func eventCause(text []byte, want, got []corpus.Event) string {
	if len(want) == len(got) {
		for _, guess := range []struct {
			cause  string
			change func(want, got *corpus.Event)
		}{
			{otherUnits, func(want, _ *corpus.Event) { moveOffsets(want, text, utf8.RuneCount) }},
			{otherUnits, func(want, _ *corpus.Event) { moveOffsets(want, text, utf16Len) }},
			{"issues are missing", func(want, got *corpus.Event) {
				if len(got.Issues) == 0 {
					want.Issues = nil
				}
			}},
			{"issues are in another order", func(want, got *corpus.Event) { sortIssues(want); sortIssues(got) }},
			{"offsets of issues", func(want, got *corpus.Event) { dropIssues(want, got, func(i *corpus.Issue) { i.At = 0 }) }},
			{"paths of issues", func(want, got *corpus.Event) { dropIssues(want, got, func(i *corpus.Issue) { i.Path = "" }) }},
			{"issues differ", func(want, got *corpus.Event) { want.Issues, got.Issues = nil, nil }},
			{"the mark afterMalformed", func(want, got *corpus.Event) { want.AfterMalformed = got.AfterMalformed }},
			{"the mark closed", func(want, got *corpus.Event) { want.Closed = got.Closed }},
			{"the offset of a fault", func(want, got *corpus.Event) { want.At = got.At }},
			{"numbers lose their digits", func(want, got *corpus.Event) { want.Input, got.Input = rounded(want.Input), rounded(got.Input) }},
			{"the order of keys is lost", func(want, got *corpus.Event) { want.Input, got.Input = unordered(want.Input), unordered(got.Input) }},
			{"values are typed otherwise", func(want, got *corpus.Event) {
				if keysOf(want.Input) == keysOf(got.Input) {
					want.Input = got.Input
				}
			}},
		} {
			if alike(want, got, guess.change) {
				return guess.cause
			}
		}
	}
	for i := range min(len(want), len(got)) {
		w, g := &want[i], &got[i]
		switch {
		case w.Type != g.Type && w.Type == corpus.MalformedEvent:
			return "no " + w.Code
		case w.Type != g.Type && g.Type == corpus.MalformedEvent:
			return g.Code + " where nothing is wrong"
		case w.Type != g.Type:
			return g.Type + " in the place of " + w.Type
		case w.Code != g.Code:
			return g.Code + " in the place of " + w.Code
		case w.End != g.End:
			return "the end of " + strings.TrimSpace(w.Type+" "+w.Code)
		case len(differences(w, g)) > 0:
			return w.Type + " differs"
		}
	}
	return "events are missing, or too many"
}

// alike reports whether the events are alike once each pair was changed.
func alike(want, got []corpus.Event, change func(want, got *corpus.Event)) bool {
	for i := range want {
		w, g := want[i], got[i]
		w.Issues, g.Issues = slices.Clone(w.Issues), slices.Clone(g.Issues)
		if change(&w, &g); len(differences(&w, &g)) > 0 {
			return false
		}
	}
	return true
}

// moveOffsets gives an event the offsets that count otherwise.
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
	slices.SortFunc(e.Issues, func(a, b corpus.Issue) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
}

func dropIssues(want, got *corpus.Event, drop func(*corpus.Issue)) {
	for i := range want.Issues {
		drop(&want.Issues[i])
	}
	for i := range got.Issues {
		drop(&got.Issues[i])
	}
}

// rounded returns JSON as a language of floating point numbers has it, and text that is
// no JSON as it is.
func rounded(text string) string {
	if !json.Valid([]byte(text)) {
		return text
	}
	var b strings.Builder
	d := json.NewDecoder(strings.NewReader(canonical(text)))
	for {
		token, err := d.Token()
		if err != nil {
			return b.String()
		}
		fmt.Fprintf(&b, "%T %v\x00", token, token)
	}
}

// unordered returns JSON without the order of keys.
func unordered(text string) string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return text
	}
	data, _ := json.Marshal(value) // it came from JSON
	return string(data)
}

// keysOf returns the names of an object's members.
func keysOf(text string) string {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &members) != nil {
		return text
	}
	return fmt.Sprint(sortedKeys(members))
}

// causes of what is said, by words in it.
var saidCauses = []struct{ words, cause string }{
	{"the request failed", "requests that fail"}, // first, for its message may say anything
	{"no answer within", "it does not answer"},
	{"ended before it answered", "it ends or crashes"},
	{"is no JSON", "output that is no answer"},
	{"the answer has the seq", "answers out of order"},
	{"is longer than", "a line that is too long"},
	{"was reset", "reset"},
	{"directly after text-end", "a new block of text for each chunk"},
	{"is empty", "empty deltas"},
	{"within a character", "deltas that end within a character"},
	{"is not out", "events come late"},
	{"must be up to", "events come late"},
	{"must be out", "events come late"},
	{"cannot be certain", "events come early"},
	{"may become a call", "events come early"},
	{"the deltas of the call", "deltas that are not the input"},
	{" the id ", "ids of calls"},
	{"has no id", "ids of calls"},
	{"another writing", "another writing"},
	{"should be refused", "what should be refused is written"},
	{"another code", "another code of a refusal"},
}

// cause is the probable cause of a failure.
func (f *Failure) cause() string {
	for _, said := range saidCauses {
		if strings.Contains(f.What, said.words) {
			return said.cause
		}
	}
	if f.Events != "" {
		return f.Events
	}
	if strings.HasPrefix(f.What, "line ") {
		return "lines differ"
	}
	if strings.HasPrefix(f.What, "batches[") && !reflect.ValueOf(f.Got).IsZero() {
		return "the life of a message"
	}
	return "the shape of answers"
}

// A group are failures of one probable cause.
type group struct {
	cause   string
	results []*Result
}

// groups returns the failures by cause, those of many checks first.
func (r *Report) groups() []group {
	var all []group
	for i := range r.Results {
		res := &r.Results[i]
		if res.Status != Fail {
			continue
		}
		cause := res.Failure.cause()
		at := slices.IndexFunc(all, func(g group) bool { return g.cause == cause })
		if at < 0 {
			at = len(all)
			all = append(all, group{cause: cause})
		}
		all[at].results = append(all[at].results, res)
	}
	slices.SortStableFunc(all, func(a, b group) int { return len(b.results) - len(a.results) })
	return all
}
