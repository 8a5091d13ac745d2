package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/events"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// Serve answers a request in JSON. It always returns an answer; if the request cannot
// be read, the answer has the error.
func Serve(request []byte) []byte {
	var r Request
	a := Answer{}
	if err := json.Unmarshal(request, &r); err != nil {
		a.Error = err.Error()
	} else {
		a = Read(r)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.Encode(a) // strings, numbers and booleans always can
	return out.Bytes()
}

// Protocols returns the names of the formats that the page offers, the wire format's
// first.
func Protocols() []string {
	var names []string
	for _, f := range append(protocol.All(), large...) {
		names = append(names, f.Name)
	}
	return names
}

// wire is the format whose calls are shown word by word.
var wire = protocol.Wire

// Read answers a request.
func Read(r Request) Answer {
	a := Answer{Segments: []Segment{}, Chunks: []Chunk{}, Protocols: Protocols()}
	catalog := a.compile(r.Tools)
	o := &parse.Options{
		Format: wire, Strict: r.Strict, Repair: r.Salvage, AllowInCode: true,
		AllowAfterMalformed: !r.StopAfterMalformed, AllowUnclosed: r.AcceptAtEnd,
	}
	if r.Protocol != "" {
		o.Format = protocol.Lookup(r.Protocol, large...)
		if o.Format == nil {
			names := strings.Join(Protocols(), ", ")
			a.Error = fmt.Sprintf("no protocol %q; there is %s", r.Protocol, names)
			return a
		}
	}
	own := *o.Format
	tags := parse.Tags{Open: r.Open, Close: r.Close}
	if tags != (parse.Tags{}) && !own.ToolTags() {
		own.Call = tags
	}
	o.Format = &own
	m, err := manual.New(catalog, &manual.Options{Format: o.Format})
	if err != nil { // the tags occur in signatures
		m, _ = manual.New(catalog, nil)
	} else {
		a.Tools.Signatures, a.Tools.Manual = m.Parts().Signatures, m.String()
	}
	if catalog == nil && !own.NeedsTools() {
		catalog = sig.AnyTool
	}
	decoder, err := newDecoder(catalog, o)
	if err != nil {
		a.Error = err.Error()
		return a
	}
	a.read(r, m, catalog, o)
	a.cut(r.Text, min(max(r.Cut, 0), len(r.Text)), decoder)
	if r.EverySplit {
		a.Splits = everySplit(r.Text, decoder)
	}
	return a
}

// compile compiles the tools; where it cannot, values are untyped.
func (a *Answer) compile(tools string) *sig.Catalog {
	if strings.TrimSpace(tools) == "" {
		return nil
	}
	catalog, err := sig.Compile(tools)
	if err != nil {
		a.ToolError = err.Error()
		return nil
	}
	for _, p := range catalog.Problems() {
		a.Problems = append(a.Problems, Problem{p.Tool, p.Path, p.Code, p.Message})
	}
	var compact bytes.Buffer
	json.Compact(&compact, []byte(tools))
	a.Tools.Schema = compact.Len()
	return catalog
}

// read reads the text as a whole.
func (a *Answer) read(r Request, m *manual.Manual, catalog *sig.Catalog, o *parse.Options) {
	text := r.Text
	segments, _ := parse.Message(catalog, text, o) // the options are those of the decoder
	for i := range segments {
		s := &segments[i]
		one := Segment{Event: events.Of(s), Text: text[s.Start:s.End]}
		switch {
		case s.Call == nil && s.Err == nil: // tags around calls are shown as text
			one.Type = corpus.TextEvent
		case s.Err != nil:
			one.Name, one.Message = s.Err.Tool, s.Err.Error()
			one.Before = text[s.Start:min(max(one.At, s.Start), len(text))]
		}
		if o.Format.Name == wire.Name {
			one.Feedback = m.Feedback(*s)
			if one.Type != corpus.TextEvent {
				one.Tokens = tokens(one.Text, s.Start, o.Format.Call, one.Closed)
				one.Path = path(r.Grammar, one.Tokens)
			}
		}
		a.Segments = append(a.Segments, one)
	}
}

// decoder reads a text in chunks.
type decoder struct {
	*stream.Decoder
	events []stream.Event // with deltas of their own
}

func newDecoder(catalog *sig.Catalog, o *parse.Options) (*decoder, error) {
	d := new(decoder)
	var err error
	d.Decoder, err = stream.NewDecoder(catalog, func(e stream.Event) error {
		e.Delta = bytes.Clone(e.Delta)
		d.events = append(d.events, e)
		return nil
	}, o)
	return d, err
}

// feed returns the events of a chunk.
func (d *decoder) feed(chunk string) []stream.Event {
	d.events = d.events[:0]
	d.Write([]byte(chunk)) // the callback does not fail
	return d.events
}

// end returns the events of the end.
func (d *decoder) end() []stream.Event {
	d.events = d.events[:0]
	d.Close()
	return d.events
}

// cut reads the text in two chunks.
func (a *Answer) cut(text string, at int, d *decoder) {
	a.Chunks = append(a.Chunks,
		Chunk{text[:at], shown(d.feed(text[:at]))},
		Chunk{text[at:], shown(d.feed(text[at:]))},
		Chunk{"", shown(d.end())},
	)
}

// shown returns events as the page shows them.
func shown(list []stream.Event) []corpus.Event {
	all := make([]corpus.Event, 0, len(list))
	for i := range list {
		one := events.OfStream(&list[i])
		one.Name = list[i].Name // of malformed calls, too
		all = append(all, one)
	}
	return all
}

// mostWork bounds the bytes that are read for all splits: less than a second's
// work for a browser.
const mostWork = 4 << 20

// everySplit reads the text in two chunks, split at every offset. If that is too much
// work, it uses evenly spaced offsets.
func everySplit(text string, d *decoder) *Splits {
	s := &Splits{Of: len(text) + 1, Same: true}
	step := 1 + (len(text)+1)*len(text)/mostWork
	whole := joined(d, text, "")
	for at := 0; at <= len(text); at += step {
		s.Tried++
		if joined(d, text[:at], text[at:]) != whole {
			s.Same, s.Differ = false, at
			break
		}
	}
	return s
}

// joined returns the events of two chunks as text, adjacent deltas joined.
func joined(d *decoder, first, second string) string {
	var b strings.Builder
	var last stream.Event
	write := func(list []stream.Event) {
		for _, e := range list {
			if len(e.Delta) == 0 || e.Type != last.Type || e.ID != last.ID {
				fmt.Fprintf(&b, "\n%s %s %s ", e.Type, e.ID, e.Name)
			}
			b.Write(e.Delta)
			switch e.Type {
			case stream.Call:
				fmt.Fprintf(&b, "%d %d %s", e.Start, e.End, e.Call.Input)
			case stream.Malformed:
				fmt.Fprintf(&b, "%d %d %s %d", e.Start, e.End, e.Err.Code, e.Err.Offset)
			}
			last = e
		}
	}
	d.Reset()
	write(d.feed(first))
	write(d.feed(second))
	write(d.end())
	return b.String()
}
