// Package protocol is what a conformance runner and an implementation under
// test say to each other: JSON Lines, requests one way and answers the other.
//
//	-> {"cmd":"hello","protocol":1}
//	<- {"protocol":1,"name":"callwire","version":"v1.0.0","spec":"1.0","ops":["parse","stream","format"]}
//	-> {"seq":1,"op":"parse","text":"hi <call>t a=1</call>"}
//	<- {"seq":1,"events":[{"type":"text",…},{"type":"tool-call",…}]}
//	-> {"seq":2,"op":"stream","text":"hi <call>t a=1</call>","cuts":[5]}
//	<- {"seq":2,"batches":[[{"type":"text-start"},{"type":"text-delta",…}],[{"type":"text-end"},…],[]]}
//	-> {"seq":3,"op":"format","name":"t","input":"{\"a\":1}"}
//	<- {"seq":3,"text":"<call>t a=1</call>"}
//	-> {"cmd":"bye"}
//
// A malformed call is a result, not an error. The arguments of a call travel as
// JSON text in a string, so that no language rounds their numbers.
package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Version is the version of the protocol.
const Version = 1

// Commands, which are not answered but for hello.
const (
	Hello = "hello"
	Bye   = "bye"
)

// Head is what every request has: a command, or a number and an operation. The
// other members of a request depend on its operation.
type Head struct {
	Cmd string          `json:"cmd,omitempty"`
	Seq json.RawMessage `json:"seq,omitempty"` // comes back as it is
	Op  string          `json:"op,omitempty"`

	Protocol *int `json:"protocol,omitempty"` // of hello: the version that is spoken
}

// ParseRequest asks for the events of a text.
type ParseRequest struct {
	Tools   json.RawMessage `json:"tools,omitempty"` // absent: everything is untyped
	Options Options         `json:"options,omitzero"`
	Text    Text            `json:"text"`
}

// FormatRequest asks for the writing of a call.
type FormatRequest struct {
	Tools   json.RawMessage `json:"tools,omitempty"` // absent: everything is untyped
	Options Options         `json:"options,omitzero"`
	Name    Text            `json:"name"`
	Input   Text            `json:"input"` // JSON text
}

// Options are the settings of a reader or writer. Zero means the default.
type Options struct {
	Strict             bool   `json:"strict,omitempty"`
	StopAfterMalformed bool   `json:"stopAfterMalformed,omitempty"`
	AcceptAtEnd        bool   `json:"acceptAtEnd,omitempty"`
	Limits             Limits `json:"limits,omitzero"`
}

// UnmarshalJSON refuses options that it does not know: a result without them
// would be the answer to another question.
func (o *Options) UnmarshalJSON(data []byte) error {
	type plain Options
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode((*plain)(o)); err != nil {
		return err
	}
	if l := o.Limits; min(l.Bytes, l.Depth, l.Arguments, l.Name) < 0 {
		return errors.New("options: limits are positive; 0 or none means the default")
	}
	return nil
}

// Limits bound one call.
type Limits struct {
	Bytes     int `json:"bytes,omitempty"`
	Depth     int `json:"depth,omitempty"`
	Arguments int `json:"arguments,omitempty"`
	Name      int `json:"name,omitempty"`
}

// Welcome is the answer to hello.
type Welcome struct {
	Protocol int      `json:"protocol"`
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Spec     string   `json:"spec"` // version of the wire format
	Ops      []string `json:"ops"`  // what is served
}

// Answer is the answer to a request. Of the members behind Seq it has one.
type Answer struct {
	Seq     json.RawMessage `json:"seq"`              // null where the request has none that can be read
	Events  []Event         `json:"events,omitzero"`  // to parse
	Batches [][]StreamEvent `json:"batches,omitzero"` // to stream: one for each chunk and one for the end
	Text    *string         `json:"text,omitempty"`   // to format and manual
	Lines   []string        `json:"lines,omitzero"`   // to sig
	Error   *Error          `json:"error,omitempty"`  // the request failed
	Skip    string          `json:"skip,omitempty"`   // why it is not served
}

// Error says why a request failed: a code of the format where the writer
// refuses, else BadRequest.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// BadRequest is the code of a request that cannot be understood.
const BadRequest = "bad-request"

func (e *Error) Error() string { return e.Message }

// Event is a part of a text that was read. The events tile the text.
type Event struct {
	Type  string `json:"type"` // text, tool-call or malformed
	Start int    `json:"start"`
	End   int    `json:"end"`

	// Name is the tool of a call. For people that of a malformed call stands
	// there too, where it is known.
	Name string `json:"name,omitempty"`

	*TextPart
	*CallPart
	*MalformedPart
}

// TextPart is what an event of text has besides its place.
type TextPart struct {
	Text Text `json:"text"`
}

// CallPart is what a call has besides its place.
type CallPart struct {
	Input          string  `json:"input"` // the arguments as JSON text
	Issues         []Issue `json:"issues,omitempty"`
	AfterMalformed bool    `json:"afterMalformed,omitempty"`
	Mended         bool    `json:"mended,omitempty"`
}

// MalformedPart is what a malformed span has besides its place.
type MalformedPart struct {
	Code   string `json:"code"`
	At     int    `json:"at"`     // the byte where it is wrong
	Closed bool   `json:"closed"` // it ends with a close tag

	// Message says for people what is wrong and how to mend it.
	Message string `json:"message,omitempty"`
}

// Issue is something that a call says and its schema does not.
type Issue struct {
	Code string `json:"code"`
	Path string `json:"path"`
	At   int    `json:"at"`
}
