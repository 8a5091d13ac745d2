package fuzz

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/events"
	"github.com/callwire/callwire/parse"
)

// Part is a part of a message, for comparing readings. Adjacent deltas are one Part, so that it
// does not depend on the chunks. Text of a malformed call is its source.
type Part = corpus.Event

// The types of parts.
const (
	textPart      = corpus.TextEvent
	reasoningPart = corpus.ReasoningEvent
	sectionPart   = corpus.SectionEvent
	callPart      = corpus.ToolCallEvent
	malformedPart = corpus.MalformedEvent
)

// Differ describes how two readings differ, or returns "".
func Differ(want, got []Part) string {
	for i := range max(len(want), len(got)) {
		if i < min(len(want), len(got)) && reflect.DeepEqual(want[i], got[i]) {
			continue // most often, and soonest found
		}
		if w, g := shown(want, i), shown(got, i); w != g {
			return fmt.Sprintf("part %d\nwant %s\ngot  %s", i, w, g)
		}
	}
	return ""
}

// shown returns everything that a part contains, for people.
func shown(parts []Part, i int) string {
	if i >= len(parts) {
		return "nothing"
	}
	text := append(parts[i].AppendJSON(nil), ' ')
	return string(strconv.AppendQuote(text, string(parts[i].Text)))
}

// Equal reports whether two parts are the same.
func Equal(p, q Part) bool { return Differ([]Part{p}, []Part{q}) == "" }

// Rest returns parts moved by n bytes, without what depends on the message before them: IDs, and
// marks of calls after a malformed one.
func Rest(parts []Part, n int) []Part {
	out := slices.Clone(parts)
	for i := range out {
		p := &out[i]
		p.Start, p.End = p.Start+n, p.End+n
		if p.Type == malformedPart {
			p.At += n
		}
		p.Issues = slices.Clone(p.Issues)
		for k := range p.Issues {
			p.Issues[k].At += n
		}
		p.ID, p.AfterMalformed = "", false
	}
	return out
}

// Whole returns the parts of a message that is read as a whole.
func (s Setup) Whole(in []byte) ([]Part, error) {
	segments, err := parse.Message(s.Catalog, string(in), &s.Options)
	if err != nil {
		return nil, err
	}
	var parts []Part
	for i := range segments {
		g := &segments[i]
		p := events.Of(g)
		if g.Call != nil && g.Text != string(in[g.Start:g.End]) {
			return nil, fmt.Errorf("the source of a call is %q", g.Text)
		}
		if g.Err != nil {
			p.Text = corpus.Bytes(g.Text)
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// whole is Whole for legal options.
func (s Setup) whole(in []byte) []Part {
	parts, err := s.Whole(in)
	if err != nil {
		panic(err)
	}
	return parts
}
