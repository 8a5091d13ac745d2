package protocol

import (
	"bytes"
	"encoding/json"
)

// SigRequest asks for the signatures of tools, in their order.
type SigRequest struct {
	Tools   json.RawMessage `json:"tools"`
	Options Wording         `json:"options,omitzero"`
}

// ManualRequest asks for the manual of tools.
type ManualRequest struct {
	Tools   json.RawMessage `json:"tools"`
	Options Wording         `json:"options,omitzero"`
}

// Wording says how tools are explained to a model. Zero means the default.
type Wording struct {
	Style        string `json:"style,omitempty"`       // compact or classic
	Syntax       string `json:"syntax,omitempty"`      // wire or json
	Fallback     string `json:"fallback,omitempty"`    // complex, error or force
	Description  int    `json:"description,omitempty"` // characters of a tool's description; negative: none
	Parameters   string `json:"parameters,omitempty"`  // off, short or full
	HideDefaults bool   `json:"hideDefaults,omitempty"`

	// Of the manual only.
	Protocol string   `json:"protocol,omitempty"` // the format of the calls; absent: wire
	Open     string   `json:"open,omitempty"`
	Close    string   `json:"close,omitempty"`
	Header   string   `json:"header,omitempty"`
	Lazy     []string `json:"lazy,omitempty"`   // names of tools that are not explained yet
	Loader   string   `json:"loader,omitempty"` // name of the tool that explains them
}

// UnmarshalJSON refuses options that it does not know.
func (w *Wording) UnmarshalJSON(data []byte) error {
	type plain Wording
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode((*plain)(w))
}
