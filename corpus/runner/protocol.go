package runner

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/callwire/callwire/corpus"
)

// Protocol is the version of the protocol that the runner speaks.
const Protocol = 1

// The operations that the runner asks for.
const (
	opParse  = corpus.Parse
	opFormat = corpus.Format
	opSig    = corpus.Sig
	opManual = corpus.Manual
	opStream = "stream"
)

const (
	helloLine = `{"cmd":"hello","protocol":1}` + "\n"
	byeLine   = `{"cmd":"bye"}` + "\n"
)

// Welcome is what an implementation says of itself.
type Welcome struct {
	Protocol int      `json:"protocol"`
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Spec     string   `json:"spec"` // the version of the format
	Ops      []string `json:"ops"`  // the operations it has
}

// A request is a question without its number.
type request struct {
	op   string
	body []byte // the members that all requests of a check share
	cuts []int  // of op stream
}

// body returns the members of the requests for a case, each with a comma before
// it: what is asked, and nothing of what is expected.
func body(c *corpus.Case) []byte {
	var b bytes.Buffer
	member := func(name string, value any) {
		b.WriteString(`,"` + name + `":`)
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(value); err != nil {
			panic("runner: " + c.ID + ": " + err.Error()) // the case was read from JSON
		}
		b.Truncate(b.Len() - 1)
	}
	if c.Tools != nil {
		member("tools", c.Tools)
	}
	if c.Options != (corpus.Options{}) {
		member("options", c.Options)
	}
	switch c.Op {
	case corpus.Parse:
		member("text", c.Text)
	case corpus.Format:
		member("name", c.Name)
		member("input", c.Input)
	}
	return b.Bytes()
}

// appendTo appends the request as one line.
func (r request) appendTo(b []byte, seq int) []byte {
	b = append(b, `{"seq":`...)
	b = strconv.AppendInt(b, int64(seq), 10)
	b = append(b, `,"op":"`+r.op+`"`...)
	b = append(b, r.body...)
	if r.op == opStream {
		b = append(b, `,"cuts":[`...)
		for i, cut := range r.cuts {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(cut), 10)
		}
		b = append(b, ']')
	}
	return append(b, "}\n"...)
}

// An answer has its seq and one of the other members.
type answer struct {
	Seq     json.RawMessage `json:"seq"`
	Events  []corpus.Event  `json:"events"`
	Batches [][]step        `json:"batches"`
	Text    *corpus.Bytes   `json:"text"`
	Lines   []string        `json:"lines"`
	Error   *refusal        `json:"error"`
	Skip    *string         `json:"skip"`
}

// A refusal says why a request failed.
type refusal struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// A step is an event of a stream.
type step struct {
	corpus.Event
	ID    string `json:"id,omitempty"`
	Delta string `json:"delta,omitempty"`
}
