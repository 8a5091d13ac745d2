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

// openStream is a stream that has begun.
type openStream struct {
	decoder *stream.Decoder
	events  []corpus.Event // of the request that is being answered
}

func (o *openStream) emit(e stream.Event) error {
	o.events = append(o.events, events.OfStream(&e))
	return nil
}

// answer returns the events since the last answer.
func (o *openStream) answer(err error) (corpus.Answer, error) {
	events := append([]corpus.Event{}, o.events...)
	o.events = o.events[:0]
	return corpus.Answer{Events: events}, err
}

// feed answers with the events that a chunk completes. The first chunk with an id begins
// a stream.
func (s *Server) feed(r *corpus.Request) (corpus.Answer, error) {
	if r.ID == "" || r.Text == nil {
		return corpus.Answer{}, errors.New("feed needs the id of a stream, and a text")
	}
	text, err := r.Whole()
	if err != nil {
		return corpus.Answer{}, err
	}
	open := s.streams[r.ID]
	configures := r.Tools != nil || r.Options != (corpus.Options{}) ||
		r.Delims != nil || r.Protocol != ""
	if open == nil {
		open, err = s.begin(r)
	} else if configures {
		err = fmt.Errorf("the stream %q has begun: tools, options, delims and protocol come with "+
			"its first chunk", r.ID)
	}
	if err != nil {
		return corpus.Answer{}, err
	}
	_, err = open.decoder.Write(text)
	return open.answer(err)
}

// begin opens the stream of a request.
func (s *Server) begin(r *corpus.Request) (*openStream, error) {
	if len(s.streams) == manyStreams {
		return nil, fmt.Errorf("%d streams are open; close some", manyStreams)
	}
	options, catalog, err := s.setting(&r.Setting)
	if err != nil {
		return nil, err
	}
	open := new(openStream)
	open.decoder, err = stream.NewDecoder(catalog, open.emit, &options)
	if err != nil {
		return nil, err
	}
	s.streams[r.ID] = open
	return open, nil
}

// close answers with the last events of a stream, and forgets it.
func (s *Server) close(r *corpus.Request) (corpus.Answer, error) {
	open, err := s.open(r)
	if err != nil {
		return corpus.Answer{}, err
	}
	delete(s.streams, r.ID)
	return open.answer(open.decoder.Close())
}

// reset takes a stream back to its beginning.
func (s *Server) reset(r *corpus.Request) (corpus.Answer, error) {
	open, err := s.open(r)
	if err != nil {
		return corpus.Answer{}, err
	}
	open.decoder.Reset()
	return open.answer(nil)
}

// open returns the stream that a request names.
func (s *Server) open(r *corpus.Request) (*openStream, error) {
	open := s.streams[r.ID]
	if open == nil {
		return nil, fmt.Errorf("no stream has the id %q; its first feed begins it", r.ID)
	}
	return open, nil
}
