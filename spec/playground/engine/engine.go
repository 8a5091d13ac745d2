// Package engine answers requests of the playground page, in JSON, with everything
// that the library finds in a text and its tools. The page calls it through wasm, or
// over HTTP if callwire serves the page.
package engine

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/events"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// Request is what the page asks.
type Request struct {
	Text     string `json:"text"`
	Tools    string `json:"tools"`    // JSON; "" knows no tools and types nothing
	Protocol string `json:"protocol"` // its name; "" is the wire format
	Open     string `json:"open"`     // tags; "" are the default ones
	Close    string `json:"close"`

	Strict             bool `json:"strict"`
	StopAfterMalformed bool `json:"stopAfterMalformed"`
	AcceptAtEnd        bool `json:"acceptAtEnd"`
	Salvage            bool `json:"salvage"`

	Cut        int  `json:"cut"` // bytes, where the text is cut in two for the events
	EverySplit bool `json:"everySplit"`
}

// Answer is what the page shows. Offsets are bytes.
type Answer struct {
	Error     string           `json:"error,omitempty"`      // of the options: nothing was read
	ToolError string           `json:"toolsError,omitempty"` // the tools were left out
	Problems  []sig.Problem    `json:"problems,omitempty"`   // of the tools
	Segments  []Segment        `json:"segments"`
	Lexemes   []lexer.Lexeme   `json:"lexemes"`
	Chunks    [][]corpus.Event `json:"chunks"`           // of both halves of the text, and its end
	Splits    *Splits          `json:"splits,omitempty"` // if the request has every split
	Tools     Tools            `json:"tools"`
	Protocols []string         `json:"protocols"`
}

// Segment is a part of the text.
type Segment struct {
	corpus.Event
	Feedback string `json:"feedback,omitempty"` // for the model
}

// Splits reports whether the text reads the same at every cut.
type Splits struct {
	Tried  int  `json:"tried"`
	Of     int  `json:"of"`
	Same   bool `json:"same"`
	Differ int  `json:"differ,omitempty"` // the first cut that changes an event
}

// Tools is what a model reads about the tools.
type Tools struct {
	Signatures []string `json:"signatures"`
	Manual     string   `json:"manual"`
	Schema     int      `json:"schema"` // bytes of the tools as JSON
}

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
	a := Answer{
		Segments: []Segment{}, Chunks: [][]corpus.Event{}, Protocols: Protocols(),
	}
	known := protocol.Lookup(cmp.Or(r.Protocol, protocol.Wire.Name), yaml.XML)
	if known == nil {
		a.Error = fmt.Sprintf("no protocol %q; there is %s", r.Protocol,
			strings.Join(a.Protocols, ", "))
		return a
	}
	own := *known
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
	a.Lexemes, err = lexer.Lexemes(&own, lexer.Limits{}, []byte(r.Text))
	if err != nil {
		a.Error = err.Error()
		return a
	}
	segments, _ := parse.Message(catalog, r.Text, o) // the options are good
	for _, s := range segments {
		one := Segment{events.Of(&s), m.Feedback(s)}
		if s.Err != nil {
			one.Name, one.Message = s.Err.Tool, s.Err.Error()
		}
		a.Segments = append(a.Segments, one)
	}
	a.Chunks = cut(r, catalog, o)
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

// cut reads the text in two chunks, and returns the events of each and of the end.
func cut(r Request, catalog *sig.Catalog, o *parse.Options) [][]corpus.Event {
	part, parts := 0, [][]corpus.Event{{}, {}, {}}
	decoder, _ := stream.NewDecoder(catalog, func(e stream.Event) error { // good, too
		one := events.OfStream(&e)
		one.Name = e.Name // of malformed calls, too
		parts[part] = append(parts[part], one)
		return nil
	}, o)
	at := min(max(r.Cut, 0), len(r.Text))
	decoder.Write([]byte(r.Text[:at])) // the callback does not fail
	part++
	decoder.Write([]byte(r.Text[at:]))
	part++
	decoder.Close()
	return parts
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
