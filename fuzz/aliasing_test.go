package fuzz

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// TestNoAliasing: property 20. Events may alias the chunk and are valid until the next
// Feed; changes to the chunk after that do not affect later events. Here all chunks
// share one buffer, as in a reader, which is overwritten between them.
func TestNoAliasing(t *testing.T) {
	everyReader(t, func(t *testing.T, open func(Setup) Reader) {
		everySample(t, func(rt *rapid.T, s sample) {
			want, err := Read(open(s.setup), s.in)
			if err != nil {
				rt.Fatal(err)
			}
			buf := make([]byte, len(s.in))
			r := open(s.setup)
			for _, c := range Chunks(s.in, s.cuts) {
				r.Feed(buf[:copy(buf, c)])
				for i := range buf {
					buf[i] = "<\"'\\ax"[i%6]
				}
			}
			r.Close()
			if err := r.Err(); err != nil {
				rt.Fatal(err)
			}
			if diff := Differ(want, r.Parts()); diff != "" {
				rt.Fatalf("%q cut %v: %s", s.in, s.cuts, diff)
			}
		})
	})
}

// TestEventsHold: property 20. The events of one Feed are valid until the next: each
// is unchanged when the last of them arrives, and a clone stays valid.
func TestEventsHold(t *testing.T) {
	everySample(t, func(rt *rapid.T, s sample) {
		want, err := Read(newDecoderReader(s.setup), s.in)
		if err != nil {
			rt.Fatal(err)
		}
		held, cloned := newDecoderReader(s.setup), newDecoderReader(s.setup)
		d := stream.NewDecoder(s.setup.Catalog, s.setup.stream())
		var clones []stream.Event
		take := func(events []stream.Event) {
			held.read(events)
			for _, e := range events {
				clones = append(clones, e.Clone())
			}
		}
		for _, c := range Chunks(s.in, s.cuts) {
			own := bytes.Clone(c)
			take(d.Feed(own))
			clear(own)
		}
		take(d.Close())
		d.Reset()
		d.Feed(s.in) // in the memory of the events before
		cloned.read(clones)
		for _, r := range []*decoderReader{held, cloned} {
			if diff := Differ(want, r.Parts()); diff != "" || r.Err() != nil {
				rt.Fatalf("%q cut %v: %v, %s", s.in, s.cuts, r.Err(), diff)
			}
		}
	})
}

// TestEventsBelongToTheConsumer: property 20. Whatever a consumer writes to an event,
// or appends to its slices, does not change later events, even of the same chunk.
func TestEventsBelongToTheConsumer(t *testing.T) {
	everySample(t, func(rt *rapid.T, s sample) {
		want, err := Read(newDecoderReader(s.setup), s.in)
		if err != nil {
			rt.Fatal(err)
		}
		var clones []stream.Event
		take := func(events []stream.Event) {
			for i := range events {
				clones = append(clones, events[i].Clone())
				spoil(&events[i])
			}
		}
		d := stream.NewDecoder(s.setup.Catalog, s.setup.stream())
		for _, c := range Chunks(s.in, s.cuts) {
			take(d.Feed(bytes.Clone(c)))
		}
		take(d.Close())
		r := newDecoderReader(s.setup)
		r.read(clones)
		if diff := Differ(want, r.Parts()); diff != "" || r.Err() != nil {
			rt.Fatalf("%q cut %v: %v, %s", s.in, s.cuts, r.Err(), diff)
		}
	})
}

// spoil overwrites everything that e refers to.
func spoil(e *stream.Event) {
	fill := func(b []byte) {
		for i := range b {
			b[i] = "x\"\\"[i%3]
		}
		_ = append(b, "xxxxxxxxxxxxxxxx"...)
	}
	fill(e.Delta)
	if o := e.Segment; o != nil {
		fill(o.Input)
		fill(o.Text)
		clear(o.Issues)
		_ = append(o.Issues, parse.Issue{Code: "mine"}, parse.Issue{Code: "mine"})
		if o.Err != nil {
			*o.Err = lexer.Error{}
		}
		*o = parse.Segment{}
	}
	*e = stream.Event{Type: stream.Malformed, ID: "mine", Name: "mine", Delta: []byte("mine")}
}
