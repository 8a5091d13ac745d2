package corpus

import (
	"encoding/json"
	"errors"
)

// A Setting configures how a text is read or a call is written. Zero means the default.
type Setting struct {
	// Protocol is the name of the format of the calls; empty means the wire format.
	Protocol string `json:"protocol,omitempty"`

	// Tools is the catalog, a JSON array of {name, description, inputSchema}. Without one
	// every value is untyped; an empty array is a catalog that knows no tool.
	Tools json.RawMessage `json:"tools,omitempty"`

	Options Options `json:"options,omitzero"`
	Delims  *Delims `json:"delims,omitempty"` // the tags around a call
}

// Options are the options of a reader or writer. Zero means the default.
type Options struct {
	Strict             bool   `json:"strict,omitempty"`
	StopAfterMalformed bool   `json:"stopAfterMalformed,omitempty"`
	AcceptAtEnd        bool   `json:"acceptAtEnd,omitempty"`
	Salvage            bool   `json:"salvage,omitempty"`
	Reasoning          bool   `json:"reasoning,omitempty"`
	Code               bool   `json:"code,omitempty"`
	Limits             Limits `json:"limits,omitzero"`
	Protocol           string `json:"protocol,omitempty"` // as in [Setting]; either place will do

	*Wording // of sig and manual
}

// UnmarshalJSON refuses unknown options, because an answer that ignores one is wrong.
func (o *Options) UnmarshalJSON(data []byte) error {
	type plain Options
	if err := decode(data, (*plain)(o)); err != nil {
		return err
	}
	if l := o.Limits; min(l.Bytes, l.Depth, l.Arguments, l.Name) < 0 {
		return errors.New("options: limits are positive; 0 or none means the default")
	}
	return nil
}

// Wording is how tools are explained to a model. Zero means the default.
type Wording struct {
	Style        string `json:"style,omitempty"`       // compact or classic
	Syntax       string `json:"syntax,omitempty"`      // wire or json
	Fallback     string `json:"fallback,omitempty"`    // complex, error or force
	Description  int    `json:"description,omitempty"` // most characters of a description; -1: none
	Parameters   string `json:"parameters,omitempty"`  // full or off
	HideDefaults bool   `json:"hideDefaults,omitempty"`

	// Of manual only.
	Open   string   `json:"open,omitempty"`
	Close  string   `json:"close,omitempty"`
	Header string   `json:"header,omitempty"`
	Lazy   []string `json:"lazy,omitempty"`   // names of tools without their signatures
	Loader string   `json:"loader,omitempty"` // name of the tool that shows them
}

// Limits bound one call. Zero means the default.
type Limits struct {
	Bytes     int `json:"bytes,omitempty"`
	Depth     int `json:"depth,omitempty"`
	Arguments int `json:"arguments,omitempty"`
	Name      int `json:"name,omitempty"`
}

// Delims are the tags around a call.
type Delims struct {
	Open  string `json:"open"`
	Close string `json:"close"`
}

// Repeat makes a large text of a small one: the bytes from Start to End occur Times
// times.
type Repeat struct {
	Start int `json:"start"`
	End   int `json:"end"`
	Times int `json:"times"`
}
