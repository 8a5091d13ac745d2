package fuzz

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// TestDecoderModel calls Feed, Close, Abort and Reset of a decoder in any order, and compares
// it with a model that keeps all chunks of a message and rereads them as a whole each time.
func TestDecoderModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := Drawn(rt)
		m := &model{
			setup: oneOf(c, setups...), strip: oneOf(c, stream.StripNone, stream.StripLeading, stream.StripAll), asText: chance(c, 4),
		}
		opts := m.setup.stream()
		opts.StripText, opts.MalformedAsText = m.strip, m.asText
		m.decoder = stream.NewDecoder(m.setup.Catalog, opts)
		m.open()
		rt.Repeat(map[string]func(*rapid.T){
			"":      m.check,
			"feed":  m.feed,
			"close": m.close,
			"abort": m.abort,
			"reset": m.reset,
		})
	})
}

// model is a decoder and what it should have emitted.
type model struct {
	setup   Setup
	strip   stream.Strip
	asText  bool
	decoder *stream.Decoder

	in     []byte // all chunks so far
	queue  []byte // of the message being fed
	closed bool
	broken bool // by Abort
	said   []stream.Event
}

func (m *model) open() {
	m.decoder.Reset()
	m.in, m.queue, m.closed, m.broken, m.said = nil, nil, false, false, nil
}

func (m *model) take(events []stream.Event) {
	for _, e := range events {
		m.said = append(m.said, e.Clone())
	}
}

func (m *model) feed(t *rapid.T) {
	c := Drawn(t)
	if len(m.queue) == 0 {
		m.queue = m.setup.Message(c)
	}
	n := min(len(m.queue), oneOf(c, 1, 0, 2, 3, 5, 50, 1000))
	chunk := m.queue[:n]
	m.queue = m.queue[n:]
	if !m.closed {
		m.in = append(m.in, chunk...)
	}
	m.take(m.decoder.Feed(chunk))
}

func (m *model) close(*rapid.T) {
	m.take(m.decoder.Close())
	m.closed = true
}

func (m *model) abort(*rapid.T) {
	m.take(m.decoder.Abort())
	m.broken = m.broken || !m.closed
	m.closed = true
}

func (m *model) reset(*rapid.T) { m.open() }

// check compares what was emitted with the whole text: all of it after the end, and before
// that all except what may still change.
func (m *model) check(t *rapid.T) {
	opts := m.setup.parse()
	opts.AcceptAtEnd = opts.AcceptAtEnd && !m.broken
	segs := opts.Text(string(m.in), m.setup.Catalog)
	if n := len(segs) - 1; m.broken && n >= 0 && closedByEnd(segs[n]) {
		s := &segs[n]
		s.Kind, s.Input, s.Issues, s.Err = parse.Malformed, nil, nil, &lexer.Error{Code: lexer.Unterminated, Offset: s.End}
	}
	want := m.expect(segs)
	got := m.heard()
	if m.closed {
		if diff := Differ(want, got); diff != "" {
			t.Fatalf("%q: %s", m.in, diff)
		}
		return
	}
	for i, p := range got {
		last := i == len(got)-1
		if i >= len(want) || !p.Equal(want[i]) && !(last && p.Kind == kindText && want[i].Kind == kindText && len(p.Text) <= len(want[i].Text)) {
			t.Fatalf("%q: emitted too early: %+v", m.in, p)
		}
	}
}

// closedByEnd reports whether the end of the message stands for the close tag of the call
// s, as it does under Salvage unless the message broke off.
func closedByEnd(s parse.Segment) bool {
	return s.Kind == parse.Call && slices.ContainsFunc(s.Issues, func(is parse.Issue) bool {
		return is.Path == "missing-close" && is.At == s.End
	})
}

// expect returns the parts for segs under the options.
func (m *model) expect(segs []parse.Segment) []Part {
	var parts []Part
	called := false
	for i := range segs {
		s := &segs[i]
		p := ofSegment(s)
		switch s.Kind {
		case parse.Prose:
			if m.strip == stream.StripAll || m.strip == stream.StripLeading && !called {
				continue
			}
			parts = glue(parts, p)
		case parse.Call:
			called = true
			parts = append(parts, p)
		case parse.Malformed:
			parts = append(parts, p)
			called = called || m.begins(s)
			if m.asText {
				text := s.Text
				if s.Cut { // text holds no half of a rune
					text = text[:len(text)-lexeme.PartialRune(text)]
				}
				parts = glue(parts, Part{Kind: kindText, Start: s.Start, End: s.Start + len(text), Text: string(text)})
			}
		}
	}
	return parts
}

// begins reports whether the malformed call s had begun, with a complete and known name.
func (m *model) begins(s *parse.Segment) bool {
	for _, e := range m.said {
		if e.Type == stream.ToolInputStart && e.Start == s.Start {
			return true
		}
	}
	return false
}

// heard returns the parts of the events so far.
func (m *model) heard() []Part {
	var parts []Part
	for _, e := range m.said {
		switch e.Type {
		case stream.TextDelta:
			parts = glue(parts, Part{Kind: kindText, Start: e.Start, End: e.End, Text: string(e.Delta)})
		case stream.ToolCall:
			parts = append(parts, Part{Kind: kindCall, Start: e.Start, End: e.End, Input: string(e.Input), Name: e.Name, After: e.AfterMalformed, Issues: e.Issues})
		case stream.Malformed:
			parts = append(parts, Part{
				Kind: kindMalformed, Start: e.Start, End: e.End, Text: string(e.Text), Name: e.Name,
				After: e.AfterMalformed, Code: e.Err.Code, At: e.Err.Offset, Closed: e.Closed, Cut: e.Cut,
			})
		}
	}
	return parts
}

// glue appends text to the text before it, even if the spans are not adjacent.
func glue(parts []Part, p Part) []Part {
	if n := len(parts); n > 0 && parts[n-1].Kind == kindText {
		parts[n-1].End = p.End
		parts[n-1].Text += p.Text
		return parts
	}
	return append(parts, p)
}
