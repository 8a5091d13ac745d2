package stream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// The tests of this package compare events as text: type, id, what it is about,
// and the span in the message.

// show returns an event as one word.
func show(e stream.Event) string {
	s := e.Type.String()
	if e.ID != "" {
		s += "#" + e.ID
	}
	if e.Name != "" {
		s += " " + e.Name
	}
	switch e.Type {
	case stream.TextDelta:
		s += fmt.Sprintf("(%s)[%d:%d]", e.Delta, e.Start, e.End)
	case stream.ToolInputStart:
		s += fmt.Sprintf("[%d]", e.Start)
	case stream.ToolInputDelta:
		s += fmt.Sprintf("(%s)", e.Delta)
	case stream.ToolCall:
		s += fmt.Sprintf("(%s)[%d:%d]", e.Input, e.Start, e.End)
		for _, is := range e.Issues {
			s += fmt.Sprintf(" %s@%d", is.Code, is.At)
		}
		if e.Mended {
			s += " mended"
		}
		if e.AfterMalformed {
			s += " after"
		}
	case stream.Malformed:
		s += fmt.Sprintf(" %s@%d(%s)[%d:%d]", e.Err.Code, e.Err.Offset, e.Text, e.Start, e.End)
		if e.Cut {
			s += " cut"
		}
		if !e.Closed {
			s += " open"
		}
	}
	return s
}

// showAll returns events as one line.
func showAll(events []stream.Event) string {
	words := make([]string, len(events))
	for i, e := range events {
		words[i] = show(e)
	}
	return strings.Join(words, " ")
}

// decodeChunks returns the events of the chunks, cloned, Close included.
func decodeChunks(d *stream.Decoder, chunks ...string) (all []stream.Event) {
	keep := func(events []stream.Event) {
		for _, e := range events {
			all = append(all, e.Clone())
		}
	}
	for _, c := range chunks {
		chunk := []byte(c)
		keep(d.Feed(chunk))
		for i := range chunk {
			chunk[i] = '#'
		}
	}
	keep(d.Close())
	return all
}

// joined returns events with the deltas of one id joined.
func joined(events []stream.Event) (all []stream.Event) {
	for _, e := range events {
		if n := len(all) - 1; n >= 0 && all[n].Type == e.Type && all[n].ID == e.ID && len(e.Delta) > 0 {
			all[n].Delta = append(all[n].Delta, e.Delta...)
			all[n].End = e.End
			continue
		}
		all = append(all, e)
	}
	return all
}

// everySplit calls f with the divisions of text into chunks: the whole, single
// bytes with empty chunks between them, and all pairs.
func everySplit(text string, f func(chunks ...string)) {
	f(text)
	var ones []string
	for i := range len(text) {
		ones = append(ones, text[i:i+1], "")
	}
	f(ones...)
	for i := range len(text) + 1 {
		f(text[:i], text[i:])
	}
}

// catalogOf returns a catalog of the tool t with that schema, or nil for none.
func catalogOf(t *testing.T, schema string) *sig.Catalog {
	t.Helper()
	if schema == "" {
		return nil
	}
	c, err := sig.Compile([]sig.Tool{{Name: "t", Schema: []byte(schema)}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
