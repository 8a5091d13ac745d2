package serve

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/events"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// do answers a request by its operation.
func (s *Server) do(line []byte) (a corpus.Answer, err error) {
	var r corpus.Request
	if err := json.Unmarshal(line, &r); err != nil {
		return a, jsonl.Error(err)
	}
	if r.Seq == nil {
		return a, errors.New("a request has a seq, which comes back in the answer")
	}
	s.events = []corpus.Event{}
	switch r.Op {
	case corpus.Parse:
		err = s.parse(&r)
		a.Events = s.events
	case corpus.Feed, corpus.Close, corpus.Reset:
		err = s.stream(&r)
		a.Events = s.events
	case corpus.Format:
		a.Text, err = s.format(&r)
	case corpus.Sig, corpus.Manual:
		a, err = s.explain(&r)
	default:
		err = fmt.Errorf("unknown op %q; hello names those that are served", r.Op)
	}
	return a, err
}

// parse collects the events of a text.
func (s *Server) parse(r *corpus.Request) error {
	if r.Text == nil {
		return errors.New("parse needs a text")
	}
	options, catalog, err := s.setting(&r.Setting)
	if err != nil {
		return err
	}
	text, err := r.Whole()
	if err != nil {
		return err
	}
	options.NewID = func(int) string { return "" } // a call has the ID of its format, or none
	segments, err := parse.Message(catalog, string(text), &options)
	for i := range segments {
		s.events = append(s.events, events.Of(&segments[i]))
	}
	return err
}

// stream collects the events that a chunk or the end of a stream completes. The first chunk with an
// id begins a stream; its end forgets it.
func (s *Server) stream(r *corpus.Request) error {
	open := s.streams[r.ID]
	configures := r.Tools != nil || r.Options != (corpus.Options{}) ||
		r.Delims != nil || r.Protocol != ""
	switch {
	case r.Op != corpus.Feed && open == nil:
		return fmt.Errorf("no stream has the id %q; its first feed begins it", r.ID)
	case r.Op == corpus.Close:
		delete(s.streams, r.ID)
		return open.Close()
	case r.Op == corpus.Reset:
		open.Reset()
		return nil
	case r.ID == "" || r.Text == nil:
		return errors.New("feed needs the id of a stream, and a text")
	case open != nil && configures:
		return fmt.Errorf("the stream %q has begun: tools, options, delims and protocol come with "+
			"its first chunk", r.ID)
	}
	text, err := r.Whole()
	if err == nil && open == nil {
		open, err = s.begin(r)
	}
	if err == nil {
		_, err = open.Write(text)
	}
	return err
}

// begin opens the stream of a request.
func (s *Server) begin(r *corpus.Request) (*stream.Decoder, error) {
	if len(s.streams) == manyStreams {
		return nil, fmt.Errorf("%d streams are open; close some", manyStreams)
	}
	options, catalog, err := s.setting(&r.Setting)
	if err != nil {
		return nil, err
	}
	emit := func(e stream.Event) error {
		s.events = append(s.events, events.OfStream(&e))
		return nil
	}
	open, err := stream.NewDecoder(catalog, emit, &options)
	if err == nil {
		s.streams[r.ID] = open
	}
	return open, err
}

// format returns the canonical writing of a call.
func (s *Server) format(r *corpus.Request) (corpus.Bytes, error) {
	if r.Name == nil || r.Input == nil {
		return nil, errors.New("format needs a name and an input, which is JSON text in a string")
	}
	options, catalog, err := s.setting(&r.Setting)
	if err != nil {
		return nil, err
	}
	o := parse.FormatOptions{Format: options.Format, Limits: options.Limits}
	text, err := parse.FormatCall(catalog, string(r.Name), json.RawMessage(r.Input), &o)
	return corpus.Bytes(text), err
}

// explain answers with the signatures of tools, or their manual.
func (s *Server) explain(r *corpus.Request) (a corpus.Answer, err error) {
	if r.Delims != nil {
		return a, errors.New("sig and manual have no delims; open and close are options of theirs")
	}
	words := corpus.Wording{}
	if r.Options.Wording != nil {
		words = *r.Options.Wording
	}
	r.Delims = &corpus.Delims{Open: words.Open, Close: words.Close}
	options, catalog, err := s.setting(&r.Setting)
	if err != nil {
		return a, err
	}
	if rawjson.IsNull(r.Tools) {
		return a, errors.New("sig and manual need tools")
	}
	o, err := protocol.Wording(&words, options.Format)
	if err != nil {
		return a, err
	}
	if r.Op == corpus.Manual {
		m, err := manual.New(catalog, &o)
		if err != nil {
			return a, err
		}
		return corpus.Answer{Text: corpus.Bytes(m.String())}, nil
	}
	a.Lines = []string{}
	for _, t := range catalog.Tools() {
		p, err := t.Plan(o.Form)
		if err != nil {
			return a, err
		}
		a.Lines = append(a.Lines, o.Signatures.Signature(p))
	}
	return a, nil
}

// setting returns the options and the catalog of a request. The name of its format is a member or
// an option.
func (s *Server) setting(r *corpus.Setting) (o parse.Options, catalog *sig.Catalog, err error) {
	option := r.Options.Protocol
	if r.Protocol != "" && option != "" && r.Protocol != option {
		return o, nil, fmt.Errorf("the protocol is %s, and in the options %s", r.Protocol, option)
	}
	var tags parse.Tags
	if r.Delims != nil {
		tags = parse.Tags(*r.Delims)
	}
	o = parse.Options{
		Limits:              parse.Limits(r.Options.Limits),
		Strict:              r.Options.Strict,
		Repair:              r.Options.Salvage,
		AllowAfterMalformed: !r.Options.StopAfterMalformed,
		AllowInCode:         !r.Options.Code,
		AllowUnclosed:       r.Options.AcceptAtEnd,
	}
	if r.Options.Reasoning {
		o.Reasoning = parse.TaggedReasoning
	}
	o.Format, err = protocol.Format(cmp.Or(r.Protocol, option), tags)
	if err == nil && !rawjson.IsNull(r.Tools) {
		catalog, err = s.catalog(r.Tools)
	}
	return o, protocol.Tools(o.Format, catalog), err
}

// catalog returns the compiled tools of a request. Most requests have those of an earlier one.
func (s *Server) catalog(tools json.RawMessage) (*sig.Catalog, error) {
	if c := s.catalogs[string(tools)]; c != nil {
		return c, nil
	}
	c, err := sig.Compile(tools)
	if err != nil {
		return nil, err
	}
	if len(s.catalogs) == manyCatalogs {
		clear(s.catalogs)
	}
	s.catalogs[string(tools)] = c
	return c, nil
}
