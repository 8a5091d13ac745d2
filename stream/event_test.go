package stream_test

import (
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

func TestTypeNames(t *testing.T) {
	for typ, want := range map[stream.Type]string{
		stream.TextStart: "text-start", stream.TextDelta: "text-delta", stream.TextEnd: "text-end",
		stream.ToolInputStart: "tool-input-start", stream.ToolInputDelta: "tool-input-delta", stream.ToolInputEnd: "tool-input-end",
		stream.ToolCall: "tool-call", stream.Malformed: "malformed",
	} {
		if got := typ.String(); got != want {
			t.Errorf("type %d is called %s, want %s", typ, got, want)
		}
	}
}

// Events hold until the next call of a method; clones hold for ever, and share no
// memory with their events or with each other.
func TestClone(t *testing.T) {
	const text = `text <call>t n="1" s="some string"</call> more <call>t(</call> text`
	d := stream.NewDecoder(catalogOf(t, `{"properties":{"n":{"type":"integer"}}}`), stream.Options{})
	var clones, twice []stream.Event
	want := ""
	chunk := make([]byte, 0, 16)
	for i := 0; i < len(text); i += 5 {
		chunk = append(chunk[:0], text[i:min(len(text), i+5)]...)
		for _, e := range d.Feed(chunk) {
			want += show(e) + "\n"
			clones = append(clones, e.Clone())
			twice = append(twice, e.Clone())
			for i := range e.Delta {
				e.Delta[i] = '#'
			}
			if e.Segment != nil {
				for i := range e.Input {
					e.Input[i] = '#'
				}
				for i := range e.Text {
					e.Text[i] = '#'
				}
				clear(e.Issues)
				*e.Segment = parse.Segment{}
			}
		}
		for i := range chunk {
			chunk[i] = '#'
		}
	}
	d.Close()
	d.Reset()
	d.FeedString(`<call>u x="overwritten"</call>`)
	for _, events := range [][]stream.Event{clones, twice} {
		got := ""
		for _, e := range events {
			got += show(e) + "\n"
			if e.Type == stream.ToolCall || e.Type == stream.Malformed {
				e.Segment.AfterMalformed = !e.Segment.AfterMalformed
				clear(e.Input)
				clear(e.Text)
			}
		}
		if got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
}

// An event without a segment has a clone without one.
func TestCloneOfText(t *testing.T) {
	if e := (stream.Event{Type: stream.TextEnd, ID: "text-1"}).Clone(); e.Segment != nil || e.Delta != nil || e.ID != "text-1" {
		t.Errorf("got %+v", e)
	}
}
