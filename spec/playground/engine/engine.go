package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwire/callwire/internal/bridge"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// Serve answers a request in JSON. An answer always comes: what cannot be read is
// its error.
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
func Protocols() []string { return protocol.Names(large...) }

// protocolNamed returns the format of that name, nil if there is none.
func protocolNamed(name string) parse.Protocol { return protocol.ByName(name, large...) }

// Read answers a request.
func Read(r Request) Answer {
	a := Answer{Segments: []Segment{}, Chunks: []Chunk{}, Protocols: Protocols()}
	catalog := a.compile(r.Tools)
	o := parse.Options{
		Delims: lexer.Delims{Open: r.Open, Close: r.Close},
		Strict: r.Strict, StopAfterMalformed: r.StopAfterMalformed, AcceptAtEnd: r.AcceptAtEnd, Salvage: r.Salvage,
	}
	if r.Protocol != "" && r.Protocol != protocol.Wire.String() {
		if o.Protocol = protocolNamed(r.Protocol); o.Protocol == nil {
			a.Error = fmt.Sprintf("no protocol %q; there is %s", r.Protocol, strings.Join(Protocols(), ", "))
			return a
		}
	}
	if o.Delims != (lexer.Delims{}) {
		if err := o.Delims.Validate(); err != nil {
			a.Error = err.Error()
			return a
		}
	}
	m, err := manual.New(catalog, &manual.Options{
		Tags: format.Tags(o.Delims), Format: bridge.Format(o.Protocol),
	})
	if err != nil { // the tags occur in signatures
		m, _ = manual.New(catalog, nil)
	} else {
		a.Tools.Signatures, a.Tools.Manual = m.Parts().Signatures, m.String()
	}
	a.read(r, m, o)
	a.cut(r.Text, min(max(r.Cut, 0), len(r.Text)), catalog, o)
	if r.EverySplit {
		a.Splits = everySplit(r.Text, catalog, o)
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
func (a *Answer) read(r Request, m *manual.Manual, o parse.Options) {
	text := r.Text
	for _, s := range o.Text(text, m.Catalog()) {
		one := Segment{
			Type: s.Kind.String(), Start: s.Start, End: s.End, Text: text[s.Start:s.End],
			Name: s.Name, Input: string(s.Input), AfterMalformed: s.AfterMalformed, Closed: s.Closed,
		}
		for _, i := range s.Issues {
			one.Issues = append(one.Issues, Issue{string(i.Code), i.Path, i.At})
		}
		if s.Err != nil {
			one.Code, one.At, one.Message = string(s.Err.Code), s.Err.Offset, s.Err.Error()
			one.Before = text[s.Start:min(max(one.At, s.Start), len(text))]
		}
		if o.Protocol == nil {
			one.Feedback = m.Feedback(bridge.Segment(s))
			if s.Kind != parse.Prose {
				one.Tokens = tokens(one.Text, s.Start, o.Delims)
				one.Path = path(r.Grammar, one.Tokens)
			}
		}
		a.Segments = append(a.Segments, one)
	}
}

// cut reads the text in two chunks.
func (a *Answer) cut(text string, at int, catalog *sig.Catalog, o parse.Options) {
	d := stream.NewDecoder(catalog, stream.Options{Options: o})
	a.Chunks = append(a.Chunks,
		Chunk{text[:at], events(d.FeedString(text[:at]))},
		Chunk{text[at:], events(d.FeedString(text[at:]))},
		Chunk{"", events(d.Close())},
	)
}

// events copies events, which hold only until the next chunk.
func events(list []stream.Event) []Event {
	all := make([]Event, 0, len(list))
	for _, e := range list {
		one := Event{Type: e.Type.String(), ID: e.ID, Name: e.Name, Delta: string(e.Delta)}
		switch e.Type {
		case stream.ToolCall:
			one.Input = string(e.Input)
		case stream.Malformed:
			one.Code, one.At = string(e.Err.Code), e.Err.Offset
		}
		all = append(all, one)
	}
	return all
}

// mostWork bounds the bytes that are read for all splits: less than a second's
// work for a browser.
const mostWork = 4 << 20

// everySplit reads the text in two chunks at every place, or, where that is too
// much, at places that lie evenly.
func everySplit(text string, catalog *sig.Catalog, o parse.Options) *Splits {
	d := stream.NewDecoder(catalog, stream.Options{Options: o})
	s := &Splits{Of: len(text) + 1, Same: true}
	step := 1 + (len(text)+1)*len(text)/mostWork
	whole := joined(d, text, "")
	for at := 0; at <= len(text); at += step {
		s.Tried++
		d.Reset()
		if joined(d, text[:at], text[at:]) != whole {
			s.Same, s.Differ = false, at
			break
		}
	}
	return s
}

// joined returns the events of two chunks as text, adjacent deltas joined.
func joined(d *stream.Decoder, first, second string) string {
	var b strings.Builder
	last, id := stream.Type(255), ""
	write := func(list []stream.Event) {
		for _, e := range list {
			delta := e.Type == stream.TextDelta || e.Type == stream.ToolInputDelta
			if !delta || e.Type != last || e.ID != id {
				fmt.Fprintf(&b, "\n%s %s %s ", e.Type, e.ID, e.Name)
			}
			b.Write(e.Delta)
			if e.Segment != nil {
				fmt.Fprintf(&b, "%d %d %s", e.Segment.Start, e.Segment.End, e.Segment.Input)
				if e.Err != nil {
					fmt.Fprintf(&b, " %s %d", e.Err.Code, e.Err.Offset)
				}
			}
			last, id = e.Type, e.ID
		}
	}
	write(d.FeedString(first))
	write(d.FeedString(second))
	write(d.Close())
	return b.String()
}
