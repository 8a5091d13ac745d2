package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/events"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// parse answers with the events of a text.
func (s *Server) parse(r *corpus.Request) (corpus.Answer, error) {
	if r.Text == nil {
		return corpus.Answer{}, errors.New("parse needs a text")
	}
	options, catalog, err := s.setting(&r.Setting)
	if err != nil {
		return corpus.Answer{}, err
	}
	text, err := r.Whole()
	if err != nil {
		return corpus.Answer{}, err
	}
	options.NewID = func(int) string { return "" } // a call has the ID of its format, or none
	segments, err := parse.Message(catalog, string(text), &options)
	for i := range segments {
		s.events = append(s.events, events.Of(&segments[i]))
	}
	return corpus.Answer{Events: s.events}, err
}

// format answers with the canonical writing of a call.
func (s *Server) format(r *corpus.Request) (corpus.Answer, error) {
	if r.Name == nil || r.Input == nil {
		return corpus.Answer{}, errors.New("format needs a name and an input, " +
			"which is JSON text in a string")
	}
	options, catalog, err := s.setting(&r.Setting)
	if err != nil {
		return corpus.Answer{}, err
	}
	o := parse.FormatOptions{Format: options.Format, Limits: options.Limits}
	text, err := parse.FormatCall(catalog, string(r.Name), json.RawMessage(r.Input), &o)
	return corpus.Answer{Text: corpus.Bytes(text)}, err
}

// sig answers with the signatures of tools, in their order.
func (s *Server) sig(r *corpus.Request) (corpus.Answer, error) {
	o, catalog, err := s.wording(r)
	if err != nil {
		return corpus.Answer{}, err
	}
	plans, err := catalog.Plans(o.Plan)
	if err != nil {
		return corpus.Answer{}, err
	}
	return corpus.Answer{Lines: append([]string{}, o.Signatures.Signatures(plans)...)}, nil
}

// manual answers with the manual of tools.
func (s *Server) manual(r *corpus.Request) (corpus.Answer, error) {
	o, catalog, err := s.wording(r)
	if err != nil {
		return corpus.Answer{}, err
	}
	m, err := manual.New(catalog, &o)
	if err != nil {
		return corpus.Answer{}, err
	}
	return corpus.Answer{Text: corpus.Bytes(m.String())}, nil
}

// wording returns how a request wants tools explained, and the tools.
func (s *Server) wording(r *corpus.Request) (o manual.Options, catalog *sig.Catalog, err error) {
	var words corpus.Wording
	if r.Options.Wording != nil {
		words = *r.Options.Wording
	}
	name, err := formatName(&r.Setting)
	if err != nil {
		return o, nil, err
	}
	format, err := protocol.Framed(name, parse.Tags{Open: words.Open, Close: words.Close})
	if err == nil {
		o, err = protocol.Wording(&words, format)
	}
	if err != nil {
		return o, nil, err
	}
	catalog, err = s.catalog(r.Tools)
	if err == nil && catalog == nil {
		err = errors.New("sig and manual need tools")
	}
	return o, catalog, err
}

// setting returns the options and the catalog of a request.
func (s *Server) setting(r *corpus.Setting) (parse.Options, *sig.Catalog, error) {
	name, err := formatName(r)
	if err != nil {
		return parse.Options{}, nil, err
	}
	format, err := protocol.Format(name)
	if err == nil && r.Delims != nil {
		format, err = protocol.Tagged(format, parse.Tags(*r.Delims))
	}
	if err != nil {
		return parse.Options{}, nil, err
	}
	catalog, err := s.catalog(r.Tools)
	o := parse.Options{
		Format:              format,
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
	return o, protocol.Tools(format, catalog), err
}

// formatName returns the name of the format of a request, which is a member or an option.
func formatName(r *corpus.Setting) (string, error) {
	name, option := r.Protocol, r.Options.Protocol
	if name != "" && option != "" && name != option {
		return "", fmt.Errorf("the protocol is %s, and in the options %s", name, option)
	}
	if name == "" {
		name = option
	}
	return name, nil
}

// manyCatalogs bounds the catalogs that are kept.
const manyCatalogs = 256

// catalog returns the compiled tools of a request, or nil if it has none.
func (s *Server) catalog(tools json.RawMessage) (*sig.Catalog, error) {
	if tools == nil || bytes.Equal(tools, []byte("null")) {
		return nil, nil
	}
	if c, ok := s.catalogs[string(tools)]; ok {
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
