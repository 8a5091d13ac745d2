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
//	-> {"seq":4,"op":"feed","id":"a","text":"hi <ca"}
//	<- {"seq":4,"events":[{"type":"text-start"},{"type":"text-delta","text":"hi "}]}
//	-> {"cmd":"bye"}
//
// In protocol 2 a stream is fed chunk by chunk, see [FeedRequest].
//
// A malformed call is a result, not an error. The arguments of a call travel as
// JSON text in a string, so that no language rounds their numbers.
package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
)

// The versions of the protocol: Version is the highest that is spoken, Least the
// lowest.
const (
	Version = 2
	Least   = 1
)

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

	// Of hello: the highest version that is spoken and, if another one will do,
	// the lowest.
	Protocol json.RawMessage `json:"protocol,omitempty"` // in a request it is a format, see [Setting]
	Min      *int            `json:"min,omitempty"`
}

// Setting says what a text is read by, or a call written by. Zero means the
// default.
type Setting struct {
	Tools    json.RawMessage `json:"tools,omitempty"` // absent: everything is untyped
	Options  Options         `json:"options,omitzero"`
	Delims   Delims          `json:"delims,omitzero"`
	Protocol string          `json:"protocol,omitempty"` // the format of the calls; absent: wire
}

// Delims are the tags of calls.
type Delims struct {
	Open  string `json:"open"`
	Close string `json:"close"`
}

// Repeat makes a large text of a small one: the bytes from Start to End stand
// there Times times.
type Repeat struct {
	Start int `json:"start"`
	End   int `json:"end"`
	Times int `json:"times"`
}

// maxRepeated bounds the texts that are made so.
const maxRepeated = 1 << 28

// Expand returns text as r says; r may be nil.
func (r *Repeat) Expand(text Text) (Text, error) {
	if r == nil {
		return text, nil
	}
	if r.Start < 0 || r.End < r.Start || r.End > len(text) || r.Times < 0 {
		return nil, errors.New("repeat: start and end are offsets of the text, and times is not negative")
	}
	if size := r.End - r.Start; size > 0 && r.Times > maxRepeated/size {
		return nil, errors.New("repeat: the text would be too large")
	}
	all := append(Text{}, text[:r.Start]...)
	all = append(all, bytes.Repeat(text[r.Start:r.End], r.Times)...)
	return append(all, text[r.End:]...), nil
}

// ParseRequest asks for the events of a text.
type ParseRequest struct {
	Setting
	Text   Text    `json:"text"`
	Repeat *Repeat `json:"repeat,omitempty"`
}

// FormatRequest asks for the writing of a call.
type FormatRequest struct {
	Setting
	Name  Text `json:"name"`
	Input Text `json:"input"` // JSON text
}

// Options are the settings of a reader or writer. Zero means the default.
type Options struct {
	Strict             bool   `json:"strict,omitempty"`
	StopAfterMalformed bool   `json:"stopAfterMalformed,omitempty"`
	AcceptAtEnd        bool   `json:"acceptAtEnd,omitempty"`
	Salvage            bool   `json:"salvage,omitempty"`
	Reasoning          bool   `json:"reasoning,omitempty"`
	Code               bool   `json:"code,omitempty"`
	Limits             Limits `json:"limits,omitzero"`
	Protocol           string `json:"protocol,omitempty"` // that of [Setting], which may stand here too
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

// Answer is the answer to a request. It has one of the members after Seq.
type Answer struct {
	Seq     json.RawMessage `json:"seq"`              // null where the request has none that can be read
	Events  any             `json:"events,omitempty"` // to parse: []Event; to feed, close and reset: []StreamEvent
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
