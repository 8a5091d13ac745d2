package runner

import (
	"bytes"
	"cmp"
	"encoding/json"
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
	crashed     Kind = "it ends or crashes"
	notAnAnswer Kind = "output that is not an answer"
	wrongReset  Kind = "reset"
	late        Kind = "events come late"
	wrongUnits  Kind = "offsets count characters or UTF-16 units, and should count bytes"
	lostDigits  Kind = "numbers lose their digits"
	lostOrder   Kind = "the order of keys is lost"
	wrongCount  Kind = "events are missing, or too many"
)

// kindOf guesses which mistake makes got differ from want.
func kindOf(text []byte, want, got []corpus.Event) Kind {
	var members []string
	for i := range min(len(want), len(got)) {
		w, g := &want[i], &got[i]
		switch found := cmp.Or(g.Code, g.Type); {
		case w.Type != g.Type && g.Type == corpus.MalformedEvent:
			return Kind(found + " where nothing is wrong")
		case w.Type != g.Type || w.Code != g.Code:
			return Kind(found + " in the place of " + cmp.Or(w.Code, w.Type))
		}
		members = append(members, differences(w, g)...)
	}
	slices.Sort(members)
	members = slices.Compact(members)
	switch {
	case len(want) != len(got):
		return wrongCount
	case counts(text, utf8.RuneCount, want, got), counts(text, utf16Len, want, got):
		return wrongUnits
	case !slices.Equal(members, []string{"input"}):
		return Kind("wrong " + strings.Join(members, ", "))
	}
	for i := range want {
		w, g := want[i].Input, got[i].Input
		switch {
		case w == g:
		case recoded(w, true) == recoded(g, true):
			return lostOrder
		case recoded(w, false) == recoded(g, false):
			return lostDigits
		}
	}
	return "wrong input"
}

// counts reports whether got has the offsets that another unit counts, and nothing else is wrong.
func counts(text []byte, count func([]byte) int, want, got []corpus.Event) bool {
	return slices.EqualFunc(want, got, func(w, g corpus.Event) bool {
		w.Issues = slices.Clone(w.Issues)
		moveOffsets(&w, text, count)
		return len(differences(&w, &g)) == 0
	})
}

// moveOffsets gives an event the offsets that another unit counts.
func moveOffsets(e *corpus.Event, text []byte, count func([]byte) int) {
	offsets := []*int{&e.Start, &e.End, &e.At}
	for i := range e.Issues {
		offsets = append(offsets, &e.Issues[i].At)
	}
	for _, offset := range offsets {
		*offset = count(text[:min(*offset, len(text))])
	}
}

func utf16Len(text []byte) int { return len(utf16.Encode(bytes.Runes(text))) }

// recoded returns a JSON object with its keys sorted, and its numbers as floating point unless
// digits is set. Text that isn't an object stays as it is.
func recoded(text string, digits bool) string {
	var object map[string]any
	d := json.NewDecoder(strings.NewReader(text))
	if digits {
		d.UseNumber()
	}
	if d.Decode(&object) != nil {
		return text
	}
	return string(bytes.TrimSpace(encode(object)))
}
