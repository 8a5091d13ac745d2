package conversation

import (
	"encoding/json"

	"github.com/callwire/callwire/manual"
)

// Shapes returns the shapes that [Transcript.As] writes: wire and those of the APIs.
func Shapes() []string { return append([]string{"wire"}, manual.APINames()...) }

// As returns the conversation in one of the Shapes, as a value that encodes as JSON; wire is the
// messages as package manual writes them.
func (t *Transcript) As(shape string) (any, error) {
	api, ok := manual.ParseAPI(shape)
	if !ok {
		return t.Messages, nil
	}
	data, err := api.AppendMessages(nil, t.Messages)
	return json.RawMessage(data), err
}
