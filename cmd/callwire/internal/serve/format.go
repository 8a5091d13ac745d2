package serve

import (
	"encoding/json"
	"errors"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/parse"
)

// format answers with the canonical writing of a call.
func (s *Server) format(request []byte) (protocol.Answer, error) {
	var r protocol.FormatRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return protocol.Answer{}, jsonl.Error(err)
	}
	if r.Name == nil || r.Input == nil {
		return protocol.Answer{}, errors.New("format needs a name and an input, which is JSON text in a string")
	}
	options, catalog, err := s.setting(&r.Setting)
	if err != nil {
		return protocol.Answer{}, err
	}
	opts := parse.FormatOptions{Protocol: options.Protocol, Delims: options.Delims, Limits: options.Limits}
	text, err := opts.Format(catalog, string(r.Name), r.Input)
	return protocol.Answer{Text: &text}, err
}
