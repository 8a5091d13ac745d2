package serve

import (
	"encoding/json"
	"errors"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
)

// errNoTools says that sig and manual have nothing to say.
var errNoTools = errors.New("sig and manual need tools")

// sig answers with the signatures of tools.
func (s *Server) sig(request []byte) (protocol.Answer, error) {
	var r protocol.SigRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return protocol.Answer{}, jsonl.Error(err)
	}
	o, err := r.Options.Options()
	if err != nil {
		return protocol.Answer{}, err
	}
	catalog, err := s.catalog(r.Tools)
	if err != nil {
		return protocol.Answer{}, err
	}
	if catalog == nil {
		return protocol.Answer{}, errNoTools
	}
	plans, err := catalog.Plans(o.Plan)
	if err != nil {
		return protocol.Answer{}, err
	}
	return protocol.Answer{Lines: o.Signatures.Signatures(plans)}, nil
}

// manual answers with the manual of tools.
func (s *Server) manual(request []byte) (protocol.Answer, error) {
	var r protocol.ManualRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return protocol.Answer{}, jsonl.Error(err)
	}
	o, err := r.Options.Options()
	if err != nil {
		return protocol.Answer{}, err
	}
	if len(r.Tools) == 0 || string(r.Tools) == "null" {
		return protocol.Answer{}, errNoTools
	}
	catalog, err := sig.Compile(r.Tools)
	if err != nil {
		return protocol.Answer{}, err
	}
	catalog = o.Lazy.Extend(catalog)
	if err := o.Check(catalog); err != nil {
		return protocol.Answer{}, err
	}
	text := manual.Render(catalog, o)
	return protocol.Answer{Text: &text}, nil
}
