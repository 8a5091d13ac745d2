// Package engine answers requests of the playground page, in JSON, with everything
// that the library finds in a text and its tools. The page calls it through wasm, or
// over HTTP if callwire serves the page.
package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/events"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
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
	out, _ := json.Marshal(a) // strings, numbers and booleans always can
	return out
}

// Protocols returns the names of the formats that the page offers, the wire format's
// first.
func Protocols() []string { return format.Names(append(protocol.All(), yaml.XML)) }

// Read answers a request.
func Read(r Request) Answer {
	a := Answer{Segments: []Segment{}, Chunks: []Chunk{}, Protocols: Protocols()}
	format := protocol.Wire
	if r.Protocol != "" {
		format = protocol.Lookup(r.Protocol, yaml.XML)
	}
	if format == nil {
		names := strings.Join(a.Protocols, ", ")
		a.Error = fmt.Sprintf("no protocol %q; there is %s", r.Protocol, names)
		return a
	}
	own := *format
	tags := parse.Tags{Open: r.Open, Close: r.Close}
	if tags != (parse.Tags{}) && !own.ToolTags() {
		own.Call = tags
	}
	o := &parse.Options{
		Format: &own, Strict: r.Strict, Repair: r.Salvage, AllowInCode: true,
		AllowAfterMalformed: !r.StopAfterMalformed, AllowUnclosed: r.AcceptAtEnd,
	}
	catalog := a.compile(r.Tools)
	m, err := manual.New(catalog, &manual.Options{Format: &own})
	if err != nil { // the tags occur in signatures
		m, _ = manual.New(catalog, nil)
	} else {
		text, _ := m.MarshalJSON() // strings always can
		json.Unmarshal(text, &a.Tools)
		a.Tools.Manual = m.String()
	}
	if catalog == nil && !own.NeedsTools() {
		catalog = sig.AnyTool
	}
	if err := a.cut(r, catalog, o); err != nil {
		a.Error = err.Error()
		return a
	}
	a.read(r.Text, m, catalog, o)
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
	a.Problems = catalog.Problems()
	var compact bytes.Buffer
	json.Compact(&compact, []byte(tools))
	a.Tools.Schema = compact.Len()
	return catalog
}

// read reads the text as a whole.
func (a *Answer) read(text string, m *manual.Manual, catalog *sig.Catalog, o *parse.Options) {
	segments, _ := parse.Message(catalog, text, o) // the decoder has taken the options
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
		if o.Format.Name == protocol.Wire.Name {
			one.Feedback = m.Feedback(*s)
			if one.Type != corpus.TextEvent {
				one.Tokens = tokens(one.Text, s.Start, o.Format, one.Closed)
			}
		}
		a.Segments = append(a.Segments, one)
	}
}

// cut reads the text in two chunks.
func (a *Answer) cut(r Request, catalog *sig.Catalog, o *parse.Options) error {
	var list []corpus.Event
	decoder, err := stream.NewDecoder(catalog, func(e stream.Event) error {
		one := events.OfStream(&e)
		one.Name = e.Name // of malformed calls, too
		list = append(list, one)
		return nil
	}, o)
	if err != nil {
		return err
	}
	at := min(max(r.Cut, 0), len(r.Text))
	for _, chunk := range []string{r.Text[:at], r.Text[at:]} {
		list = []corpus.Event{}
		decoder.Write([]byte(chunk)) // the callback does not fail
		a.Chunks = append(a.Chunks, Chunk{chunk, list})
	}
	list = []corpus.Event{}
	decoder.Close()
	a.Chunks = append(a.Chunks, Chunk{"", list})
	return nil
}

// mostWork bounds the bytes that are read for all splits: less than a second's
// work for a browser.
const mostWork = 4 << 20

// everySplit reads the text in two chunks, split at every offset. If that is too much
// work, it uses evenly spaced offsets.
func everySplit(text string, catalog *sig.Catalog, o *parse.Options) *Splits {
	s := &Splits{Of: len(text) + 1, Same: true}
	step := 1 + (len(text)+1)*len(text)/mostWork
	reading, _ := events.NewReading(catalog, o, []byte(text)) // the options are good
	whole := bytes.Clone(reading.Lines(nil))
	for at := 0; at <= len(text); at += step {
		s.Tried++
		if !bytes.Equal(reading.Lines([]int{at}), whole) {
			s.Same, s.Differ = false, at
			break
		}
	}
	return s
}
