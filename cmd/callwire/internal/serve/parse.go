package serve

import (
	"encoding/json"
	"errors"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
)

// parse answers with the events of a text.
func (s *Server) parse(request []byte) (protocol.Answer, error) {
	var r protocol.ParseRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return protocol.Answer{}, jsonl.Error(err)
	}
	if r.Text == nil {
		return protocol.Answer{}, errors.New("parse needs a text")
	}
	options, catalog, err := s.setting(&r.Setting)
	if err != nil {
		return protocol.Answer{}, err
	}
	text, err := r.Repeat.Expand(r.Text)
	if err != nil {
		return protocol.Answer{}, err
	}
	events := []protocol.Event{}
	for _, segment := range options.Text(string(text), catalog) {
		events = append(events, protocol.EventOf(&segment))
	}
	return protocol.Answer{Events: events}, nil
}
