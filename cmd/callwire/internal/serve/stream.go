package serve

import (
	"errors"
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/corpus"
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
	text, err := r.Whole()
	if err != nil {
		return corpus.Answer{}, err
	}
	decoder := s.streams[r.ID]
	if decoder == nil {
		decoder, err = s.begin(r)
	} else if r.Tools != nil || r.Options != (corpus.Options{}) || r.Delims != nil || r.Protocol != "" {
		err = fmt.Errorf("the stream %q has begun: tools, options, delims and protocol come with its first chunk", r.ID)
	}
	if err != nil {
		return corpus.Answer{}, err
	}
	return answerOf(decoder.Feed(text)), nil
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
	decoder := stream.NewDecoder(catalog, stream.Options{Options: options})
	s.streams[r.ID] = decoder
	return decoder, nil
}

// close answers with the last events of a stream, and forgets it.
func (s *Server) close(r *corpus.Request) (corpus.Answer, error) {
	decoder, err := s.open(r)
	if err != nil {
		return corpus.Answer{}, err
	}
	delete(s.streams, r.ID)
	return answerOf(decoder.Close()), nil
}

// reset takes a stream back to its beginning.
func (s *Server) reset(r *corpus.Request) (corpus.Answer, error) {
	decoder, err := s.open(r)
	if err != nil {
		return corpus.Answer{}, err
	}
	decoder.Reset()
	return answerOf(nil), nil
}

// open returns the stream that a request names.
func (s *Server) open(r *corpus.Request) (*stream.Decoder, error) {
	decoder := s.streams[r.ID]
	if decoder == nil {
		return nil, fmt.Errorf("no stream has the id %q; its first feed begins it", r.ID)
	}
	return decoder, nil
}

func answerOf(events []stream.Event) corpus.Answer {
	answer := corpus.Answer{Events: make([]corpus.Event, len(events))}
	for i := range events {
		answer.Events[i] = protocol.StreamEventOf(&events[i])
	}
	return answer
}
