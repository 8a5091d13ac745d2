// Package protocoltest checks in tests what is said in the runner protocol.
package protocoltest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/corpus"
)

// JSON encodes v.
func JSON(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Diff compares events in JSON with what a case of the corpus wants.
// They must have no member that the corpus does not know.
func Diff(want []corpus.Event, got string) string {
	events := []corpus.Event{}
	d := json.NewDecoder(strings.NewReader(got))
	d.DisallowUnknownFields()
	if err := d.Decode(&events); err != nil {
		return err.Error() + ": " + got
	}
	return cmp.Diff(want, events)
}

// Join returns the events of a stream as parse would give them, and checks on
// the way that each stands where it may.
func Join(events []protocol.StreamEvent) ([]corpus.Event, error) {
	joined := []corpus.Event{}
	var (
		text   *corpus.Event
		mind   *corpus.Event // reasoning
		pos    int
		call   protocol.StreamEvent // the one that has begun
		input  string               // its deltas
		before string               // the type of the event before
	)
	for i, e := range events {
		ok := false
		switch e.Type {
		case "text-start":
			ok = text == nil && call.ID == "" && e.ID == ""
			text = &corpus.Event{Type: corpus.TextEvent, Start: pos}
		case "text-delta":
			ok = text != nil && len(e.Text) > 0 && e.ID == ""
			if ok {
				text.Text = append(text.Text, e.Text...)
			}
		case "text-end":
			ok = text != nil && len(text.Text) > 0 && e.ID == ""
			if ok {
				pos += len(text.Text)
				text.End = pos
				joined = append(joined, *text)
				text = nil
			}
		case "reasoning-start":
			ok = text == nil && mind == nil && call.ID == "" && e.ID == "" && e.Start == pos
			mind, pos = &corpus.Event{Type: corpus.ReasoningEvent, Start: e.Start, Text: corpus.Bytes{}}, e.End
		case "reasoning-delta":
			ok = mind != nil && len(e.Text) > 0 && e.ID == ""
			if ok {
				mind.Text = append(mind.Text, e.Text...)
			}
		case "reasoning-end":
			ok = mind != nil && e.Start >= pos && e.ID == ""
			if ok {
				mind.End, pos = e.End, e.End
				joined = append(joined, *mind)
				mind = nil
			}
		case "tool-input-start":
			ok = text == nil && mind == nil && call.ID == "" && e.ID != "" && e.Name != ""
			call, input = e, ""
		case "tool-input-delta":
			ok = call.ID != "" && e.ID == call.ID && *e.Delta != ""
			input += *e.Delta
		case "tool-input-end":
			ok = call.ID != "" && e.ID == call.ID
		case "tool-call":
			ok = before == "tool-input-end" && e.ID == call.ID && e.Name == call.Name && e.Input == input && e.Start == pos
			c := corpus.Event{Type: e.Type, Start: e.Start, End: e.End, Name: e.Name, Input: e.Input, AfterMalformed: e.AfterMalformed}
			for _, issue := range e.Issues {
				c.Issues = append(c.Issues, corpus.Issue(issue))
			}
			joined = append(joined, c)
			call, pos = protocol.StreamEvent{}, e.End
		case "malformed":
			ok = text == nil && before != "tool-input-end" && e.ID == call.ID && e.Start == pos
			joined = append(joined, corpus.Event{Type: e.Type, Start: e.Start, End: e.End, Code: e.Code, At: e.At, Closed: e.Closed})
			call, pos = protocol.StreamEvent{}, e.End
		}
		if !ok {
			return nil, fmt.Errorf("event %d should not stand there: %+v", i, e)
		}
		before = e.Type
	}
	if text != nil || mind != nil || call.ID != "" {
		return nil, fmt.Errorf("the last %s has no end", before)
	}
	return joined, nil
}
