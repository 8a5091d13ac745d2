package serve

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/split"
	"github.com/callwire/callwire/stream"
)

// stream answers with the events of a text that comes in chunks: a batch for
// each chunk, and one for the end.
func (s *Server) stream(request []byte) (protocol.Answer, error) {
	var r protocol.StreamRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return protocol.Answer{}, jsonl.Error(err)
	}
	if r.Text == nil {
		return protocol.Answer{}, errors.New("stream needs a text")
	}
	text, err := r.Repeat.Expand(r.Text)
	if err != nil {
		return protocol.Answer{}, err
	}
	if err := split.CheckCuts(r.Cuts, len(text)); err != nil {
		return protocol.Answer{}, err
	}
	decoder, err := s.decoder(&r.Setting)
	if err != nil {
		return protocol.Answer{}, err
	}
	batches := make([][]protocol.StreamEvent, 0, len(r.Cuts)+2)
	for chunk := range split.Chunks(text, r.Cuts) {
		batches = append(batches, batchOf(decoder.Feed(chunk)))
	}
	return protocol.Answer{Batches: append(batches, batchOf(decoder.Close()))}, nil
}

// batchOf returns events that come at once.
func batchOf(events []stream.Event) []protocol.StreamEvent {
	batch := make([]protocol.StreamEvent, len(events))
	for i := range events {
		batch[i] = protocol.StreamEventOf(&events[i])
	}
	return batch
}

func (s *Server) decoder(r *protocol.Setting) (*stream.Decoder, error) {
	options, catalog, err := s.setting(r)
	if err != nil {
		return nil, err
	}
	return stream.NewDecoder(catalog, stream.Options{Options: options}), nil
}

// manyStreams bounds the streams that are open.
const manyStreams = 4096

// feed answers with the events that a chunk makes certain. The first chunk of an
// id begins its stream.
func (s *Server) feed(request []byte) (protocol.Answer, error) {
	var r protocol.FeedRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return protocol.Answer{}, jsonl.Error(err)
	}
	if r.ID == "" || r.Text == nil {
		return protocol.Answer{}, errors.New("feed needs the id of a stream, and a text")
	}
	text, err := r.Repeat.Expand(r.Text)
	if err != nil {
		return protocol.Answer{}, err
	}
	decoder := s.streams[r.ID]
	switch {
	case decoder != nil && (r.Tools != nil || r.Options != (protocol.Options{}) || r.Delims != (protocol.Delims{}) || r.Protocol != ""):
		return protocol.Answer{}, fmt.Errorf("the stream %q has begun: tools, options, delims and protocol come with its first chunk", r.ID)
	case decoder == nil && len(s.streams) == manyStreams:
		return protocol.Answer{}, fmt.Errorf("%d streams are open; close some", manyStreams)
	case decoder == nil:
		if decoder, err = s.decoder(&r.Setting); err != nil {
			return protocol.Answer{}, err
		}
		s.streams[r.ID] = decoder
	}
	return protocol.Answer{Events: batchOf(decoder.Feed(text))}, nil
}

// close answers with the last events of a stream, and forgets it.
func (s *Server) close(request []byte) (protocol.Answer, error) {
	id, decoder, err := s.open(request)
	if err != nil {
		return protocol.Answer{}, err
	}
	delete(s.streams, id)
	return protocol.Answer{Events: batchOf(decoder.Close())}, nil
}

// reset takes a stream back to its beginning.
func (s *Server) reset(request []byte) (protocol.Answer, error) {
	_, decoder, err := s.open(request)
	if err != nil {
		return protocol.Answer{}, err
	}
	decoder.Reset()
	return protocol.Answer{Events: []protocol.StreamEvent{}}, nil
}

// open returns the stream that a request names.
func (s *Server) open(request []byte) (string, *stream.Decoder, error) {
	var r protocol.FeedRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return "", nil, jsonl.Error(err)
	}
	decoder := s.streams[r.ID]
	if decoder == nil {
		return "", nil, fmt.Errorf("no stream has the id %q; its first feed begins it", r.ID)
	}
	return r.ID, decoder, nil
}
