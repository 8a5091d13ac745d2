package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/callwire/callwire/corpus"
)

// The versions of the protocol that the runner speaks. In the first a text that is
// streamed comes in one request with all its cuts, so that streaming is not
// proven; in the second each chunk is one request.
const (
	Protocol      = 2
	LeastProtocol = 1
)

// The operations that the runner asks for.
const (
	opParse  = corpus.Parse
	opFormat = corpus.Format
	opSig    = corpus.Sig
	opManual = corpus.Manual
	opStream = "stream"

	// Of protocol 2, in place of opStream.
	opFeed  = "feed"
	opClose = "close"
	opReset = "reset"
)

const byeLine = `{"cmd":"bye"}` + "\n"

// helloLine greets an implementation: with the highest version of the protocol,
// the lowest, and the version of the format that the cases are of.
func helloLine(protocol int) string {
	if protocol == LeastProtocol {
		return fmt.Sprintf(`{"cmd":"hello","protocol":%d}`+"\n", protocol)
	}
	return fmt.Sprintf(`{"cmd":"hello","protocol":%d,"min":%d,"spec":%q}`+"\n", protocol, LeastProtocol, corpus.Version)
}

// Welcome is what an implementation says of itself.
type Welcome struct {
	Protocol int      `json:"protocol"`
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Spec     string   `json:"spec"` // the version of the format
	Ops      []string `json:"ops"`  // the operations it has
}

// feeds reports whether streams are fed chunk by chunk.
func (w *Welcome) feeds() bool { return w.Protocol >= 2 && slices.Contains(w.Ops, opFeed) }

// has reports whether the implementation has an operation of checks.
func (w *Welcome) has(op string) bool {
	return slices.Contains(w.Ops, op) || op == opStream && w.feeds()
}

// A request is a question without its number.
type request struct {
	op   string
	body []byte // the members that all requests of a check share; in protocol 2 those of the first chunk, without the text
	cuts []int  // of op stream

	// Of op stream in protocol 2.
	text  []byte
	reset int // the stream is reset when it was fed that many bytes; 0: never
}

// body returns the members of the requests for a case, each with a comma before
// it: what is asked, and nothing of what is expected. The text is left out where
// it comes in chunks.
func body(c *corpus.Case, chunked bool) []byte {
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
	if c.Protocol != "" {
		member("protocol", c.Protocol)
	}
	if c.Delims != nil {
		member("delims", c.Delims)
	}
	if c.Tools != nil {
		member("tools", c.Tools)
	}
	if c.Options != (corpus.Options{}) {
		member("options", c.Options)
	}
	switch {
	case chunked:
	case c.Op == corpus.Parse:
		member("text", c.Text)
		if c.Repeat != nil {
			member("repeat", c.Repeat)
		}
	case c.Op == corpus.Format:
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
	Events  []step          `json:"events"`
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

// A step is an event of a stream. Those of an answer to parse are read as steps
// too: of both it must be known which offsets are there.
type step struct {
	corpus.Event
	Start  *int    `json:"start"`
	End    *int    `json:"end"`
	At     *int    `json:"at"`
	Issues []issue `json:"issues"`
	ID     string  `json:"id,omitempty"`
	Delta  string  `json:"delta,omitempty"`
}

// An issue is one of which it is known whether its offset is there.
type issue struct {
	corpus.Issue
	At *int `json:"at"`
}

// settle gives the event and its issues their offsets, and reports whether it has
// those of its type.
func (s *step) settle() bool {
	for _, m := range []struct {
		from *int
		to   *int
	}{{s.Start, &s.Event.Start}, {s.End, &s.Event.End}, {s.At, &s.Event.At}} {
		if m.from != nil {
			*m.to = *m.from
		}
	}
	for _, i := range s.Issues {
		if i.At == nil {
			return false
		}
		i.Issue.At = *i.At
		s.Event.Issues = append(s.Event.Issues, i.Issue)
	}
	switch s.Type {
	case corpus.TextEvent, corpus.ReasoningEvent, corpus.ToolCallEvent, "reasoning-start", "reasoning-end":
		return s.Start != nil && s.End != nil
	case corpus.MalformedEvent:
		return s.Start != nil && s.End != nil && s.At != nil
	}
	return true
}

// settle does so for all events.
func settle(events []step) bool {
	for i := range events {
		if !events[i].settle() {
			return false
		}
	}
	return true
}

// eventsOf returns the events of steps.
func eventsOf(steps []step) []corpus.Event {
	events := make([]corpus.Event, len(steps))
	for i := range steps {
		events[i] = steps[i].Event
	}
	return events
}
