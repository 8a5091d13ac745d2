package fuzz

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// TestNoAliasing: property 20. Events may alias the chunk and hold until the next
// Feed; what happens to the chunk after that changes no later event. Here all
// chunks come in one buffer, as a reader's do, which is overwritten between.
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

// TestEventsHold: property 20. The events of one Feed hold until the next: each
// is still what it was when the last of them is there, and a clone is for good.
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

// TestEventsBelongToTheConsumer: property 20. Whatever a consumer writes to an
// event, or appends to its slices, no later event is another one, not of the same
// chunk either.
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

// spoil writes to all that e leads to.
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
