package serve

import (
	"errors"
	"fmt"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/events"
	"github.com/callwire/callwire/stream"
)

// manyStreams bounds the streams that are open.
const manyStreams = 4096

// feed answers with the events that a chunk completes. The first chunk with an id begins
// a stream.
func (s *Server) feed(r *corpus.Request) (corpus.Answer, error) {
	if r.ID == "" || r.Text == nil {
		return corpus.Answer{}, errors.New("feed needs the id of a stream, and a text")
	}
	open := s.streams[r.ID]
	configures := r.Tools != nil || r.Options != (corpus.Options{}) ||
		r.Delims != nil || r.Protocol != ""
	text, err := r.Whole()
	switch {
	case err != nil:
	case open == nil:
		open, err = s.begin(r)
	case configures:
		err = fmt.Errorf("the stream %q has begun: tools, options, delims and protocol come with "+
			"its first chunk", r.ID)
	}
	if err == nil {
		_, err = open.Write(text)
	}
	return corpus.Answer{Events: s.events}, err
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

// close answers with the last events of a stream, and forgets it.
func (s *Server) close(r *corpus.Request) (corpus.Answer, error) {
	open, err := s.open(r)
	if err == nil {
		delete(s.streams, r.ID)
		err = open.Close()
	}
	return corpus.Answer{Events: s.events}, err
}

// reset takes a stream back to its beginning.
func (s *Server) reset(r *corpus.Request) (corpus.Answer, error) {
	open, err := s.open(r)
	if err == nil {
		open.Reset()
	}
	return corpus.Answer{Events: s.events}, err
}

// open returns the stream that a request names.
func (s *Server) open(r *corpus.Request) (*stream.Decoder, error) {
	open := s.streams[r.ID]
	if open == nil {
		return nil, fmt.Errorf("no stream has the id %q; its first feed begins it", r.ID)
	}
	return open, nil
}
