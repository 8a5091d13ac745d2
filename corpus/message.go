package corpus

import (
	"cmp"
	"encoding/json"
	"errors"
)

// A runner and an implementation exchange lines of JSON: a [Hello] and its [Welcome],
// then requests and answers in their order, and at last bye, which has no answer.

// ProtocolVersion is the version of these messages.
const ProtocolVersion = 2

// The commands. A line without one is a [Request].
const (
	HelloCommand = "hello"
	ByeCommand   = "bye"
)

// The operations on streams, besides those of a [Case]: the first feed with an id begins
// a stream, close ends its input, reset takes it back to its beginning.
const (
	Feed  = "feed"
	Close = "close"
	Reset = "reset"
)

// Hello greets an implementation. Min and Protocol are the lowest and the highest version
// of the messages that the runner speaks; Spec is the version of the format.
type Hello struct {
	Cmd      string `json:"cmd"`
	Protocol int    `json:"protocol,omitempty"`
	Min      int    `json:"min,omitempty"`
	Spec     string `json:"spec,omitempty"`
}

// Welcome is the answer to [Hello].
type Welcome struct {
	Protocol int      `json:"protocol"`
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Spec     string   `json:"spec"` // the version of the format
	Ops      []string `json:"ops"`  // the operations that are served; feed includes close and reset
}

// A Request is a question to an implementation.
type Request struct {
	Seq json.RawMessage `json:"seq,omitempty"` // a number; comes back in the answer
	Op  string          `json:"op,omitempty"`
	ID  string          `json:"id,omitempty"` // of feed, close and reset: the stream

	Setting // of feed with the first chunk only

	Text   Bytes   `json:"text,omitzero"` // of parse and feed
	Repeat *Repeat `json:"repeat,omitempty"`
	Name   Bytes   `json:"name,omitzero"`  // of format
	Input  Bytes   `json:"input,omitzero"` // of format: JSON text
}

// Request returns the question of a case, without the expected answer.
func (c *Case) Request() Request {
	r := Request{Op: c.Op, Setting: c.Setting}
	switch c.Op {
	case Parse:
		r.Text, r.Repeat = append(Bytes{}, c.Text...), c.Repeat
	case Format:
		r.Name, r.Input = Bytes(c.Name), append(Bytes{}, c.Input...)
	}
	return r
}

// largestText bounds the texts that [Request.Whole] makes.
const largestText = 1 << 28

// Whole returns the text with its repeated part written out.
func (r *Request) Whole() (Bytes, error) {
	p := cmp.Or(r.Repeat, &Repeat{})
	switch size := p.End - p.Start; {
	case p.Start < 0, size < 0, p.End > len(r.Text), p.Times < 0:
		return nil, errors.New("repeat: start and end are offsets of the text, " +
			"and times is not negative")
	case size > 0 && p.Times > largestText/size:
		return nil, errors.New("repeat: the text would be too large")
	}
	return Case{Text: r.Text, Repeat: r.Repeat}.Whole(), nil
}

// An Answer has one of the members after Seq: the one that its request asks for, or
// Error, or Skip.
type Answer struct {
	Seq    json.RawMessage `json:"seq"`    // that of the request; null if that cannot be read
	Events []Event         `json:"events"` // to parse, feed, close and reset
	Text   Bytes           `json:"text"`   // to format and manual
	Lines  []string        `json:"lines"`  // to sig: one for each tool
	Error  *Refusal        `json:"error"`  // the request failed
	Skip   string          `json:"skip"`   // why the request is not served
}

// A Refusal is the answer to a request that failed: a code of the format if a writer refuses, and
// [BadRequest] otherwise.
type Refusal struct {
	Code    string `json:"code"`
	Message string `json:"message,omitempty"` // for people
}

// BadRequest is the code of a request that cannot be understood.
const BadRequest = "bad-request"

// AppendJSON appends the answer.
func (a *Answer) AppendJSON(dst []byte) []byte {
	name, value := "text", any(&a.Text)
	switch {
	case a.Error != nil:
		name, value = "error", a.Error
	case a.Skip != "":
		name, value = "skip", &a.Skip
	case a.Events != nil:
		name, value = "events", &a.Events
	case a.Lines != nil:
		name, value = "lines", &a.Lines
	}
	dst = append(dst, `{"seq":`...)
	if a.Seq == nil {
		dst = append(dst, "null"...)
	}
	dst = append(append(dst, a.Seq...), `,"`+name+`":`...)
	return append(appendValue(dst, value), '}')
}
