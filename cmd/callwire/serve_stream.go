package main

import (
	"encoding/json"
	"errors"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/stream"
)

// stream answers with the events of a text that comes in chunks: a batch for
// each chunk, and one for the end.
func (s *server) stream(request []byte) (protocol.Answer, error) {
	var r protocol.StreamRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return protocol.Answer{}, jsonError(err)
	}
	if r.Text == nil {
		return protocol.Answer{}, errors.New("stream needs a text")
	}
	if err := checkCuts(r.Cuts, len(r.Text)); err != nil {
		return protocol.Answer{}, err
	}
	catalog, err := s.catalog(r.Tools)
	if err != nil {
		return protocol.Answer{}, err
	}
	decoder := stream.NewDecoder(catalog, streamOptions(optionsOf(r.Options)))
	batches := make([][]protocol.StreamEvent, 0, len(r.Cuts)+2)
	for chunk := range chunks(r.Text, r.Cuts) {
		batches = append(batches, batchOf(decoder.Feed(chunk)))
	}
	return protocol.Answer{Batches: append(batches, batchOf(decoder.Close()))}, nil
}

// batchOf returns events that come at once.
func batchOf(events []stream.Event) []protocol.StreamEvent {
	batch := make([]protocol.StreamEvent, len(events))
	for i := range events {
		batch[i] = streamEventOf(&events[i])
	}
	return batch
}
